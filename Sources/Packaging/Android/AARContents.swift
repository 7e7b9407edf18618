import Archives
import Artifacts
import Findings
import SystemPackage

/// The entries of an AAR in the making. Two entries of one name are a clash.
struct AARContents {
  struct Item: Sendable {
    var entry: PackedEntry
    let group: AARGroup
    let place: Place
  }

  private(set) var items: [EntryPath: Item] = [:]
  private(set) var clashes: [Clash] = []

  mutating func add(_ entry: PackedEntry, _ group: AARGroup, at place: Place) {
    let item = Item(entry: entry, group: group, place: place)
    guard let first = items[entry.entry.path] else {
      items[entry.entry.path] = item
      return
    }
    let isIdentical = first.entry.digest != nil && first.entry.digest == entry.digest
    clashes.append(
      Clash(
        group.rule, twice: "\(group.noun) \(entry.entry.path)", first.place, place, isIdentical: isIdentical,
        hint: group.hint))
  }

  /// A file that is made here.
  mutating func add(_ path: String, bytes: [UInt8], _ group: AARGroup) throws(EntryPathError) {
    let entryPath = try EntryPath(path)
    add(PackedEntry(entryPath, bytes: bytes), group, at: Place(path))
  }

  /// Another content for an entry that is there.
  mutating func replace(_ path: EntryPath, bytes: [UInt8]) { items[path]?.entry = PackedEntry(path, bytes: bytes) }

  func has(_ path: [UInt8]) -> Bool { (try? EntryPath(path)).map { items[$0] != nil } ?? false }

  /// In the order of an AAR.
  var ordered: [Item] {
    items.values.sorted { ($0.group, $0.entry.entry.path) < ($1.group, $1.entry.entry.path) }
  }

  /// Names that a Mac's file system takes for one, in entries or in the folders above them.
  func twins() -> [Mistake] {
    var first: [String: EntryPath] = [:]
    var mistakes: [Mistake] = []
    for item in ordered {
      var path = item.entry.entry.path
      while true {
        let other = first.updateValue(path, forKey: path.collisionKey)
        if let other, other != path {
          mistakes.append(
            Mistake(
              "'\(other)' and '\(path)' are one file on a Mac",
              notes: ["\(items[other]?.place.description ?? "\(other)")", "\(item.place)"],
              hint: "they differ only in case or in how letters are composed: rename one"))
        }
        guard other == nil, let parent = path.parent else { break }
        path = parent
      }
    }
    return mistakes
  }
}

/// The parts of an AAR in the order in which they are written. (`classes.jar` stands before `libs/` because Bazel reads
/// the jars in the archive's order.)
enum AARGroup: Int, Comparable, Sendable {
  case manifest, metadata, classes, resources, symbols, publicSymbols, proguard, assets, libs, jni, prefab, aidl,
    profile

  static func < (one: AARGroup, other: AARGroup) -> Bool { one.rawValue < other.rawValue }

  /// The rule of a second entry of one name.
  var rule: RuleID {
    switch self {
    case .resources: "duplicate-resource"
    case .assets: "duplicate-asset"
    case .jni: "duplicate-native-library"
    default: "aar-structure"
    }
  }

  var noun: String {
    switch self {
    case .resources: "the resource"
    case .assets: "the asset"
    case .jni: "the native library"
    case .libs: "the jar"
    default: "the file"
    }
  }

  var hint: String? {
    self == .libs ? "rename one of the jars" : nil
  }
}
