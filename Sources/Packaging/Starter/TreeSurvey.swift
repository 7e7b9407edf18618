import Android
import Artifacts
import Documents
import Findings
import ObjectFiles
import Store
import SystemPackage

/// What in a folder might be a plugin: found by names and a few words in sources, never by running anything. Paths are
/// relative to it, by their bytes. What cannot be read is passed over: a first manifest is better than none.
struct TreeSurvey: Sendable {
  private(set) var name: String
  var version: String?
  /// What may be the plugin's; what is not taken for it is in `leftOut`.
  private(set) var files: [StarterFile] = []
  /// What is there and is not looked at further, and why.
  private(set) var leftOut = NotPacked()
  /// Of Xcode.
  private(set) var projects: ProjectChoice
  /// Where scripts of Gradle's are, samples' and tests' too: those that make the plugin's build read them all.
  private(set) var gradleFolders: [String] = []
  /// Each an Android.mk, where the plugin's own are.
  private(set) var nativeScripts: [String] = []
  /// Of the sources among `files`.
  private(set) var sources: [String: SourceFacts] = [:]
  /// The host whose words stand in a source.
  private(set) var host: StarterHost?
  /// The class that the host makes first, if a source file shows it.
  private(set) var viewController: String?
  var fragment: String?
  var android = AndroidSearch.Outcome.nothing
  private(set) var androidApplications = AndroidApplications()
  /// What the files that describe the plugin for package managers say.
  private(set) var descriptions: [ProjectDescription] = []
  /// One that cannot be read may say all that is missing here.
  private(set) var hasUnread = false
  /// What was taken where there was a choice, and why: for the user.
  private(set) var choices: [String] = []

  let tree: StarterTree
  private(set) var modules: [GradleModule] = []
  /// Of modules, and of the library that is packed.
  var androidFolders: Set<String> = []
  private(set) var manifests: [AndroidManifestFile] = []
  /// Where they are, and the names of their classes.
  private(set) var fragments: [(path: String, name: String)] = []
  /// Names that `rootProject.name` gives.
  private var gradleName: String?
  /// Scripts of an app's build, which a description names.
  private var applied: Set<String> = []
  private var filesLeft = StarterTree.mostFiles
  private var later: [(path: String, standing: FolderStanding, depth: Int)] = []
  private var foundProjects: [(path: String, standing: FolderStanding)] = []
  private static let deepest = 16

  init(_ root: FilePath) throws(FileError) {
    tree = StarterTree(root: root)
    projects = ProjectChoice([], tree, []) { _ in false }
    name = TreeSurvey.identifier(root.lexicallyNormalized().lastComponent?.string ?? "Plugin")
    _ = try FileSystem.list(root)
    let search = ProjectDescription.search(tree)
    descriptions = search.found
    hasUnread = !search.unread.isEmpty
    choices = search.unread.map(\.text)
    applied = Set(descriptions.flatMap(\.appliedScripts))
    walk("", .own, depth: 0)
    // The plugin's own is seen first, however much else there is.
    while let (path, standing, depth) = later.popLast() {
      filesLeft = max(filesLeft, StarterTree.mostFiles / 10)
      walk(path, standing, depth: depth)
    }
    if filesLeft <= 0 { choices.append("there are more files than are looked at: name what is missing here yourself") }
    files.sort { $0.path < $1.path }
    androidFolders = Set(modules.filter { $0.kind != .other }.map(\.folder))
    choose()
    androidApplications = AndroidApplications(modules, manifests, files, descriptions)
    readSources()
    findAndroid()
    // First what has code in its folder: beside a plugin there are tools, packages as it is.
    let all = descriptions.filter { $0.kind != .gradle }
    let described = all.filter(hasCode) + all.filter { !hasCode($0) }
    let frameworks = ProjectDescription.frameworks(files, in: tree)
    if let frameworks { descriptions.append(frameworks) }
    if let named = described.lazy.compactMap(\.name).first {
      name = TreeSurvey.identifier(named)
    } else if let path = projects.taken?.path, !path.contains("/") {
      let project = path.dropLast(".xcodeproj".count)
      name = TreeSurvey.identifier(String(project))
    } else if let named = gradleDescription?.name ?? gradleName {
      name = named
    }
    // Beside sources a framework is somebody else's, and so is its version.
    let hasSources = files.contains { if case .source = $0.kind { true } else { false } }
    let finished = hasSources ? nil : frameworks?.version
    let choice = VersionChoice(described)
    version = choice.version ?? version ?? finished
    if let text = choice.text { choices.append(text) }
  }

  // MARK: - The walk

  private mutating func walk(_ folder: String, _ standing: FolderStanding, depth: Int) {
    let names = ((try? FileSystem.list(tree.absolute(folder))) ?? []).map { $0 }
    for component in names where filesLeft > 0 {
      filesLeft -= 1
      guard let name = StarterTree.plainName(component) else {
        leave(unplain: component, folder, standing)
        continue
      }
      let path = StarterTree.join(folder, name)
      switch tree.kind(path) {
      case .folder?: visit(folder: name, path, standing, depth: depth)
      case .file?: visit(file: name, path, standing)
      case .symlink?:
        if let kind = StarterFile.Kind(name, in: folder, isFolder: false), kind != .header, standing == .own {
          leftOut.add(path, "a link: name what it leads to")
        }
      default: break
      }
    }
  }

  /// A name that a manifest cannot hold as it is.
  private mutating func leave(unplain component: FilePath.Component, _ folder: String, _ standing: FolderStanding) {
    let name = component.string
    guard standing == .own, !name.hasPrefix(".") else { return }
    let path = FilePath(StarterTree.join(folder, name))
    let isFolder = (try? FileSystem.status(of: tree.root.pushing(path)))?.kind == .folder
    guard isFolder || StarterFile.Kind(name, in: folder, isFolder: false) != nil else { return }
    let reader = name.hasPrefix("@") ? "compilers read as a file of options" : "a manifest reads as a pattern"
    leftOut.add(StarterTree.join(folder, printable(name)), "a name that \(reader): give it another")
  }

  private mutating func visit(folder name: String, _ path: String, _ standing: FolderStanding, depth: Int) {
    let own = FolderStanding(path: path)
    let standing = standing == .own ? own ?? .own : standing
    if let kind = StarterFile.Kind(name, in: "", isFolder: true) {
      files.append(StarterFile(path: path, kind: kind, standing: standing))
    } else if name.hasSuffix(".xcodeproj") {
      foundProjects.append((path, standing))
    } else if standing != .documentation, !name.hasSuffix(".xcworkspace"), !name.hasSuffix(".app") {
      if depth >= TreeSurvey.deepest {
        leftOut.add(path, "a folder too deep to be looked into: name what the plugin needs of it")
      } else if own != nil, standing != .own {
        later.insert((path, standing, depth + 1), at: 0)
      } else {
        walk(path, standing, depth: depth + 1)
      }
    }
  }

  private mutating func visit(file name: String, _ path: String, _ standing: FolderStanding) {
    let folder = String(path.dropLast(name.utf8.count + 1))
    if let kind = StarterFile.Kind(name, in: folder, isFolder: false) {
      files.append(StarterFile(path: path, kind: kind, standing: standing))
    }
    if ["build.gradle", "build.gradle.kts"].contains(name), standing != .dependency, standing != .made {
      gradleFolders.append(folder)
    }
    guard standing == .own else { return }
    if name.hasSuffix(".gradle") || name.hasSuffix(".gradle.kts") {
      if applied.contains(path) { return }
      let script = ScriptTokens.read(tree.bytes(path), .gradle)
      if let name = script.value(of: ["rootProject", "name"]) { gradleName = TreeSurvey.identifier(name) }
      let module = GradleModule(script, folder: folder)
      if name.hasPrefix("build.") { modules.append(module) }
      // That of a module is the module's alone.
      if module.kind == .other { version = module.version ?? version }
    } else if name == "Android.mk" {
      nativeScripts.append(path)
    } else if name == "AndroidManifest.xml" {
      manifests.append(AndroidManifestFile(path, tree.bytes(path)))
    }
  }

  // MARK: - The choice

  /// What is the plugin's own; where it has no code of its own, what others have left: a finished library in `vendor` or
  /// `build`.
  private mutating func choose() {
    // A description may name what lies in such a folder: then it is the plugin's.
    let named = Set(descriptions.flatMap(\.libraries))
    files = files.map { file in
      named.contains(file.path) ? StarterFile(path: file.path, kind: file.kind, standing: .own) : file
    }
    var taken = FolderStanding.own
    if !files.contains(where: { $0.standing == .own && $0.isCode }) {
      for standing in [FolderStanding.dependency, .made, .example]
      where files.contains(where: { $0.standing == standing && $0.isBinary }) {
        taken = standing
        break
      }
    }
    if taken != .own, let first = files.first(where: { $0.standing == taken && $0.isBinary }) {
      choices.append(
        "took \(first.path) and what is beside it: there is no code outside of such folders (\(taken.reason))")
    }
    for file in files where file.standing != .own && !(file.standing == taken && file.isBinary) {
      guard file.standing < .documentation else { continue }
      // A library may have been put there by hand, and for good.
      if file.isBinary, file.standing <= .made {
        leftOut.add(file.path, file.standing.reason)
      } else {
        leftOut.add(folder: TreeSurvey.top(of: file), file.standing.reason)
      }
    }
    files.removeAll { $0.standing != .own && !($0.standing == taken && $0.isBinary) }
    projects = ProjectChoice(foundProjects, tree, descriptions, isAndroids: isAmongAndroids)
    for description in descriptions {
      for (name, url) in description.remote where !files.contains(where: { $0.name.hasPrefix(name + ".") }) {
        leftOut.add(description.path, "its \(name) is at \(url): fetch it, and unpack it in the tree")
      }
    }
  }

  /// The outermost folder that has the file's standing.
  private static func top(of file: StarterFile) -> String {
    let parts = file.path.split(separator: "/").map(String.init)
    let ends = parts.indices.dropLast().map { parts[...$0].joined(separator: "/") }
    return ends.first { FolderStanding(path: $0) == file.standing } ?? file.folder
  }

  // MARK: - Sources

  /// In bytes: a class is declared behind imports and comments.
  private static let head = 1 << 17

  private mutating func readSources() {
    /// Classes with a method by which a host makes its own.
    var made: [(name: String, host: StarterHost)] = []
    for file in files {
      guard case .source(let language) = file.kind else {
        if file.kind == .header { sources[file.path] = .c(tree.text(file.path, limit: TreeSurvey.head)[...]) }
        continue
      }
      let text = tree.text(file.path, limit: TreeSurvey.head)
      switch language {
      case .java, .kotlin: readJava(text, file.path)
      case .swift: sources[file.path] = SourceFacts()
      default:
        let facts = SourceFacts.c(text[...])
        sources[file.path] = facts
        for host in StarterHost.all where host.initializers.contains(where: text.contains) {
          if let name = facts.className { made.append((name, host)) }
        }
      }
    }
    let superclasses = sources.values.reduce(into: [String: String]()) { all, facts in
      all.merge(facts.superclasses) { one, other in min(one, other) }
    }
    for (name, candidate) in made where viewController == nil && candidate.mayShow(name, superclasses) {
      (host, viewController) = (candidate, name)
    }
  }

  private mutating func readJava(_ text: String, _ path: String) {
    let facts = SourceFacts.java(text[...])
    sources[path] = facts
    // What a sample shows is the sample's.
    if isOfApplication(path) { return }
    let named = StarterHost.all.first { $0.superclasses.contains(where: text.contains) }
    guard let name = facts.className, let package = facts.package, let superclass = facts.superclass,
      superclass.hasSuffix("Fragment")
    else { return }
    // A class that extends another one of the plugin's has its host's name in that one's file.
    if host == nil, let named { host = named }
    if !facts.isAbstract { fragments.append((path, "\(package).\(name)")) }
  }

  private func hasCode(_ description: ProjectDescription) -> Bool {
    let folder = description.folder
    return files.contains { $0.isCode && (folder.isEmpty || $0.path.hasPrefix(folder + "/")) }
  }

  /// Letters, digits, `.`, `-` and `_`; what else stands in the name is left out.
  static func identifier(_ text: String) -> String {
    let kept = text.filter { $0.isLetter || $0.isNumber || "._-".contains($0) }
    let name = String(kept.drop { $0 == "." || $0 == "-" })
    return name.isEmpty ? "Plugin" : name
  }

  func files(_ isMeant: (StarterFile.Kind) -> Bool) -> [StarterFile] { files.filter { isMeant($0.kind) } }
}
