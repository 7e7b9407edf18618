import Documents
import Findings
import ObjectFiles
import Store

/// Finished code for Apple's systems: a static library, a framework or an XCFramework, judged by its binary.
struct ApplePart: Sendable {
  enum Form: Sendable { case library, framework, xcframework }

  let path: String
  let form: Form
  /// Whether it has code for devices; otherwise it is for simulators only.
  let isForDevices: Bool
  /// The version in a framework's Info.plist; nil if there are several.
  let version: String?

  var name: String { PathText.name(path) }
  var stem: String { PathText.stem(path) }
  /// The same for copies of one library in several forms.
  var key: String { CopyKey.of(path) }

  /// Nil if the file's name is of another kind.
  init?(_ file: SourceTree.File, in tree: SourceTree) throws(Unfit) {
    let path = file.path
    self.path = path
    switch (file.ending, file.isFolder) {
    case ("xcframework", true):
      form = .xcframework
      let libraries = try ApplePart.libraries(path, tree)
      let phones = libraries.filter { $0["SupportedPlatform"]?.text == "ios" }
      guard !phones.isEmpty else { throw Unfit(reason: "it has no code for iOS") }
      isForDevices = phones.contains { $0["SupportedPlatformVariant"] == nil }
      let versions = Set(phones.compactMap { ApplePart.version(of: $0, in: path, tree) })
      version = versions.count == 1 ? versions.first : nil
    case ("framework", true):
      form = .framework
      let name = PathText.stem(path)
      let binaries = [name, "Versions/A/\(name)"].map { PathText.join(path, $0) }
      guard let binary = binaries.first(where: tree.isFile) else { throw Unfit(reason: "there is no code in it") }
      isForDevices = try ApplePart.isForDevices(binary, tree)
      version = ApplePart.version(plist: PathText.join(path, "Info.plist"), tree)
    case ("a", false):
      form = .library
      isForDevices = try ApplePart.isForDevices(path, tree)
      version = nil
    default: return nil
    }
  }

  /// The libraries that an XCFramework lists, all of which have to exist.
  private static func libraries(_ path: String, _ tree: SourceTree) throws(Unfit) -> [PropertyList] {
    guard let plist = try? PropertyList.read(tree.bytes(PathText.join(path, "Info.plist"))),
      let list = plist["AvailableLibraries"]?.list, !list.isEmpty
    else { throw Unfit(reason: "its Info.plist lists no libraries") }
    for library in list {
      guard let place = place(of: library, in: path) else { throw Unfit(reason: "its Info.plist lacks keys") }
      guard tree.isFile(place) || tree.isFolder(place) else {
        throw Unfit(reason: "\(PathText.name(place)) is listed in its Info.plist and is not there")
      }
      let binary = tree.isFile(place) ? place : PathText.join(place, PathText.stem(place))
      if tree.isPointer(binary) { throw Unfit.pointer }
    }
    return list
  }

  private static func place(of library: PropertyList, in path: String) -> String? {
    guard let folder = library["LibraryIdentifier"]?.text, let name = library["LibraryPath"]?.text else { return nil }
    return PathText.resolved("\(path)/\(folder)/\(name)")
  }

  private static func version(of library: PropertyList, in path: String, _ tree: SourceTree) -> String? {
    place(of: library, in: path).flatMap { version(plist: PathText.join($0, "Info.plist"), tree) }
  }

  private static func version(plist: String, _ tree: SourceTree) -> String? {
    guard let info = try? PropertyList.read(tree.bytes(plist)) else { return nil }
    return info["CFBundleShortVersionString"]?.text
  }

  /// Judged by the slices of the code. ARM code without a platform is older than the load command for it, and is for
  /// iOS.
  private static func isForDevices(_ path: String, _ tree: SourceTree) throws(Unfit) -> Bool {
    if tree.isPointer(path) { throw Unfit.pointer }
    guard let mapped = try? MappedFile.open(tree.absolute(path)) else { throw Unfit(reason: "it cannot be read") }
    let facts = mapped.withBytes { CodeFacts(ByteReader($0)) }
    guard !facts.slices.isEmpty else {
      if case .archive = facts.kind { throw Unfit(reason: "it holds no code for Apple's systems") }
      throw Unfit(reason: "it is \(facts.kind), and no code for Apple's systems")
    }
    let platforms = facts.slices.map { slice -> Platform in
      let isIntel = slice.architecture.cpu == .x86_64 || slice.architecture.cpu == .i386
      let platform = slice.builds.first?.platform ?? .iOS
      // Simulators had no platform of their own at first, so Intel code for iOS is for simulators.
      return platform == .iOS && isIntel ? .iOSSimulator : platform
    }
    guard platforms.contains(.iOS) || platforms.contains(.iOSSimulator) else {
      let names = Set(platforms.map(\.description)).sorted().joined(separator: ", ")
      throw Unfit(reason: "it is for \(names), and not for iOS")
    }
    return platforms.contains(.iOS)
  }
}

/// The finished parts of a tree for iOS apps.
struct AppleParts: Sendable {
  private(set) var taken: [ApplePart] = []
  private(set) var left: [LeftOut] = []

  /// More than any plugin has.
  static let most = 256

  /// - Parameter lists: the names in the root's podspecs and Swift package, which select one of several forms.
  init(
    _ files: [SourceTree.File], _ tree: SourceTree, _ lists: Set<String>, _ answers: Answers
  ) throws(Refusal) {
    for file in files {
      do throws(Unfit) {
        if let part = try ApplePart(file, in: tree) { taken.append(part) }
      } catch {
        left.append(LeftOut(file.path, error.reason))
      }
    }
    // A part that the user named replaces its copies.
    let named = Set(taken.filter { answers.names($0.path) }.map(\.path))
    let keys = Set(taken.filter { named.contains($0.path) }.map(\.key))
    drop("--take names another copy") { !named.contains($0.path) && keys.contains($0.key) }
    // A copy for simulators is left out beside one for devices, and so are the frameworks that an XCFramework was made
    // of.
    let forDevices = Set(taken.filter(\.isForDevices).map(\.key))
    drop("the copy for devices is packed") { !$0.isForDevices && forDevices.contains($0.key) }
    drop("it is for simulators only") { !$0.isForDevices }
    let whole = Set(taken.filter { $0.form == .xcframework }.map(\.key))
    drop("an XCFramework of that name is packed") { $0.form != .xcframework && whole.contains($0.key) }
    guard taken.count <= AppleParts.most else { throw Refusal.tooMany(taken.count, "libraries and frameworks") }
    // Copies of one library cannot be packed beside each other.
    let twins = Dictionary(grouping: taken, by: \.key).values.filter { $0.count > 1 }
    if let first = twins.min(by: { $0[0].path < $1[0].path }) {
      throw answers.refusal("\(first.count) copies of \(printable(first[0].stem)) are here", first.map(\.path))
    }
    // Libraries and frameworks may be the same code in two forms, which must not both be packed.
    if Set(taken.map(\.form)).count > 1, taken.contains(where: { $0.form == .library }) {
      let listed = taken.filter { lists.contains($0.name) }
      let meant = named.isEmpty ? Set(listed.map(\.path)) : named
      guard !meant.isEmpty, Set(taken.filter { meant.contains($0.path) }.map(\.form)).count == 1 || !named.isEmpty
      else {
        throw answers.refusal(
          "static libraries and frameworks are both here: one may be the other in another form", taken.map(\.path))
      }
      drop("another form of the code is packed") { !meant.contains($0.path) }
    }
  }

  /// Leaves out some of the parts.
  mutating func drop(_ reason: String, where isMeant: (ApplePart) -> Bool) {
    left += taken.filter(isMeant).map { LeftOut($0.path, reason) }
    taken.removeAll(where: isMeant)
  }
}
