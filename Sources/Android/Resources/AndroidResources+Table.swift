import Artifacts
import Documents

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
    return definition.shown
  }

  private static func configuration(_ folder: ArraySlice<UInt8>) -> ResourceConfiguration {
    ResourceConfiguration(String(decoding: folder.drop { $0 != UInt8(ascii: "-") }, as: UTF8.self))
  }

  /// In the order of the file.
  private var table: ContentTable {
    var rows: [(position: XMLTag.Position?, name: [UInt8], content: ContentChecksum)] = []
    rows.reserveCapacity(defined.count + formats.count)
    for (definition, own) in defined where definition.type != .styleable {
      if let value = own.value { rows.append((own.site.position, definition.shown, value)) }
    }
    for (name, format) in formats {
      let mask = format.mask.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "|")
      rows.append((format.site.position, Array("attr/".utf8) + name.bytes, ContentChecksum(Array(mask.utf8))))
    }
    rows.sort {
      ($0.position?.line ?? 0, $0.position?.column ?? 0) < ($1.position?.line ?? 0, $1.position?.column ?? 0)
    }
    var table = ContentTable()
    for row in rows { table.add(row.name, row.content) }
    return table
  }
}

extension AndroidResources.Definition {
  /// `string/app_name`, `drawable/icon (hdpi-v4)`, `string/app_name (es, product tablet)`.
  fileprivate var shown: [UInt8] {
    var shown = Array(type.rawValue.utf8)
    shown.reserveCapacity(shown.count + 1 + name.count)
    shown.append(UInt8(ascii: "/"))
    shown += name
    if isStandard { return shown }
    let product = isOfAnyProduct ? nil : "product \(String(decoding: product, as: UTF8.self))"
    let conditions = [configuration.isStandard ? nil : configuration.description, product].compactMap(\.self)
    return shown + Array(" (\(conditions.joined(separator: ", ")))".utf8)
  }
}
