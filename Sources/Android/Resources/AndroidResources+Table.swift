import Artifacts
import Documents

extension AndroidResources {
  /// The definitions of a `values` file, under the names of a `ResourceTable`. Mistakes in it are passed over: finding
  /// them is for the library's own build.
  static func values(_ file: ResourceFile) throws(XMLProblem) -> ContentTable {
    let root = try XMLEvents.read(file.bytes)
    var resources = AndroidResources(package: nil, allowsRepetition: true)
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

  private var table: ContentTable {
    var rows = defined.compactMap { definition, own -> (name: [UInt8], content: ContentChecksum)? in
      guard definition.type != .styleable, let value = own.value else { return nil }
      return (definition.shown, value)
    }
    for (name, format) in formats {
      let mask = format.mask.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "|")
      rows.append((Array("attr/".utf8) + name.bytes, ContentChecksum(Array(mask.utf8))))
    }
    var table = ContentTable()
    for row in rows.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) { table.add(row.name, row.content) }
    return table
  }
}

extension AndroidResources.Definition {
  /// `string/app_name`, `drawable/icon (hdpi-v4)`, `string/app_name (es, product tablet)`.
  fileprivate var shown: [UInt8] {
    let product = isOfAnyProduct ? nil : "product \(String(decoding: product, as: UTF8.self))"
    let conditions = [configuration.isStandard ? nil : configuration.description, product].compactMap(\.self)
    return Array("\(type.rawValue)/".utf8) + name
      + Array((conditions.isEmpty ? "" : " (\(conditions.joined(separator: ", ")))").utf8)
  }
}
