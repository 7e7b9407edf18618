/// The objects of a project of Xcode by their identifiers, as far as targets, their phases and files go.
struct XcodeObjects: Sendable {
  private struct Object {
    let identifier: Substring
    var values: [Substring: [Substring]] = [:]
    /// Behind a value, what it is called.
    var comments: [Substring: Substring] = [:]

    var type: Substring? { values["isa"]?.first }
  }

  private var objects: [Substring: Object] = [:]
  /// Native targets, as they stand in the file.
  private(set) var targets: [Substring] = []
  /// More are not looked at: each is gone through with all that it needs.
  private static let mostTargets = 100
  /// Whole folders belong to targets, and their files are not named.
  private(set) var hasFolders = false
  /// Of all groups, by what is in them.
  private var parents: [Substring: Substring] = [:]
  /// References to files of settings.
  private(set) var configurations: [Substring] = []
  /// Paths of files that settings name, as they stand there.
  private(set) var fileSettings: [Substring] = []
  /// Each name of a path, and what comments call.
  private var names: Set<Substring> = []

  init(_ text: String) {
    var tokens = XcodeTokens(text)
    var open: [Object] = []
    var key: Substring?
    var list: [Substring] = []
    /// How deep in brackets of lists.
    var depth = 0
    while let token = tokens.next() {
      switch token {
      case .text(let value, let comment):
        names.formUnion(value.split(separator: "/"))
        if let comment { names.insert(XcodeObjects.file(comment)) }
        if depth > 0 {
          if depth == 1 { list.append(value) }
        } else if let key, !open.isEmpty {
          open[open.count - 1].values[key] = [value]
          open[open.count - 1].comments[key] = comment
        } else {
          key = value
        }
      case .sign(UInt8(ascii: "(")):
        if depth == 0 { list = [] }
        depth += 1
      case .sign(UInt8(ascii: ")")) where depth > 0:
        depth -= 1
        if depth == 0, let key, !open.isEmpty { open[open.count - 1].values[key] = list }
      case .sign(UInt8(ascii: "{")) where depth > 0: depth += 1
      case .sign(UInt8(ascii: "}")) where depth > 0: depth -= 1
      case .sign(UInt8(ascii: "{")):
        open.append(Object(identifier: key ?? ""))
        key = nil
      case .sign(UInt8(ascii: "}")):
        if let object = open.popLast() { add(object) }
        key = nil
      case .sign(UInt8(ascii: ";")) where depth == 0: key = nil
      case .sign: break
      }
    }
    // Of a file that was cut off.
    for object in open { add(object) }
  }

  private mutating func add(_ object: Object) {
    guard let type = object.type else {
      fileSettings += XcodeObjects.settingsOfFiles.compactMap { object.values[$0]?.first }
      return
    }
    if type == "PBXNativeTarget", targets.count < XcodeObjects.mostTargets { targets.append(object.identifier) }
    if type == "PBXFileSystemSynchronizedRootGroup" { hasFolders = true }
    if type.hasSuffix("Group") {
      for child in object.values["children"] ?? [] where parents[child] == nil { parents[child] = object.identifier }
    }
    if type == "XCBuildConfiguration" { configurations += object.values["baseConfigurationReference"] ?? [] }
    objects[object.identifier] = object
  }

  private static let settingsOfFiles: [Substring] = [
    "EXPORTED_SYMBOLS_FILE", "GCC_PREFIX_HEADER", "INFOPLIST_FILE", "MODULEMAP_FILE",
  ]

  /// `Rally.m` of `Rally.m in Sources`.
  private static func file(_ comment: Substring) -> Substring {
    let words = comment.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count > 2, words[words.count - 2] == "in", let last = words.last else { return comment }
    return comment.dropLast(last.count + " in ".count)
  }

  /// Whether the name of a file or folder stands in it.
  func lists(_ name: String) -> Bool { names.contains(Substring(name)) }

  /// The first value, without the quotes.
  func value(_ key: Substring, of identifier: Substring) -> String? {
    objects[identifier]?.values[key]?.first.map(String.init)
  }

  /// `libRally.a`: what a reference is to.
  func product(of target: Substring) -> String? {
    guard let reference = objects[target]?.values["productReference"]?.first else { return nil }
    return name(of: reference) ?? objects[target]?.comments["productReference"].map(String.init)
  }

  /// A target, and the others that it depends on.
  func closure(of target: Substring) -> [Substring] {
    var (seen, open): ([Substring], [Substring]) = ([target], [target])
    var known = Set(seen)
    while let next = open.popLast(), known.count < XcodeObjects.mostTargets {
      for dependency in objects[next]?.values["dependencies"] ?? [] {
        guard let other = objects[dependency]?.values["target"]?.first, known.insert(other).inserted else { continue }
        seen.append(other)
        open.append(other)
      }
    }
    return seen
  }

  enum Phase: Substring, CaseIterable {
    case copies = "PBXCopyFilesBuildPhase"
    case frameworks = "PBXFrameworksBuildPhase"
    case headers = "PBXHeadersBuildPhase"
    case resources = "PBXResourcesBuildPhase"
    case sources = "PBXSourcesBuildPhase"
  }

  /// The last names of the files in these phases of a target.
  func files(of target: Substring, _ phases: Set<Phase>) -> Set<String> {
    Set(references(of: target, phases).compactMap(name))
  }

  /// What the phases refer to; of what stands in several languages its files, too.
  func references(of target: Substring, _ phases: Set<Phase>) -> Set<Substring> {
    // Each once: a list may name one thing a thousand times.
    let own = Set(objects[target]?.values["buildPhases"] ?? []).filter { phase in
      objects[phase]?.type.flatMap(Phase.init(rawValue:)).map(phases.contains) ?? false
    }
    let files = Set(own.flatMap { objects[$0]?.values["files"] ?? [] })
    let references = Set(files.compactMap { objects[$0]?.values["fileRef"]?.first })
    let inner = references.filter { objects[$0]?.type == "PBXVariantGroup" }
      .flatMap { objects[$0]?.values["children"] ?? [] }
    return references.union(inner)
  }

  /// The folders that belong to a target with all that is in them.
  func folders(of target: Substring) -> [Substring] { objects[target]?.values["fileSystemSynchronizedGroups"] ?? [] }

  /// Groups in groups: deeper ones nobody made by hand.
  private static let deepest = 64
  /// In bytes: no system opens a longer one.
  private static let longestPath = 4096

  /// The parts of a file's path, from the project's folder on; nil of what is not in a project's folders. A path is relative to
  /// the group that the file is in, which has one itself.
  func path(of identifier: Substring) -> [Substring]? {
    var paths: [Substring] = []
    var length = 0
    var next: Substring? = identifier
    for _ in 0..<XcodeObjects.deepest {
      guard let object = next else { return paths.reversed().flatMap { $0.split(separator: "/") } }
      if let path = objects[object]?.values["path"]?.first {
        length += path.utf8.count
        guard length <= XcodeObjects.longestPath, !path.hasPrefix("/") else { return nil }
        paths.append(path)
      }
      switch objects[object]?.values["sourceTree"]?.first {
      case "<group>"?: next = parents[object]
      case "SOURCE_ROOT"?: next = nil
      default: return nil
      }
    }
    return nil
  }

  /// The last one of a file's path.
  private func name(of identifier: Substring) -> String? {
    (value("path", of: identifier) ?? value("name", of: identifier))?.split(separator: "/").last.map(String.init)
  }
}
