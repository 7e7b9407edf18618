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
      let superclass = item.superclass.map { " : " + text($0.range, reader) } ?? ""
      add("class \(text(item.name, reader))\(superclass)\(item.isSwift ? " (Swift)" : "")", to: &output)
      append(item.methods, reader, to: &output)
    }
    for item in data.categories {
      add("category \(text(item.name, reader)) on \(text(item.className.range, reader))", to: &output)
      append(item.methods, reader, to: &output)
    }
    for item in data.protocols {
      add("protocol \(text(item.name, reader))", to: &output)
      append(item.methods, reader, to: &output)
    }
    for item in data.selectors { add("selector \(text(item.name, reader))", to: &output) }
  }

  private static func append(
    _ methods: [ObjCMethod], _ reader: borrowing ByteReader, to output: inout ListedText
  ) {
    for method in methods {
      let end = method.isOptional ? " (optional)" : ""
      add("  \(method.isClassMethod ? "+" : "-") \(text(method.selector, reader))\(end)", to: &output)
    }
  }

  private static func add(_ line: String, to output: inout ListedText) {
    output.beginLine()
    output.bytes += Array(printable(line).utf8)
    output.bytes.append(UInt8(ascii: "\n"))
  }

  // MARK: JSON

  static func json(_ data: ObjCMetadata, _ reader: borrowing ByteReader) -> JSONValue {
    var classes: [JSONValue] = []
    for item in data.classes {
      let superclass = item.superclass.map { JSONValue.string(text($0.range, reader)) } ?? .null
      classes.append([
        "name": .string(text(item.name, reader)), "superclass": superclass, "methods": json(item.methods, reader),
        "swift": .bool(item.isSwift), "load": .bool(item.hasLoadMethod), "offset": .int(item.place),
      ])
    }
    var categories: [JSONValue] = []
    for item in data.categories {
      categories.append([
        "name": .string(text(item.name, reader)), "class": .string(text(item.className.range, reader)),
        "methods": json(item.methods, reader), "swift": .bool(item.isSwift), "load": .bool(item.hasLoadMethod),
        "offset": .int(item.place),
      ])
    }
    var protocols: [JSONValue] = []
    for item in data.protocols {
      protocols.append([
        "name": .string(text(item.name, reader)), "methods": json(item.methods, reader), "swift": .bool(item.isSwift),
        "offset": .int(item.place),
      ])
    }
    var selectors: [JSONValue] = []
    for item in data.selectors { selectors.append(.string(text(item.name, reader))) }
    return [
      "classes": .array(classes), "categories": .array(categories), "protocols": .array(protocols),
      "selectors": .array(selectors),
    ]
  }

  /// `-name:`, `+name`; of a protocol with ` (optional)` behind it.
  private static func json(_ methods: [ObjCMethod], _ reader: borrowing ByteReader) -> JSONValue {
    var names: [JSONValue] = []
    for method in methods {
      let end = method.isOptional ? " (optional)" : ""
      names.append(.string((method.isClassMethod ? "+" : "-") + text(method.selector, reader) + end))
    }
    return .array(names)
  }

  private static func text(_ range: Range<Int>, _ reader: borrowing ByteReader) -> String {
    var bytes: [UInt8] = []
    reader.append(range, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
