import Artifacts
import Documents

/// The identity by which elements of two manifests match: the bytes of the element's name, and the key in its parent.
struct ManifestKey: Hashable {
  let element: [UInt8]
  /// Empty for an element that occurs only once.
  let key: [UInt8]

  var isSingle: Bool { key.isEmpty }
}

/// Android's rules for elements and attributes (`com.android.manifmerger`, `ManifestModel`).
enum ManifestModel {
  /// The attributes that make the key: the first one present, with the others joined to it.
  private static let keys: [String: [String]] = {
    let named = [
      "activity", "activity-alias", "service", "receiver", "provider", "meta-data", "uses-permission",
      "uses-permission-sdk-23", "permission", "permission-group", "permission-tree", "uses-library",
      "uses-sdk-library", "property", "package", "supports-gl-texture", "action", "category", "purpose",
      "general-purpose", "specific-purpose",
    ]
    var keys = Dictionary(named.map { ($0, ["name"]) }) { first, _ in first }
    keys["uses-feature"] = ["name", "glEsVersion"]
    keys["sdk-library"] = ["name", "versionMajor"]
    keys["screen"] = ["screenSize", "screenDensity"]
    keys["attribution"] = ["tag"]
    return keys
  }()

  /// Elements that may occur only once in their parent: the first one takes in the contents of the others.
  private static let single: Set<String> = [
    "application", "uses-sdk", "supports-screens", "queries", "compatible-screens", "uses-configuration",
    "instrumentation", "grant-uri-permission", "path-permission", "profileable", "nav-graph", "data",
  ]

  /// The attributes that are class names, relative to the manifest's package.
  private static let classes: [String: Set<String>] = [
    "application": ["name", "backupAgent"], "activity": ["name", "parentActivityName"],
    "activity-alias": ["name", "targetActivity"], "service": ["name"], "receiver": ["name"], "provider": ["name"],
    "property": ["name"], "sdk-library": ["name"], "uses-sdk-library": ["name"],
  ]

  static func isClass(_ attribute: XMLTag.Attribute, of tag: XMLTag) -> Bool {
    attribute.namespace == AndroidManifest.android && tag.namespace.isEmpty
      && classes[tag.name]?.contains(attribute.name) == true
      && !(tag.name == "property" && attribute.value == "REQUIRE_SECURE_ENV")
  }

  /// Whether it begins with a dot or has none. Placeholders, which the app's build fills in, are not relative.
  static func isRelative(_ name: String) -> Bool {
    guard !name.isEmpty, !(name.contains("${") && name.contains("}")) else { return false }
    return name.hasPrefix(".") || !name.utf8.contains(UInt8(ascii: "."))
  }

  /// The rule for matching an element. Elements without a rule are unknown, and all are added unless equal.
  struct Rule {
    let key: ManifestKey
    /// False for filters: all are added, unless equal; their key only identifies the target of a tools instruction.
    var isMerged = true
  }

  static func rule(_ node: ManifestNode, in parent: String) -> Rule? {
    guard !node.isForeign else { return nil }
    let name = node.tag.name
    if single.contains(name) { return Rule(key: ManifestKey(element: Array(name.utf8), key: [])) }
    if name == "intent-filter" || name == "intent" {
      return Rule(key: ManifestKey(element: Array(name.utf8), key: filterKey(node)), isMerged: false)
    }
    guard var attributes = keys[name] else { return nil }
    // A provider in `<queries>` is another app's and has no class.
    if name == "provider", parent == "queries" { attributes = ["authorities"] }
    var parts = attributes.compactMap { node[$0]?.meaning }.filter { !$0.isEmpty }
    if name == "uses-feature" { parts = Array(parts.prefix(1)) }
    guard !parts.isEmpty else { return nil }
    return Rule(key: ManifestKey(element: Array(name.utf8), key: Array(parts.joined(separator: "+").utf8)))
  }

  private static func filterKey(_ filter: ManifestNode) -> [UInt8] {
    var parts: [String] = []
    for child in filter.children where ["action", "category", "data"].contains(child.tag.name) {
      let names =
        child.tag.name == "data"
        ? ["scheme", "host", "mimeType", "port", "path", "pathPattern", "pathPrefix"] : ["name"]
      for name in names {
        if let value = child[name] { parts.append("\(child.tag.name):\(name):\(value.meaning)") }
      }
    }
    return Array(parts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "+").utf8)
  }

  enum Policy {
    case strict
    /// True if one of them is; a missing value is true.
    case either
    /// The value with the higher priority stays, whatever the other is; the default, if there is one, is a value too.
    case first(default: String?)
    /// Never merged: the app decides.
    case never
    /// Flags, joined by `|`.
    case flags
  }

  static func policy(_ value: ManifestNode.Value, of tag: XMLTag) -> Policy {
    guard value.namespace == AndroidManifest.android, tag.namespace.isEmpty else { return .strict }
    switch (tag.name, value.name) {
    case ("uses-feature", "required"), ("uses-library", "required"): return .either
    case ("application", "hasCode"), ("application", "localeConfig"), ("application", "useEmbeddedDex"),
      ("application", "extractNativeLibs"):
      return .never
    case ("instrumentation", "name"), ("instrumentation", "targetPackage"), ("instrumentation", "functionalTest"),
      ("instrumentation", "handleProfiling"), ("instrumentation", "label"), ("uses-permission", "purposeString"),
      ("uses-permission-sdk-23", "purposeString"):
      return .first(default: nil)
    case ("profileable", "shell"), ("profileable", "enabled"): return .first(default: "true")
    case ("service", "foregroundServiceType"): return .flags
    default: return .strict
    }
  }
}
