import Artifacts
import Documents
import OrderedCollections

extension AndroidResources {
  /// The definitions of a `values` file, under the names of a `ResourceTable`. Mistakes in it are passed over: finding
  /// them is for the library's own build.
  static func values(_ file: ResourceFile) throws(XMLProblem) -> ContentTable {
    let root = try XMLEvents.read(file.bytes)
    var resources = AndroidResources(package: nil, allowsRepetition: true)
    resources.keepsSymbols = false
    let folder = file.path.prefix { $0 != UInt8(ascii: "/") }
    resources.addValues(root, in: ValuesFile(file, configuration(folder)))
    return resources.table
  }

  /// The name in a `ResourceTable` of what a file is by itself; nil for other files, such as those in `values`.
  static func name(ofPath path: ArraySlice<UInt8>) -> [UInt8]? {
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")), !ResourceFile.isPassedOver(Array(path)) else {
      return nil
    }
    let type = path[..<slash].prefix { $0 != UInt8(ascii: "-") }
    guard let type = ResourceType(rawValue: String(decoding: type, as: UTF8.self)), type.hasFolder else { return nil }
    let definition = Definition(
      type: type, name: Array(name(ofFile: Array(path[(slash + 1)...]))), configuration: configuration(path[..<slash]))
    var shown: [UInt8] = []
    definition.show(in: &shown)
    return shown
  }

  private static func configuration(_ folder: ArraySlice<UInt8>) -> ResourceConfiguration {
    ResourceConfiguration(String(decoding: folder.drop { $0 != UInt8(ascii: "-") }, as: UTF8.self))
  }

  /// In the order of the file.
  private var table: ContentTable {
    var attributes = formats.sorted { $0.value.site.position < $1.value.site.position }[...]
    var table = ContentTable()
    func addAttributes(while isWanted: (ResourceSite) -> Bool) {
      while let (name, format) = attributes.first, isWanted(format.site) {
        let mask = format.mask.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "|")
        table.add(Array("attr/".utf8) + name.bytes, ContentChecksum(Array(mask.utf8)))
        attributes.removeFirst()
      }
    }
    for (definition, own) in defined where definition.type != .styleable {
      guard let value = own.value else { continue }
      addAttributes { $0.position < own.site.position }
      table.add(value) { definition.show(in: &$0) }
    }
    addAttributes { _ in true }
    return table
  }
}

extension XMLTag.Position? {
  fileprivate static func < (one: Self, other: Self) -> Bool {
    (one?.line ?? 0, one?.column ?? 0) < (other?.line ?? 0, other?.column ?? 0)
  }
}

extension AndroidResources.Definition {
  /// Appends `string/app_name`, `drawable/icon (hdpi-v4)`, `string/app_name (es, product tablet)`.
  fileprivate func show(in bytes: inout [UInt8]) {
    bytes += type.rawValue.utf8
    bytes.append(UInt8(ascii: "/"))
    bytes += name
    if isStandard { return }
    let product = isOfAnyProduct ? nil : "product \(String(decoding: product, as: UTF8.self))"
    let conditions = [configuration.isStandard ? nil : configuration.description, product].compactMap(\.self)
    bytes += " (\(conditions.joined(separator: ", ")))".utf8
  }
}
