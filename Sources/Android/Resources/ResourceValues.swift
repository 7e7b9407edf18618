import Artifacts
import Documents
import Findings
import OrderedCollections

struct ValuesFile {
  let path: [UInt8]
  let bytes: [UInt8]
  let configuration: ResourceConfiguration

  init(_ file: ResourceFile, _ configuration: ResourceConfiguration) {
    (path, bytes, self.configuration) = (file.path, file.bytes, configuration)
  }

  func site(_ tag: XMLTree.Element) -> ResourceSite { ResourceSite(path, tag.position) }
}

/// The elements of `<resources>`.
extension AndroidResources {
  mutating func addValues(_ root: XMLTree.Element, in file: ValuesFile) {
    guard root.name == "resources", root.namespace.isEmpty else {
      return report(
        file.site(root), "the root element is <\(root.name)>: a values file begins with <resources>")
    }
    if !root.text.trimmed.isEmpty {
      report(file.site(root), "there is text between the elements: put it into a <string> or a comment")
    }
    for child in root.children where child.namespace.isEmpty { addValue(child, in: file) }
  }

  private mutating func addValue(_ tag: XMLTree.Element, in file: ValuesFile) {
    let name = tag.nameBytes
    if !name.elementsEqual(last.name) { last = (Array(name), ResourceType(rawValue: tag.name)) }
    switch last.type {
    case .attr: return addAttr(tag, in: file)
    case .styleable: return reportUnknown(tag, file)
    case let type?: return addSimple(type, tag, in: file)
    case nil: break
    }
    switch tag.name {
    case "public", "java-symbol", "symbol": addPublic(tag, in: file)
    case "public-group", "staging-public-group":
      for child in tag.children where !child.isIgnored { addPublic(child, group: tag["type"], in: file) }
    // `overlayable` limits the overlays of a resource, and `macro` is a placeholder for the compiler: `R` has neither.
    case "overlayable", "macro", "eat-comment", "skip": return
    case "declare-styleable": addStyleable(tag, in: file)
    case "string-array", "integer-array": addSimple(.array, tag, in: file)
    case "item", "add-resource":
      guard let type = type(tag["type"], file.site(tag), takesStyleables: false) else { return }
      addSimple(type, tag, in: file)
    default: reportUnknown(tag, file)
    }
  }

  private mutating func reportUnknown(_ tag: XMLTree.Element, _ file: ValuesFile) {
    report(file.site(tag), "<\(tag.name)> is not known here: correct the spelling or remove the element")
  }

  private mutating func type(_ text: String?, _ site: ResourceSite, takesStyleables: Bool) -> ResourceType? {
    let type = text.flatMap { ResourceType(rawValue: $0) }
    if let type, takesStyleables || type != .styleable { return type }
    report(
      site,
      text.map { "'\($0)' is no type of resource: correct the spelling" }
        ?? "<item> does not say what it is: add type=\"…\"")
    return nil
  }

  /// Adds a name and a value; the value matters only where it defines an id in passing.
  private mutating func addSimple(_ type: ResourceType, _ tag: XMLTree.Element, in file: ValuesFile) {
    let site = file.site(tag)
    guard let text = name(tag, in: file), isValid(text, site) else { return }
    collectID(tag.textBytes, site)
    if [.array, .plurals, .style].contains(type) {
      for child in tag.children where child.name == "item" { collectID(child.textBytes, file.site(child)) }
    }
    // An id may be declared any number of times, and `add-resource` only declares that a name exists.
    guard type != .id else { return insert(id: ResourceName(text), in: file.configuration) }
    guard !tag.isNamed("add-resource") else { return symbols.insert(type, ResourceName(text)) }
    let product = tag.bytes(of: "product").map(Array.init) ?? []
    define(
      Definition(type: type, name: text, configuration: file.configuration, product: product), site,
      value: .ofValue(tag, in: file.bytes, &form))
  }

  private mutating func name(_ tag: XMLTree.Element, in file: ValuesFile) -> ArraySlice<UInt8>? {
    let name = tag.bytes(of: "name") ?? []
    // Hardly any has white space, and to look for that of all languages takes time.
    if let first = name.first, let last = name.last, 0x21..<0x80 ~= first, 0x21..<0x80 ~= last { return name }
    let text = Array(String(decoding: name, as: UTF8.self).trimmed.utf8)
    if text.isEmpty { report(file.site(tag), "<\(tag.name)> has no name: add name=\"…\"") }
    return text.isEmpty ? nil : text[...]
  }

  private mutating func addPublic(_ tag: XMLTree.Element, group: String? = nil, in file: ValuesFile) {
    let site = file.site(tag)
    let isPublic = tag.name == "public"
    // This is Gradle's way to declare that everything else is private.
    if isPublic, group == nil, tag["name"] == nil, tag["type"] == nil { return symbols.makePrivate() }
    guard let text = name(tag, in: file) else { return }
    guard let type = type(group ?? tag["type"], site, takesStyleables: true), let checkedName = checked(text, site)
    else { return }
    publics.append((type, checkedName, site))
    if isPublic { symbols.makePublic(type, checkedName) }
  }

  // MARK: - Attributes and styleables

  private mutating func addAttr(_ tag: XMLTree.Element, in file: ValuesFile) {
    guard let text = name(tag, in: file), let checkedName = checked(text, file.site(tag)) else { return }
    symbols.insert(.attr, checkedName)
    addFormat(checkedName, tag, in: file)
  }

  private mutating func addStyleable(_ tag: XMLTree.Element, in file: ValuesFile) {
    let site = file.site(tag)
    guard let text = name(tag, in: file), let styleable = checked(text, site) else { return }
    define(Definition(type: .styleable, name: text, configuration: file.configuration), site)
    var children: [ResourceName] = []
    for child in tag.children where !child.isIgnored {
      let site = file.site(child)
      guard child.name == "attr" else {
        reportUnknown(child, file)
        continue
      }
      guard let text = name(child, in: file) else { continue }
      guard let attribute = checked(child.localName(of: text), site) else { continue }
      let (name, _, isOwn) = child.styleableChild(in: package)
      children.append(name)
      if !isOwn {
        // The attribute belongs to another package, but its enums are names here.
        addSymbols(child, in: file)
      } else {
        // A child without a format refers to an attribute that is defined elsewhere, perhaps in another library.
        if child.definesAttribute { symbols.insert(.attr, attribute) }
        addFormat(attribute, child, in: file)
      }
    }
    symbols.insert(styleable: styleable, children: children)
  }

  /// One attribute can be declared many times, with the same format or none. An attribute for plain values also takes a
  /// reference (aapt2, `Attribute::IsCompatibleWith`); with enums and flags each declaration must name it.
  private mutating func addFormat(_ name: ResourceName, _ tag: XMLTree.Element, in file: ValuesFile) {
    addSymbols(tag, in: file)
    guard tag.definesAttribute else { return }
    var mask = Set((tag["format"] ?? "").split(separator: "|").map { String(String($0).trimmed) })
    let values = tag.children.filter { !$0.isIgnored }
    mask.formUnion(values.map(\.name))
    if mask.isDisjoint(with: ["enum", "flag", "flags"]) { mask.insert("reference") }
    mask.formUnion(values.map { "\($0.name) \($0["name"] ?? "")=\($0.number)" })
    if let first = formats[name] {
      if first.mask != mask {
        report(
          file.site(tag),
          "the attribute '\(name)' has another format at \(first.site): give both the same, or leave one out")
      }
    } else {
      formats[name] = (mask, file.site(tag))
      list?.add(attribute: name, mask)
    }
  }

  private mutating func addSymbols(_ tag: XMLTree.Element, in file: ValuesFile) {
    var seen: [[UInt8]: XMLTag.Position] = [:]
    for child in tag.children where !child.isIgnored {
      let site = file.site(child)
      guard child.name == "enum" || child.name == "flag" else {
        reportUnknown(child, file)
        continue
      }
      guard let text = name(child, in: file), let symbol = checked(text, site) else { continue }
      let bytes = Array(text)
      if let first = seen[bytes] {
        reportDuplicate(
          "\(child.name) '\(String(decoding: text, as: UTF8.self))'", site, first: ResourceSite(file.path, first))
      } else {
        seen[bytes] = child.position
      }
      // aapt2 makes ids of flags, too; the Gradle plugin does not.
      if child.name == "enum" { insert(id: symbol) }
    }
  }
}

extension XMLTree.Element {
  /// The value of an enum or flag: `0x10` and `16` are one.
  fileprivate var number: String {
    let text = (self["value"] ?? "").trimmed
    let isHex = text.hasPrefix("0x") || text.hasPrefix("0X")
    return UInt32(isHex ? text.dropFirst(2) : text, radix: isHex ? 16 : 10).map(String.init) ?? String(text)
  }

  /// Whether both tools ignore it: elements of other namespaces, and the two that only keep comments apart.
  fileprivate var isIgnored: Bool { !namespace.isEmpty || isNamed("eat-comment") || isNamed("skip") }

  var definesAttribute: Bool { bytes(of: "format") != nil || children.contains { !$0.isIgnored } }

  /// The name in `R` of an `<attr>` in a library's styleable, and a spelling of it that needs no prefixes.
  func styleableChild(in package: String?) -> (name: ResourceName, spelling: String, isOwn: Bool) {
    let (owner, local) = owner(of: String((self["name"] ?? "").trimmed))
    guard let owner, owner != package else { return (ResourceName(local), local, true) }
    return (ResourceName("\(owner):\(local)"), "\(owner):\(local)", false)
  }

  fileprivate func localName(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    Array(owner(of: String(decoding: text, as: UTF8.self)).name.utf8)[...]
  }

  /// The package of `android:text` and its name; no package for the library's own.
  fileprivate func owner(of text: String) -> (package: String?, name: String) {
    guard let colon = text.firstIndex(of: ":") else { return (nil, text) }
    let prefix = String(text[..<colon])
    let name = String(text[text.index(after: colon)...])
    let address = prefixes[prefix] ?? ""
    if address == "http://schemas.android.com/apk/res-auto" { return (nil, name) }
    for start in ["http://schemas.android.com/apk/res/", "http://schemas.android.com/apk/prv/res/"]
    where address.hasPrefix(start) {
      return (String(address.dropFirst(start.count)), name)
    }
    return (prefix, name)
  }
}
