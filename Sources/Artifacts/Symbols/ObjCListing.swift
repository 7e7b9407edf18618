import Findings
import ObjectFiles

/// Objective-C metadata as text and as JSON.
///
///     class RCMain : NSObject
///       - start:
///       + load
///     class _TtC4Main3Log : _TtCs12_SwiftObject (Swift)
///     category Extra on NSString
///     protocol RCDelegate
///       - main:didFail: (optional)
///     selector start:
enum ObjCListing {
  static func append(
    _ data: ObjCMetadata, prefix: [UInt8], _ reader: borrowing ByteReader, to output: inout ListedText
  ) {
    output.begin(prefix)
    for item in data.classes {
      let superclass = item.superclass.map { " : " + reader.text($0.range) } ?? ""
      add("class \(reader.text(item.name))\(superclass)\(item.isSwift ? " (Swift)" : "")", to: &output)
      append(item.methods, reader, to: &output)
    }
    for item in data.categories {
      add("category \(reader.text(item.name)) on \(reader.text(item.className.range))", to: &output)
      append(item.methods, reader, to: &output)
    }
    for item in data.protocols {
      add("protocol \(reader.text(item.name))", to: &output)
      append(item.methods, reader, to: &output)
    }
    for item in data.selectors { add("selector \(reader.text(item.name))", to: &output) }
  }

  private static func append(
    _ methods: [ObjCMethod], _ reader: borrowing ByteReader, to output: inout ListedText
  ) {
    for method in methods {
      let end = method.isOptional ? " (optional)" : ""
      add("  \(method.isClassMethod ? "+" : "-") \(reader.text(method.selector))\(end)", to: &output)
    }
  }

  private static func add(_ line: String, to output: inout ListedText) {
    output.beginLine()
    output.bytes += Array(printable(line).utf8)
    output.bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: JSON

  static func json(_ data: ObjCMetadata, _ reader: borrowing ByteReader) -> JSONValue {
    func text(_ range: Range<Int>) -> JSONValue { .string(reader.text(range)) }
    let classes = data.classes.map { item -> JSONValue in
      [
        "name": text(item.name), "superclass": item.superclass.map { text($0.range) } ?? .null,
        "methods": json(item.methods, reader), "swift": .bool(item.isSwift), "load": .bool(item.hasLoadMethod),
        "offset": .int(item.place),
      ]
    }
    let categories = data.categories.map { item -> JSONValue in
      [
        "name": text(item.name), "class": text(item.className.range), "methods": json(item.methods, reader),
        "swift": .bool(item.isSwift), "load": .bool(item.hasLoadMethod), "offset": .int(item.place),
      ]
    }
    let protocols = data.protocols.map { item -> JSONValue in
      [
        "name": text(item.name), "methods": json(item.methods, reader), "swift": .bool(item.isSwift),
        "offset": .int(item.place),
      ]
    }
    return [
      "classes": .array(classes), "categories": .array(categories), "protocols": .array(protocols),
      "selectors": .array(data.selectors.map { text($0.name) }),
    ]
  }

  /// `-name:`, `+name`; of a protocol with ` (optional)` behind it.
  private static func json(_ methods: [ObjCMethod], _ reader: borrowing ByteReader) -> JSONValue {
    .array(
      methods.map { method in
        let end = method.isOptional ? " (optional)" : ""
        return .string((method.isClassMethod ? "+" : "-") + reader.text(method.selector) + end)
      })
  }
}
