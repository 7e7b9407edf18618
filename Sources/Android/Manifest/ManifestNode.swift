import Artifacts
import Documents
import Findings
import Store

/// An element while manifests are merged, with the origin of every value.
struct ManifestNode {
  struct Value {
    let name: String
    let namespace: String
    /// As it is written.
    var text: String
    /// The value for comparisons, with the full class name.
    var meaning: String
    let site: ManifestConflict.Site
  }

  /// `tools:node`; other values do nothing.
  enum Operation: String {
    case merge, mergeOnlyAttributes, replace, remove, removeAll, strict

    /// Both ways of writing several words are in use.
    init?(_ text: String) {
      self.init(rawValue: ["merge-only-attributes": "mergeOnlyAttributes", "remove-all": "removeAll"][text] ?? text)
    }
  }

  let tag: XMLTag
  let site: ManifestConflict.Site
  /// Attributes for tools are not among them.
  var values: [Value] = []
  /// The index in `values` of each attribute, by `identity`.
  var places: [[UInt8]: Int] = [:]
  /// The plugin's own attributes for tools, which stay.
  let ownTools: [XMLTag.Attribute]
  var operation: Operation?
  var replaced: Set<[UInt8]> = []
  var removed: Set<[UInt8]> = []
  /// The package of the only library that `operation` is about.
  let selector: String?
  /// Packages whose minimum SDK does not count.
  var overridden: Set<[UInt8]> = []
  var children: [ManifestNode] = []
  /// Equal for elements that meant the same before the merge: attributes and children in any order, without tools'
  /// ones.
  let form: Digest
  /// Whether it is an embedded element whose only purpose was to remove others.
  let isGhost: Bool
  /// The index of the first child with each key.
  var index: [ManifestKey: Int] = [:]
  /// The index of the first child with each element name.
  var firsts: [[UInt8]: Int] = [:]
  /// The forms of the children that may occur several times, unless they are equal.
  var forms: Set<Digest> = []

  /// `package` is the base of relative names. Those of a library's manifest are spelled out.
  init(_ tag: XMLTag, of owner: ManifestConflict.Owner, package: String?) {
    self.tag = tag
    let name = owner.name
    let site = ManifestConflict.Site(owner: owner, position: tag.position)
    let values = tag.attributes.filter { $0.namespace != AndroidManifest.tools }.map { attribute in
      var value = Value(
        name: attribute.name, namespace: attribute.namespace, text: attribute.value, meaning: attribute.value,
        site: site)
      if let package, ManifestModel.isClass(attribute, of: tag), ManifestModel.isRelative(attribute.value) {
        value.meaning = package + (attribute.value.hasPrefix(".") ? "" : ".") + attribute.value
        if name != nil { value.text = value.meaning }
      }
      return value
    }
    let children = tag.children.map { ManifestNode($0, of: owner, package: package) }
    let tools = tag.attributes.filter { $0.namespace == AndroidManifest.tools }
    self.site = site
    ownTools = name == nil ? tools : []
    selector = tag["selector", namespace: AndroidManifest.tools]
    form = Self.form(tag, values, children)
    let node = tag["node", namespace: AndroidManifest.tools]
    isGhost = name != nil && (node == "remove" || node == "removeAll")
    for value in values { set(value) }
    for attribute in tools { instruct(attribute) }
    for child in children { append(child) }
  }

  static func identity(_ name: String, _ namespace: String) -> [UInt8] {
    Array(namespace.utf8) + [0] + Array(name.utf8)
  }

  subscript(_ name: String) -> Value? { self[Self.identity(name, AndroidManifest.android)] }
  subscript(_ identity: [UInt8]) -> Value? { places[identity].map { values[$0] } }

  mutating func set(_ value: Value) {
    let identity = Self.identity(value.name, value.namespace)
    if let place = places[identity] {
      values[place] = value
    } else {
      places[identity] = values.count
      values.append(value)
    }
  }

  mutating func append(_ child: ManifestNode) {
    let name = Array(child.tag.name.utf8)
    if firsts[name] == nil, !child.isForeign { firsts[name] = children.count }
    let rule = ManifestModel.rule(child, in: tag.name)
    if let key = rule?.key, index[key] == nil { index[key] = children.count }
    if rule?.isMerged != true { forms.insert(child.form) }
    children.append(child)
  }

  /// Whether its namespace is neither empty nor Android's, so that nothing is known of it.
  var isForeign: Bool { !tag.namespace.isEmpty && tag.namespace != AndroidManifest.android }

  private mutating func instruct(_ attribute: XMLTag.Attribute) {
    let items = attribute.value.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).words.joined() }
    switch attribute.name {
    case "node": operation = Operation(attribute.value)
    case "replace": replaced.formUnion(items.compactMap(named))
    case "remove": removed.formUnion(items.compactMap(named))
    case "overrideLibrary": overridden.formUnion(items.map { Array($0.utf8) })
    default: break
    }
  }

  /// The attribute's identity for `android:label`; nil without a prefix, as in Android's merger.
  private func named(_ item: String) -> [UInt8]? {
    guard let colon = item.firstIndex(of: ":"), let namespace = tag.prefixes[String(item[..<colon])] else { return nil }
    return Self.identity(String(item[item.index(after: colon)...]), namespace)
  }

  /// The action when such an element of the library with that package comes.
  func operation(for package: String?) -> Operation {
    guard let operation else { return .merge }
    if let selector, selector != package, operation != .strict { return .merge }
    return operation
  }

  private static func form(_ tag: XMLTag, _ values: [Value], _ children: [ManifestNode]) -> Digest {
    func field(_ bytes: some Collection<UInt8>) -> [UInt8] { Array("\(bytes.count):".utf8) + bytes }
    let own = values.map { field(identity($0.name, $0.namespace)) + field($0.meaning.utf8) }
    var bytes = field(identity(tag.name, tag.namespace))
    bytes += field(tag.text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
    bytes += field(own.sorted { $0.lexicographicallyPrecedes($1) }.joined().map { $0 })
    for child in children.map(\.form).sorted() { bytes += child.bytes }
    return Digest(of: bytes)
  }

  /// The merged element, without the tools attributes of embedded manifests.
  var merged: XMLTag {
    var attributes = values.map { XMLTag.Attribute(name: $0.name, namespace: $0.namespace, value: $0.text) }
    attributes += ownTools
    var result = XMLTag(
      name: tag.name, namespace: tag.namespace, attributes: attributes, prefixes: tag.prefixes, position: tag.position)
    result.text = tag.text
    result.children = children.filter { !$0.isGhost }.map(\.merged)
    return result
  }
}
