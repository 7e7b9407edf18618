import Artifacts
import Documents

extension AndroidResources {
  /// The definitions of a `values` file, under the names of a `ResourceTable`. Mistakes in it are passed over: finding
  /// them is for the library's own build.
  static func values(_ file: ResourceFile) throws(XMLProblem) -> ContentTable {
    let root = try XMLEvents.root(file.bytes)
    var resources = AndroidResources(package: nil, allowsRepetition: true)
    resources.list = DefinitionList(capacity: root.descendants)
    let folder = file.path.prefix { $0 != UInt8(ascii: "/") }
    resources.addValues(root, in: ValuesFile(file, configuration(folder)))
    return resources.list?.table ?? ContentTable()
  }

  /// The name in a `ResourceTable` of what a file is by itself; nil for other files, such as those in `values`.
  static func name(ofPath path: ArraySlice<UInt8>) -> [UInt8]? {
    guard let slash = path.firstIndex(of: UInt8(ascii: "/")), !ResourceFile.isPassedOver(Array(path)) else {
      return nil
    }
    let type = path[..<slash].prefix { $0 != UInt8(ascii: "-") }
    guard let type = ResourceType(rawValue: String(decoding: type, as: UTF8.self)), type.hasFolder else { return nil }
    let definition = Definition(
      type: type, name: name(ofFile: Array(path[(slash + 1)...])), configuration: configuration(path[..<slash]))
    var shown: [UInt8] = []
    definition.show(in: &shown)
    return shown
  }

  private static func configuration(_ folder: ArraySlice<UInt8>) -> ResourceConfiguration {
    ResourceConfiguration(String(decoding: folder.drop { $0 != UInt8(ascii: "-") }, as: UTF8.self))
  }
}

/// The definitions of a file, in its order: the first of each name, and the format of each attribute.
struct DefinitionList: Sendable {
  private(set) var table = ContentTable()
  private var seen: Set<AndroidResources.Definition> = []

  init(capacity: Int) { seen.reserveCapacity(capacity) }

  mutating func add(_ definition: AndroidResources.Definition, _ value: ContentChecksum) {
    guard definition.type != .styleable, seen.insert(definition).inserted else { return }
    table.add(value) { definition.show(in: &$0) }
  }

  mutating func add(attribute name: ResourceName, _ format: Set<String>) {
    let format = format.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "|")
    table.add(Array("attr/".utf8) + name.bytes, ContentChecksum(Array(format.utf8)))
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
