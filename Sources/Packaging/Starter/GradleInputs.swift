import Artifacts
import Store
import SystemPackage

/// What Gradle reads of the tree when it makes one module, as the inputs of a step: a build that is configured is all of its
/// scripts, and a module is made of what it needs. What Gradle makes itself lies between its sources, in `build` of each
/// module; so folders are named one by one.
struct GradleInputs: Sendable {
  /// Sorted; none lies in another one's folder, and each has something that it matches.
  var patterns: [String] { (scripts + folders.map { $0.isEmpty ? "**" : $0 + "/**" } + files).sorted() }

  /// Of scripts and settings in one folder.
  private var scripts: [String] = []
  /// With all that is below them.
  private var folders: [String] = []
  private var files: [String] = []
  /// Files and folders outside of the module that its scripts name, or run.
  private var named: Set<String> = []

  /// More modules, folders and names are no plugin's own.
  private static let most = 200
  private var foldersLeft = 2 * GradleInputs.most
  private var namesLeft = 50 * GradleInputs.most

  private let survey: TreeSurvey
  private let root: String
  private var tree: StarterTree { survey.tree }

  /// `root`: the folder that Gradle runs in.
  init(_ module: GradleModule, root: String, _ survey: TreeSurvey) {
    self.survey = survey
    self.root = root
    addScripts(of: root, others: ["gradlew"])
    addFolder(StarterTree.join(root, "gradle"))
    let settings = GradleBuild.settings.map { tree.bytes(StarterTree.join(root, $0)) }
    let text = settings.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    // Every module that is included is configured, whoever needs it.
    for folder in scriptFolders(in: root) where text.contains(folder.split(separator: "/").last ?? "") {
      addScripts(of: folder)
    }
    for name in ["buildSrc"] + GradleInputs.included(settings.flatMap { ScriptTokens.read($0, .gradle) }) {
      guard let folder = NamedFiles.normalized(name, in: root), tree.isFolder(folder) else { continue }
      // A build's own tools are no part of what it makes.
      named.insert(folder)
      for part in [folder] + scriptFolders(in: folder) {
        addScripts(of: part)
        addContents(of: part)
      }
    }
    let needed = needs(of: module)
    for module in needed {
      addScripts(of: module.folder)
      addContents(of: module.folder)
    }
    addNamed(by: Set(needed.map(\.folder) + [root]), module)
  }

  /// Whether a file has to do with the module alone, though it lies elsewhere: its scripts name it, or its folder.
  func isNamed(_ path: String) -> Bool { named.contains(path) || named.contains { path.hasPrefix($0 + "/") } }

  /// More are shown to no command one by one.
  var areMany: Bool { folders.reduce(files.count) { $0 + tree.below($1).count } > 240 }

  // MARK: - Modules

  private func scriptFolders(in folder: String) -> [String] {
    let found = survey.gradleFolders.lazy.filter { $0 != folder && (folder.isEmpty || $0.hasPrefix(folder + "/")) }
    return Array(found.prefix(GradleInputs.most))
  }

  /// The module, and those that it is not made without.
  private func needs(of module: GradleModule) -> [GradleModule] {
    var needed = [module]
    var names = Set(module.needs)
    let others = Set(scriptFolders(in: root) + [root]).subtracting([module.folder])
    var left = survey.modules.filter { others.contains($0.folder) }
    while let index = left.firstIndex(where: {
      names.contains($0.folder.split(separator: "/").last.map(String.init) ?? "")
    }) {
      let found = left.remove(at: index)
      names.formUnion(found.needs)
      needed.append(found)
    }
    return needed
  }

  /// `includeBuild("build-logic")`
  private static func included(_ tokens: [ScriptTokens.Token]) -> [String] {
    let places = tokens.indices.lazy.filter { tokens[$0] == .word("includeBuild") }.prefix(most / 10)
    return places.compactMap { tokens[at: $0 + 1]?.text ?? tokens[at: $0 + 2]?.text }
  }

  // MARK: - Files

  private static let endings = ["gradle", "kts", "properties", "toml", "pro", "mk", "cmake"]

  private mutating func addScripts(of folder: String, others: [String] = []) {
    // Once, with the wrapper's own.
    if folder == root, others.isEmpty { return }
    let names = Set(tree.names(folder))
    let found = (others + ["CMakeLists.txt"]).filter(names.contains)
    let choices =
      found + GradleInputs.endings.filter { ending in names.contains { $0.hasSuffix("." + ending) } }.map { "*.\($0)" }
    guard !choices.isEmpty else { return }
    let pattern = StarterTree.join(folder, choices.count == 1 ? choices[0] : "{\(choices.joined(separator: ","))}")
    if !scripts.contains(pattern) { scripts.append(pattern) }
  }

  /// What a module is made of: its folders, but those of other modules, what is made in it, and what only tests see.
  private mutating func addContents(of folder: String) {
    for name in tree.names(folder) where tree.isFolder(StarterTree.join(folder, name)) {
      let path = StarterTree.join(folder, name)
      if name != "src" {
        addFolder(path, in: folder)
      } else {
        for set in tree.names(path) { addFolder(StarterTree.join(path, set), in: folder) }
      }
    }
  }

  /// `module`: what is the module's as a whole; nil: a folder that somebody named.
  private mutating func addFolder(_ path: String, in module: String? = nil) {
    if module != nil {
      let standing = FolderStanding(path: path) ?? .own
      guard standing == .own || standing == .dependency, !path.hasSuffix("node_modules") else { return }
      // Beside a module that is the tree's root there is all the rest of the tree.
      switch PathSystem("\(path.split(separator: "/").last ?? "")/_") {
      case .apple, .other: return
      default: break
      }
    }
    guard !isCovered(path), foldersLeft > 0, tree.isFolder(path) else { return }
    foldersLeft -= 1
    if survey.gradleFolders.contains(path) { return }
    if !scriptFolders(in: path).isEmpty {
      addScripts(of: path)
      for name in tree.names(path) { addFolder(StarterTree.join(path, name), in: module) }
      return
    }
    let has = tree.below(path).contains { !$0.name.split(separator: "/").contains { $0.hasPrefix(".") } }
    guard has else { return }
    folders.removeAll { $0.hasPrefix(path + "/") }
    files.removeAll { $0.hasPrefix(path + "/") }
    folders.append(path)
  }

  private func isCovered(_ path: String) -> Bool { folders.contains { path == $0 || path.hasPrefix($0 + "/") } }

  // MARK: - What scripts name

  /// Scripts and sources elsewhere that scripts name in so many words: `apply from: '../versions.gradle'`.
  private mutating func addNamed(by folders: Set<String>, _ module: GradleModule) {
    for folder in folders.sorted() {
      for name in tree.names(folder) where name.hasSuffix(".gradle") || name.hasSuffix(".gradle.kts") {
        let texts = ScriptTokens.read(tree.bytes(StarterTree.join(folder, name)), .gradle).compactMap(\.path)
        for text in Set(texts).sorted() where namesLeft > 0 {
          namesLeft -= 1
          // A path is relative to the script, or made by the root project.
          for base in Set([folder, root]).sorted() {
            guard let path = NamedFiles.normalized(text, in: base), text.contains("/") || tree.isFile(path)
            else { continue }
            add(path, isOwn: folder == module.folder || folder == root, module)
          }
        }
      }
    }
    for path in NativeScripts(of: module.folder, tree).named { add(path, isOwn: true, module) }
  }

  private mutating func add(_ path: String, isOwn: Bool, _ module: GradleModule) {
    let isMade = path.split(separator: "/").map(String.init).contains { name in
      name == "node_modules" || name.hasPrefix(".") || [.made, .test].contains(FolderStanding(folder: name))
    }
    // What leads up to the module has all that is beside it.
    let isAbove = [module.folder, root].contains { ($0 + "/").hasPrefix(path + "/") }
    guard !isMade, !isAbove, !Glob.isPattern(path) else { return }
    if tree.isFolder(path) {
      addFolder(path)
    } else if tree.isFile(path), !isCovered(path), !files.contains(path) {
      let isScript = scripts.contains { (try? Glob($0))?.matches(FilePath(path)) ?? false }
      if !isScript { files.append(path) }
    }
    if isOwn, isCovered(path) || files.contains(path) { named.insert(path) }
  }
}

extension ScriptTokens.Token {
  /// `config/lint.xml`, also of `"$rootDir/config/lint.xml"`.
  fileprivate var path: String? {
    switch self {
    case .text(let text): return text
    case .computed(let text):
      guard text.hasPrefix("$"), let slash = text.firstIndex(of: "/"), !text[slash...].contains("$") else { return nil }
      return String(text[text.index(after: slash)...])
    default: return nil
    }
  }
}
