import Documents
import Findings
import SystemPackage

/// The parts of a tree that are packed, those that are left out, and the plugin's identity.
struct Survey: Sendable {
  let tree: SourceTree
  /// The files of the root package.
  let files: [SourceTree.File]
  let identity: Identity
  private(set) var apple: AppleParts
  private(set) var android: AndroidParts
  let target: XcodeTarget?
  /// Resource bundles for the iOS code.
  private(set) var bundles: [String] = []
  private(set) var left: [LeftOut]

  init(_ tree: SourceTree, _ answers: Answers) throws(Refusal) {
    self.tree = tree
    guard tree.unread.isEmpty else {
      throw Refusal(
        "not all of the tree can be looked at: it may hold more plugins, or copies",
        notes: tree.unread.map { "\(printable($0.path)): \($0.reason)" }, hint: "run it in the plugin's own folder")
    }
    let own = tree.own
    let packages = try Packages(in: tree)
    try packages.check(own.filter(SourceLanguage.isCode), answers)
    let files = own.filter { (packages.owner(of: $0.path) ?? "").isEmpty }
    self.files = files
    left = tree.unnameable.map { LeftOut($0.name, $0.reason) }
    let lists = packages.isBuiltByHost ? [] : Survey.named(by: files.filter(\.isPackageList), tree)
    apple = try AppleParts(files, tree, lists, answers)
    android = try AndroidParts(files, packages, tree, answers)
    let projects = XcodeProjects(files, packages, tree, answers)
    target = try projects.choose(beside: &apple, packages, answers)
    let sources = Survey.unbuilt(files, android, target, tree)
    let folder = tree.root.lastComponent?.string ?? ""
    Survey.takeBack(
      &apple, &android, beside: sources,
      called: packages.isBuiltByHost ? [] : packages.root.compactMap(\.name?.text) + [folder],
      in: lists, answers)
    identity = try Identity(
      packages.root, Survey.hints(apple, android, target, files, tree), folder: folder, answers)
    left += projects.left
    try addBundles(answers)
    left += apple.left + android.left
    let isStatic = apple.taken.contains { $0.form == .library } || target?.isStatic == true
    if isStatic { left += LeftOut.looseResources(files, tree) }
    if android.loose == nil {
      left += LeftOut.looseJava(files, modules: Set(android.moduleFolders + android.applications))
    }
    left += LeftOut.elsewhere(tree) + LeftOut.sources(sources)
  }

  var isEmpty: Bool {
    apple.taken.isEmpty && target == nil && android.archives.isEmpty && android.module == nil && android.loose == nil
  }

  /// Whether an answer of the user matches anything in the tree.
  func knows(_ take: String) -> Bool {
    let isThere = tree.files.contains { $0.isCandidate && PathText.isBelow($0.path, take) }
    return isThere || take == target?.name || take == android.module?.name || identity.isCalled(take)
  }

  /// Names and versions for packages whose descriptions have none.
  private static func hints(
    _ apple: AppleParts, _ android: AndroidParts, _ target: XcodeTarget?, _ files: [SourceTree.File],
    _ tree: SourceTree
  ) -> Identity.Hints {
    var hints = GradleHints.read(android.module, files, tree)
    if let target {
      hints.names.insert(
        PackageDescription.Statement(text: PathText.stem(target.product), place: target.project), at: 0)
      if let version = target.version {
        hints.versions.append(PackageDescription.Statement(text: version, place: target.project))
      }
    }
    if android.module == nil, target == nil {
      let versions = apple.taken.compactMap { part in
        part.version.map { PackageDescription.Statement(text: $0, place: part.path) }
      }
      if versions.count == apple.taken.count { hints.versions = versions }
    }
    let parts = apple.taken.map(\.path) + android.archives
    if parts.count == 1, !PathText.stem(parts[0]).utf8.contains(where: { (0x30...0x39).contains($0) }) {
      hints.names.append(PackageDescription.Statement(text: PathText.stem(parts[0]), place: parts[0]))
    }
    return hints
  }

  /// A source file with fewer bytes has no code worth mentioning.
  private static let stub = 128

  /// The sources that none of the packed builds compiles.
  private static func unbuilt(
    _ files: [SourceTree.File], _ android: AndroidParts, _ target: XcodeTarget?, _ tree: SourceTree
  ) -> [(file: SourceTree.File, language: SourceLanguage)] {
    // These folders are built together with the packed module.
    let modules = android.module == nil ? [] : Set(android.moduleFolders + android.applications)
    let isPackage = files.contains { $0.path == "Package.swift" }
    return files.compactMap { file in
      guard let language = SourceLanguage(file), target == nil || language == .java else { return nil }
      // Swift requires a source file in each target of a package, and targets for binaries have an empty one.
      if isPackage, language == .swift, tree.size(file.path) < stub { return nil }
      return PathText.isBelow(file.path, anyOf: modules) ? nil : (file, language)
    }
  }

  /// Leaves out finished parts beside sources that nothing builds: these are dependencies of the sources and not the
  /// plugin, unless a part has one of the plugin's names, or a podspec or Swift package at the root or the user names
  /// it.
  private static func takeBack(
    _ apple: inout AppleParts, _ android: inout AndroidParts,
    beside sources: [(file: SourceTree.File, language: SourceLanguage)], called names: [String],
    in lists: Set<String>, _ answers: Answers
  ) {
    func key(_ text: String) -> String { FolderStanding.words(PathText.name(text)).joined() }
    let keys = Set(names.map(key)).subtracting([""])
    func isMeant(_ path: String) -> Bool {
      answers.names(path) || keys.contains(key(PathText.stem(path)))
        || lists.contains(PathText.name(path))
    }
    let reason = "sources beside it are built by nothing here, so that it may be what they need; --take packs it alone"
    if sources.contains(where: { $0.language != .java }) { apple.drop(reason) { !isMeant($0.path) } }
    if android.module == nil, sources.contains(where: { $0.language == .java }) {
      android.drop(reason) { !isMeant($0) }
      android.dropLoose(reason)
    }
  }

  /// The files that podspecs and Swift packages name, if these describe no sources: then the files are the package.
  private static func named(by lists: [SourceTree.File], _ tree: SourceTree) -> Set<String> {
    lists.reduce(into: []) { names, file in
      let values = PlainValues(tree.bytes(file.path))
      if !values.hasLine(with: ["source_files"]), !values.hasLine(with: [".target("]) {
        names.formUnion(values.quotedNames)
      }
    }
  }

  /// Adds bundles whose names begin with the name of the plugin or of a part.
  private mutating func addBundles(_ answers: Answers) throws(Refusal) {
    guard !apple.taken.isEmpty || target != nil else { return }
    let names = [identity.name, target.map { PathText.stem($0.product) } ?? identity.name] + apple.taken.map(\.stem)
    let keys = names.map { Array($0.lowercased().utf8) }.filter { !$0.isEmpty }
    var found: [String] = []
    for file in files where file.isFolder && file.ending == "bundle" {
      let stem = Array(PathText.stem(file.path).lowercased().utf8)
      if answers.names(file.path) || keys.contains(where: stem.starts) {
        found.append(file.path)
      } else {
        left.append(LeftOut(file.path, "nothing says that it is the plugin's; --take with its path packs it"))
      }
    }
    let byName = Dictionary(grouping: found) { PathText.name($0).lowercased() }
    for twins in byName.sorted(by: { $0.key < $1.key }).map(\.value) {
      let chosen = try answers.choose(
        twins.map { Answers.Candidate($0) },
        "\(printable(PathText.name(twins[0]))) is here \(twins.count) times")
      if let chosen { bundles.append(twins[chosen]) }
    }
  }
}

extension SourceTree.File {
  /// Whether it can be an answer of the user: a part, a project, a bundle, a module's script or a manifest.
  fileprivate var isCandidate: Bool {
    ["a", "framework", "xcframework", "aar", "bundle", "xcodeproj", "podspec"].contains(ending)
      || GradleModule.isScript(name) || name == "AndroidManifest.xml"
  }

  /// A podspec or Swift's `Package.swift` at the root.
  fileprivate var isPackageList: Bool {
    folder.isEmpty && !isFolder && (name == "Package.swift" || ending == "podspec")
  }
}
