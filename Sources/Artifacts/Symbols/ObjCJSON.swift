import Findings
import ObjectFiles

/// Objective-C metadata as JSON: `{"classes":[…],"categories":[…],"protocols":[…],"classReferences":[…],"selectors":[…]}`.
/// A value takes many times the room of its text, so there is one at a time.
enum ObjCJSON {
  static func append(_ data: ObjCMetadata, _ reader: borrowing ByteReader, to output: inout [UInt8]) {
    func text(_ range: Range<Int>) -> JSONValue { .string(reader.text(range)) }
    func texts(_ ranges: [Range<Int>]) -> JSONValue { .array(ranges.map { text($0) }) }
    func append<Item>(_ key: String, _ items: [Item], _ value: (Item) -> JSONValue) {
      output += Array("\(key == "classes" ? "{" : ",")\"\(key)\":[".utf8)
      for (index, item) in items.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output += Array(value(item).shownInOneLine.utf8)
      }
      output.append(UInt8(ascii: "]"))
    }
    append("classes", data.classes) { item in
      [
        "name": text(item.name), "superclass": item.superclass.map { text($0.range) } ?? .null,
        "protocols": texts(item.protocols), "ivars": texts(item.ivars.map(\.name)),
        "properties": value(item.properties, reader), "methods": value(item.methods, reader),
        "swift": .bool(item.isSwift), "load": .bool(item.hasLoadMethod), "offset": .int(item.place),
      ]
    }
    append("categories", data.categories) { item in
      [
        "name": text(item.name), "class": text(item.className.range), "protocols": texts(item.protocols),
        "properties": value(item.properties, reader), "methods": value(item.methods, reader),
        "swift": .bool(item.isSwift), "load": .bool(item.hasLoadMethod), "offset": .int(item.place),
      ]
    }
    append("protocols", data.protocols) { item in
      [
        "name": text(item.name), "protocols": texts(item.protocols), "properties": value(item.properties, reader),
        "methods": value(item.methods, reader), "swift": .bool(item.isSwift), "offset": .int(item.place),
      ]
    }
    append("classReferences", data.classReferences) { item in
      ["name": text(item.className.range), "super": .bool(item.isSuper), "metaclass": .bool(item.isMetaclass)]
    }
    append("selectors", data.selectors) { text($0.name) }
    output.append(UInt8(ascii: "}"))
  }

  /// `name`; of the class's own with ` (class)` behind it.
  private static func value(_ properties: [ObjCProperty], _ reader: borrowing ByteReader) -> JSONValue {
    .array(properties.map { .string(reader.text($0.name) + ($0.isClassProperty ? " (class)" : "")) })
  }

  /// `-name:`, `+name`; of a protocol with ` (optional)` behind it.
  private static func value(_ methods: [ObjCMethod], _ reader: borrowing ByteReader) -> JSONValue {
    .array(
      methods.map { method in
        let end = method.isOptional ? " (optional)" : ""
        return .string((method.isClassMethod ? "+" : "-") + reader.text(method.selector) + end)
      })
  }
}
