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
  private(set) var version: String?
  /// What may be the plugin's; what is not taken for it is in `leftOut`.
  private(set) var files: [StarterFile] = []
  /// What is there and is not looked at further, and why.
  private(set) var leftOut = NotPacked()
  /// Of Xcode.
  private(set) var projects: ProjectChoice
  /// Of the sources among `files`.
  private(set) var sources: [String: SourceFacts] = [:]
  /// The host whose words stand in a source.
  private(set) var host: StarterHost?
  /// The class that the host makes first, if a source file shows it.
  private(set) var viewController: String?
  private(set) var fragment: String?
  private(set) var android = AndroidSearch.Outcome.nothing
  private(set) var androidApplications = AndroidApplications()
  /// What the files that describe the plugin for package managers say.
  private(set) var descriptions: [ProjectDescription] = []
  /// One that cannot be read may say all that is missing here.
  private(set) var hasUnread = false
  /// What was taken where there was a choice, and why: for the user.
  private(set) var choices: [String] = []

  let tree: StarterTree
  private var modules: [GradleModule] = []
  private var manifests: [AndroidManifestFile] = []
  /// Where they are, and the names of their classes.
  private var fragments: [(path: String, name: String)] = []
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
    projects = ProjectChoice([], tree, [])
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
    choose()
    androidApplications = AndroidApplications(modules, manifests, files, descriptions)
    readSources()
    findAndroid()
    let described = descriptions.filter { $0.kind != .gradle }
    let frameworks = ProjectDescription.frameworks(files, in: tree)
    if let frameworks { descriptions.append(frameworks) }
    if let named = described.lazy.compactMap(\.name).first {
      name = TreeSurvey.identifier(named)
    } else if let path = projects.taken?.path, !path.contains("/") {
      let project = path.dropLast(".xcodeproj".count)
      name = TreeSurvey.identifier(String(project))
    } else if let gradleName {
      name = gradleName
    }
    // Beside sources a framework is somebody else's, and so is its version.
    let hasSources = files.contains { if case .source = $0.kind { true } else { false } }
    let finished = hasSources ? nil : frameworks?.version
    let choice = VersionChoice(described)
    version = choice.version ?? version ?? gradleVersion ?? finished
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
    guard standing == .own else { return }
    if (name.hasSuffix(".gradle") || name.hasSuffix(".gradle.kts")), !applied.contains(path) {
      readGradle(tree.text(path))
      if name.hasPrefix("build.") { modules.append(GradleModule(tree.text(path), folder: folder)) }
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
    projects = ProjectChoice(foundProjects, tree, descriptions)
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

  private mutating func readGradle(_ text: String) {
    version = GradleModule.version(text) ?? version
    if let name = text.firstMatch(of: #/rootProject\.name\s*=\s*["']([^"']+)["']/#) {
      gradleName = TreeSurvey.identifier(String(name.1))
    }
  }

  /// Of the module that is packed, as its own and other scripts say together.
  private var gradleVersion: String? {
    guard case .library(let library, _) = android else { return nil }
    return descriptions.first { $0.kind == .gradle && $0.folder == library.base }?.version
  }

  /// Letters, digits, `.`, `-` and `_`; what else stands in the name is left out.
  static func identifier(_ text: String) -> String {
    let kept = text.filter { $0.isLetter || $0.isNumber || "._-".contains($0) }
    let name = String(kept.drop { $0 == "." || $0 == "-" })
    return name.isEmpty ? "Plugin" : name
  }

  func files(_ isMeant: (StarterFile.Kind) -> Bool) -> [StarterFile] { files.filter { isMeant($0.kind) } }
}

// The Android half of the tree.
extension TreeSurvey {
  private mutating func findAndroid() {
    let packages = sources.compactMap { path, facts in facts.package.map { (path, $0) } }.sorted { $0.0 < $1.0 }
    android = AndroidSearch(
      tree: tree, modules: modules, manifests: manifests, fragments: fragments.map(\.path), packages: packages
    ).find()
    guard case .library(let library, _) = android else {
      fragment = host == nil ? nil : fragments.first?.name
      return
    }
    let prefix = library.base.isEmpty ? "" : library.base + "/"
    // What only an application has is not in the AAR.
    let apps = modules.filter { $0.kind == .application && !$0.folder.isEmpty }.map { $0.folder + "/" }
    let found =
      fragments.first { $0.path.hasPrefix(prefix) }
      ?? fragments.first { fragment in !apps.contains { fragment.path.hasPrefix($0) } }
    fragment = host == nil ? nil : found?.name
    let isOfApp = modules.contains { $0.kind == .application && $0.version == version }
    version = library.module?.version ?? library.manifestVersion ?? (isOfApp ? nil : version)
  }

  /// Whether a path is in one of Android's folders: those of its modules, and those that only Android has.
  func isAndroids(_ path: String) -> Bool {
    var folders = modules.filter { $0.kind != .other }.map(\.folder)
    if case .library(let library, _) = android { folders += [library.base, library.folder] }
    let parts = path.split(separator: "/")
    return folders.contains { !$0.isEmpty && (path + "/").hasPrefix($0 + "/") }
      || parts.contains { AndroidABI(rawValue: String($0))?.isOnlyAndroids == true }
      || parts.starts(with: ["src", "main"])
      || PathSystem(path) == .android
  }

  /// Whether a path is in an application's folder: the plugin is a library.
  func isOfApplication(_ path: String) -> Bool { androidApplications.contains(path) }
}

extension AndroidABI {
  /// Apple has an architecture of that one name, too.
  fileprivate var isOnlyAndroids: Bool { self != .x86_64 }
}
