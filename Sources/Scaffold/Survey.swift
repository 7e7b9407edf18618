import Findings
import SystemPackage

/// What of a tree is packed, what is left out, and what it is called.
struct Survey: Sendable {
  let tree: SourceTree
  /// The files that the root's package owns.
  let files: [SourceTree.File]
  let identity: Identity
  private(set) var apple: AppleParts
  private(set) var android: AndroidParts
  let target: XcodeTarget?
  /// Resource bundles that go with the code for iOS.
  private(set) var bundles: [String] = []
  private(set) var left: [LeftOut]

  init(_ tree: SourceTree, _ answers: Answers) throws(Refusal) {
    self.tree = tree
    let own = tree.own
    let packages = try Packages(in: tree)
    try packages.check(own.filter(SourceLanguage.isCode), answers)
    let files = own.filter { (packages.owner(of: $0.path) ?? "").isEmpty }
    self.files = files
    left = tree.unnameable.map { LeftOut($0.name, $0.reason) }
    apple = try AppleParts(files, tree, answers)
    android = try AndroidParts(files, packages, tree, answers)
    let projects = XcodeProjects(files, packages, tree, answers)
    target = try projects.choose(beside: apple.taken, packages, answers)
    let sources = Survey.unbuilt(files, android, target)
    let folder = tree.root.lastComponent?.string ?? ""
    Survey.takeBack(
      &apple, &android, beside: sources, called: packages.root.compactMap(\.name?.text) + [folder],
      in: packages.isBuiltByHost ? [] : files.filter(\.isPackageList).map { PlainValues(tree.bytes($0.path)) }, answers)
    identity = try Identity(
      packages.root, Survey.hints(apple, android, target, files, tree), folder: folder, answers)
    left += projects.left
    try addBundles(answers)
    left += apple.left + android.left
    addElsewhere(tree)
    addSources(sources)
  }

  var isEmpty: Bool {
    apple.taken.isEmpty && target == nil && android.archives.isEmpty && android.module == nil && android.loose == nil
  }

  /// Whether the user can have meant something of the tree.
  func knows(_ take: String) -> Bool {
    tree.isFile(take) || tree.isFolder(take) || take == target?.name || take == android.module?.name
      || identity.isCalled(take)
  }

  /// What says a name or a version where no package's description does.
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
    hints.versions += apple.taken.compactMap { part in
      part.version.map { PackageDescription.Statement(text: $0, place: part.path) }
    }
    let parts = apple.taken.map(\.path) + android.archives
    if parts.count == 1, !PathText.stem(parts[0]).utf8.contains(where: { (0x30...0x39).contains($0) }) {
      hints.names.append(PackageDescription.Statement(text: PathText.stem(parts[0]), place: parts[0]))
    }
    return hints
  }

  /// The sources that no build which is taken compiles.
  private static func unbuilt(
    _ files: [SourceTree.File], _ android: AndroidParts, _ target: XcodeTarget?
  ) -> [(file: SourceTree.File, language: SourceLanguage)] {
    let modules = Set(android.moduleFolders + android.applications)
    return files.compactMap { file in
      guard let language = SourceLanguage(file), target == nil || language == .java else { return nil }
      return PathText.isBelow(file.path, anyOf: modules) ? nil : (file, language)
    }
  }

  /// Finished parts beside sources that nothing builds are what these need, and not the plugin: unless a part has a name of the
  /// plugin's, or a podspec or Swift package at the root names it, or the user.
  private static func takeBack(
    _ apple: inout AppleParts, _ android: inout AndroidParts,
    beside sources: [(file: SourceTree.File, language: SourceLanguage)], called names: [String],
    in lists: [PlainValues], _ answers: Answers
  ) {
    func key(_ text: String) -> String { FolderStanding.words(PathText.name(text)).joined() }
    let keys = Set(names.map(key)).subtracting([""])
    func isMeant(_ path: String) -> Bool {
      answers.names(path) || keys.contains(key(PathText.stem(path)))
        || lists.contains { $0.hasLine(with: [PathText.name(path)]) }
    }
    let reason = "sources beside it are built by nothing here, so that it may be what they need; --take packs it alone"
    if sources.contains(where: { [.objectiveC, .swift].contains($0.language) }) {
      apple.drop(reason) { !isMeant($0.path) }
    }
    if android.module == nil, sources.contains(where: { $0.language == .java }) {
      android.drop(reason) { !isMeant($0) }
    }
  }

  /// Bundles that are called as the plugin or a part of it, or lie beside a part.
  private mutating func addBundles(_ answers: Answers) throws(Refusal) {
    guard !apple.taken.isEmpty || target != nil else { return }
    let names = Set(
      ([identity.name, target.map { PathText.stem($0.product) }] + apple.taken.map(\.stem)).compactMap {
        $0?.lowercased()
      })
    let folders = Set(apple.taken.map { PathText.folder($0.path) })
    var found: [String] = []
    for file in files where file.isFolder && file.ending == "bundle" {
      let isMeant = names.contains(PathText.stem(file.path).lowercased()) || folders.contains(file.folder)
      if isMeant || answers.names(file.path) {
        found.append(file.path)
      } else {
        left.append(LeftOut(file.path, "nothing says that it is the plugin's; --take with its path packs it"))
      }
    }
    let byName = Dictionary(grouping: found) { PathText.name($0).lowercased() }
    for twins in byName.sorted(by: { $0.key < $1.key }).map(\.value) {
      let chosen = try answers.choose(
        twins.map { Answers.Candidate(name: $0, path: $0) },
        "\(printable(PathText.name(twins[0]))) is here \(twins.count) times")
      bundles += chosen.map { twins[$0] }
    }
  }

  /// Finished parts in folders that are not the plugin's own, and what would be lost.
  private mutating func addElsewhere(_ tree: SourceTree) {
    let parts: Set<String> = ["a", "framework", "xcframework", "aar"]
    for file in tree.files where file.standing != .own && parts.contains(file.ending) {
      left.append(LeftOut(file.path, "\(file.standing.reason); --take with its path packs it"))
    }
    for file in files where file.name == "PrivacyInfo.xcprivacy" && !apple.taken.isEmpty {
      left.append(LeftOut(file.path, "beside a static library it is lost: put it into a resource bundle"))
    }
    if tree.isCut { left.append(LeftOut(".", "only the first \(SourceTree.mostFiles) files were looked at")) }
  }

  private mutating func addSources(_ sources: [(file: SourceTree.File, language: SourceLanguage)]) {
    struct Group: Hashable, Comparable {
      let folder, language: String
      static func < (one: Group, other: Group) -> Bool { (one.folder, one.language) < (other.folder, other.language) }
    }
    let groups = Dictionary(grouping: sources) { source in
      Group(folder: PathText.names(source.file.folder).first ?? ".", language: source.language.rawValue)
    }
    for (group, files) in groups.sorted(by: { $0.key < $1.key }) {
      let count = files.count == 1 ? "1 file" : "\(files.count) files"
      left.append(LeftOut(group.folder, "\(count) of \(group.language) \(FirstManifest.unbuilt)"))
    }
  }
}

extension SourceTree.File {
  /// A podspec or Swift's `Package.swift` at the root.
  fileprivate var isPackageList: Bool {
    folder.isEmpty && !isFolder && (name == "Package.swift" || ending == "podspec")
  }
}

/// The projects of Xcode in a tree and their targets for iOS.
struct XcodeProjects: Sendable {
  private var targets: [XcodeTarget] = []
  private(set) var left: [LeftOut] = []

  /// More projects are not looked into.
  private static let most = 16

  init(_ files: [SourceTree.File], _ packages: Packages, _ tree: SourceTree, _ answers: Answers) {
    for project in files.filter({ $0.ending == "xcodeproj" }).map(\.path).prefix(XcodeProjects.most) {
      if packages.isBuiltByHost, !answers.names(project) {
        left.append(LeftOut(project, "the host's own tools compile its sources, with what the host brings"))
        continue
      }
      let found = XcodeTarget.all(of: project, in: tree)
      targets += found.targets
      left += found.left
    }
  }

  /// The only target, the one that is called as the plugin, or the one that the user named; nil where finished parts are packed.
  func choose(beside parts: [ApplePart], _ packages: Packages, _ answers: Answers) throws(Refusal) -> XcodeTarget? {
    if targets.isEmpty || parts.contains(where: { answers.names($0.path) }) { return nil }
    let names = packages.root.compactMap(\.name?.text)
    let called = targets.filter { names.contains($0.name) }
    if parts.isEmpty, called.count == 1 { return called[0] }
    let candidates =
      targets.map { Answers.Candidate(name: $0.name, path: $0.project) }
      + parts.map { Answers.Candidate(name: $0.path, path: $0.path) }
    let question =
      parts.isEmpty
      ? "Xcode makes \(targets.count) libraries for iOS here"
      : "finished code for iOS is here, and a project of Xcode's that makes some"
    let index = try answers.choose(candidates, question)[0]
    return index < targets.count ? targets[index] : nil
  }
}

/// The languages that a plugin's own code is written in.
enum SourceLanguage: String, Sendable {
  case c = "C and C++"
  case objectiveC = "Objective-C"
  case swift = "Swift"
  case java = "Java and Kotlin"

  init?(_ file: SourceTree.File) {
    guard !file.isFolder, file.name != "Package.swift" else { return nil }
    switch file.ending {
    case "c", "cc", "cpp", "cxx": self = .c
    case "m", "mm": self = .objectiveC
    case "swift": self = .swift
    case "java", "kt": self = .java
    default: return nil
    }
  }

  /// Whether a file is code of a plugin, finished or not.
  static func isCode(_ file: SourceTree.File) -> Bool {
    ["a", "framework", "xcframework", "aar"].contains(file.ending) || SourceLanguage(file) != nil
  }
}
