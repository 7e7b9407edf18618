import Artifacts
package import Documents
import Findings
import ObjectFiles
import OrderedCollections
package import Store

package struct ResourceFile: Sendable {
  /// Inside of `res/`: `values-es/strings.xml`.
  package let path: [UInt8]
  package let bytes: [UInt8]
  /// The digest of the content, for files whose `bytes` stay empty; nil if it is not known.
  package let digest: Digest?

  package init(path: [UInt8], bytes: [UInt8], digest: Digest? = nil) {
    self.path = path
    self.bytes = bytes
    self.digest = digest
  }

  /// Whether Android's tools ignore such a file, which editors, systems and version control leave behind (aapt's
  /// pattern `!.svn:!.git:!.ds_store:!*.scc:.*:!CVS:!thumbs.db:!picasa.ini:!*~`).
  package static func isPassedOver(_ path: [UInt8]) -> Bool {
    let parts = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self).lowercased() }
    guard let name = parts.last else { return false }
    return name.hasPrefix(".") || name.hasSuffix("~") || name.hasSuffix(".scc")
      || ["thumbs.db", "picasa.ini"].contains(name) || parts.dropLast().contains { $0 == "cvs" || $0.hasPrefix(".") }
  }

  /// Whether the content of such a file can define names; of all others the path is enough, and `bytes` may stay empty.
  package static func isRead(_ path: [UInt8]) -> Bool {
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")) else { return false }
    let type = path[..<slash].prefix { $0 != UInt8(ascii: "-") }
    return !type.elementsEqual("raw".utf8) && path.suffix(4).elementsEqual(".xml".utf8)
  }
}

package struct ResourceProblem: Error, Sendable, CustomStringConvertible {
  package let site: ResourceSite
  /// The problem and its remedy, for users.
  package let reason: String

  package var description: String { "\(site): \(reason)" }
}

/// A file inside of `res/`, with a position in it; nil for the file as a whole.
package struct ResourceSite: Hashable, Sendable, CustomStringConvertible {
  /// `values-es/strings.xml`, as bytes.
  package let path: [UInt8]
  package let position: XMLTag.Position?

  package init(_ path: [UInt8], _ position: XMLTag.Position? = nil) {
    self.path = path
    self.position = position
  }

  package var description: String {
    let name = printable(String(decoding: path, as: UTF8.self))
    return position.map { "\(name):\($0.line):\($0.column)" } ?? name
  }
}

/// The names that a `res/` folder defines, found without aapt.
///
/// The rules are those of `aapt2` (`ResourceParser`, `XmlIdCollector`) and of the Gradle plugin where they agree. They
/// differ in one thing: aapt2 makes ids of the flags of an attribute, Gradle only of its enums, as this type does.
/// Values are not judged; a name that another library defines may be used.
package struct AndroidResources: Sendable {
  package internal(set) var symbols = SymbolTable()
  /// In the order of the files given, and within a file in its own order.
  package private(set) var problems: [ResourceProblem] = []
  private var unsaid = 0
  /// The limit of kept problems: a file can have hundreds of thousands, each with the file's name.
  private static let maxProblems = 1000
  /// The library's own package, for `@+com.example:id/name`; nil if it is not known.
  let package: String?
  /// The first definition of each value.
  var defined: OrderedDictionary<Definition, Defined> = [:]
  /// Later definitions of a value, in a library whose build took the first.
  private(set) var repeated: [(definition: Definition, second: Defined)] = []
  let allowsRepetition: Bool
  /// Takes definitions in place of `defined` and `symbols`, unless it is nil.
  var list: DefinitionList?
  var formats: [ResourceName: (mask: Set<String>, site: ResourceSite)] = [:]
  var publics: [(type: ResourceType, name: ResourceName, site: ResourceSite)] = []
  /// The last element's name stands beside its type, because the next one mostly has the same.
  var last: (name: [UInt8], type: ResourceType?) = ([], nil)
  /// It serves for one value after the other.
  var form = ValueForm()
  /// Ids that are declared for some configurations only.
  private var partialIDs: Set<ResourceName> = []

  /// The identity of a definition: a name before its dots become underscores, in one configuration.
  struct Definition: Hashable {
    let type: ResourceType
    let name: ArraySlice<UInt8>
    let configuration: ResourceConfiguration
    var product: [UInt8] = []

    /// Whether it is for any device.
    var isStandard: Bool { configuration.isStandard && isOfAnyProduct }

    /// Arrays hash byte by byte, which takes several times as long.
    func hash(into hasher: inout Hasher) {
      hasher.combine(type)
      hasher.combine(ByteReader(name.span).hash(of: 0..<name.count, seed: ResourceName.seed))
      if !configuration.isStandard { hasher.combine(configuration) }
      if !product.isEmpty { hasher.combine(product) }
    }

    var isOfAnyProduct: Bool { product.isEmpty || product.elementsEqual("default".utf8) }
  }

  struct Defined {
    let site: ResourceSite
    /// Equal for values that mean the same; nil for a file, whose content says that.
    var value: ContentChecksum?
  }

  /// - Parameter allowsRepetition: whether a second definition is no problem, as in a library that is a dependency.
  package init(_ files: [ResourceFile], package: String? = nil, allowsRepetition: Bool = false) {
    self.init(package: package, allowsRepetition: allowsRepetition)
    for file in files { add(file) }
    for (type, name, site) in publics where !symbols.contains(type, name) {
      report(site, "\(type.rawValue) \(name) is declared public but nowhere defined: define it or remove the line")
    }
    if unsaid > 0, let last = problems.last {
      problems.append(.init(site: last.site, reason: "and \(unsaid) more that are not listed: mend these first"))
    }
  }

  init(package: String?, allowsRepetition: Bool) {
    self.package = package
    self.allowsRepetition = allowsRepetition
  }

  private mutating func add(_ file: ResourceFile) {
    let parts = file.path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let site = ResourceSite(file.path)
    guard let name = parts.last, !ResourceFile.isPassedOver(file.path) else { return }
    guard parts.count == 2 else {
      return report(site, "a resource stands directly in a folder such as res/layout: move the file there")
    }
    let folder = parts[0].prefix { $0 != UInt8(ascii: "-") }
    let configuration = ResourceConfiguration(String(decoding: parts[0].dropFirst(folder.count), as: UTF8.self))
    if folder.elementsEqual("values".utf8) {
      guard ResourceFile.isRead(file.path) else {
        return report(site, "only XML files can be in a values folder: move it to res/raw or to assets")
      }
      if let root = read(file) { addValues(root, in: ValuesFile(file, configuration)) }
      return
    }
    guard let type = ResourceType(rawValue: String(decoding: folder, as: UTF8.self)), type.hasFolder
    else {
      return report(
        site,
        "'\(String(decoding: parts[0], as: UTF8.self))' is no kind of resource folder: rename the folder to one "
          + "such as drawable, layout or values-es")
    }
    add(type, Array(name), configuration, site)
    if ResourceFile.isRead(file.path), let root = read(file) { collectIDs(root, file.path) }
  }

  private mutating func add(
    _ type: ResourceType, _ file: [UInt8], _ configuration: ResourceConfiguration, _ site: ResourceSite
  ) {
    let base = Self.name(ofFile: file)
    // aapt2 accepts raw files with more than one dot.
    let isWhole = base.allSatisfy { byte in
      Self.isLower(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
        || (type == .raw && byte == UInt8(ascii: "."))
    }
    guard let first = base.first, isWhole, Self.isLower(first) || first == UInt8(ascii: "_") else {
      return report(
        site,
        "'\(String(decoding: file, as: UTF8.self))' cannot be a resource's name: use lower-case letters, digits and "
          + "underscores, a letter first")
    }
    guard !isReserved(base, site) else { return }
    define(.init(type: type, name: base, configuration: configuration), site)
  }

  /// A file's name without its ending.
  static func name(ofFile file: [UInt8]) -> ArraySlice<UInt8> {
    if file.suffix(6).elementsEqual(".9.png".utf8) { return file.dropLast(6) }
    return file.lastIndex(of: UInt8(ascii: ".")).map { file[..<$0] } ?? file[...]
  }

  private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

  mutating func report(_ site: ResourceSite, _ reason: @autoclosure () -> String) {
    guard problems.count < Self.maxProblems else {
      unsaid += 1
      return
    }
    problems.append(.init(site: site, reason: printable(reason())))
  }

  mutating func reportDuplicate(_ what: String, _ site: ResourceSite, first: ResourceSite) {
    report(site, "\(what) is defined twice for the same configuration, first at \(first): remove or rename one")
  }

  private mutating func isReserved(_ name: ArraySlice<UInt8>, _ site: ResourceSite) -> Bool {
    guard AndroidManifest.isReserved(name) else { return false }
    report(site, "'\(String(decoding: name, as: UTF8.self))' is a word of the Java language: choose another name")
    return true
  }

  /// Enters a name, and reports a second definition of it.
  mutating func define(_ definition: Definition, _ site: ResourceSite, value: ContentChecksum? = nil) {
    if list != nil {
      if let value { list?.add(definition, value) }
      return
    }
    let own = Defined(site: site, value: value)
    if let first = defined.updateValue(own, forKey: definition) {
      defined[definition] = first
      if allowsRepetition { return repeated.append((definition, own)) }
      let what = "\(definition.type.rawValue) '\(String(decoding: definition.name, as: UTF8.self))'"
      return reportDuplicate(what, site, first: first.site)
    }
    symbols.insert(definition.type, ResourceName(definition.name))
  }

  /// An id that is defined in passing exists in every configuration, even if the file is for some.
  mutating func insert(id name: ResourceName, in configuration: ResourceConfiguration = .standard) {
    if configuration.isStandard {
      partialIDs.remove(name)
    } else if !symbols.contains(.id, name) {
      partialIDs.insert(name)
    }
    symbols.insert(.id, name)
  }

  /// The names that every app with these resources has: those with a value for any device. A link drops names that only
  /// some languages have (aapt2, `NoDefaultResourceRemover`), and an app's build may leave out more.
  package var certainSymbols: SymbolTable {
    var certain = SymbolTable()
    for definition in defined.keys where definition.isStandard {
      certain.insert(definition.type, ResourceName(definition.name))
    }
    // The tools ignore the configuration of attributes and styleables.
    for name in symbols.names[.attr, default: []] { certain.insert(.attr, name) }
    for (name, children) in symbols.styleables { certain.insert(styleable: name, children: children) }
    for name in symbols.names[.id, default: []].subtracting(partialIDs) { certain.insert(.id, name) }
    return certain
  }

  private mutating func read(_ file: ResourceFile) -> XMLTree.Element? {
    do throws(XMLProblem) {
      return try XMLEvents.root(file.bytes)
    } catch {
      report(ResourceSite(file.path, error.position), error.reason.description)
      return nil
    }
  }

  /// Any attribute of any element can define an id, whatever its namespace.
  private mutating func collectIDs(_ tag: XMLTree.Element, _ path: [UInt8]) {
    for attribute in tag.attributes { collectID(attribute.valueBytes, ResourceSite(path, tag.position)) }
    for child in tag.children { collectIDs(child, path) }
  }

  /// Adds the id of a value that is `@+id/name` as a whole.
  mutating func collectID(_ value: ArraySlice<UInt8>, _ site: ResourceSite) {
    // Most values are texts.
    guard let first = value.first, first == UInt8(ascii: "@") || first <= 0x20 || first >= 0x80 else { return }
    let text = String(decoding: value, as: UTF8.self).trimmed
    guard text.utf8.starts(with: "@+".utf8) else { return }
    let parts = text.dropFirst(2).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty else { return }
    let owner = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard owner.last == "id" else { return }
    if owner.count == 2, let own = owner.first, own != package ?? "" {
      // This is an old way to refer to the system's id: aapt2 warns and makes no name, Gradle ignores it.
      if own == "android" { return }
      return report(
        site, "'\(text)' would define a name in another package: write @+id/name, or @id/name to refer to it")
    }
    if let name = checked(Array(parts[1].utf8)[...], site) { insert(id: name) }
  }

  /// The name, if it is valid for a resource and in Java; otherwise nil, and a problem is added.
  mutating func checked(_ text: ArraySlice<UInt8>, _ site: ResourceSite) -> ResourceName? {
    isValid(text, site) ? ResourceName(text) : nil
  }

  mutating func isValid(_ name: ArraySlice<UInt8>, _ site: ResourceSite) -> Bool {
    guard name.span.isIdentifier(beginningWith: "_", with: ".-") else {
      let text = String(decoding: name, as: UTF8.self)
      report(
        site, "'\(text)' cannot be a resource's name: use letters, digits, underscores and dots, a letter first")
      return false
    }
    return !isReserved(name, site)
  }
}
