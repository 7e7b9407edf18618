import Findings
import ObjectFiles

/// Objective-C metadata as text or JSON.
///
///     class RCMain : NSObject <RCDelegate, NSCoding>
///       ivar _count
///       property count
///       property shared (class)
///       - start:
///       + load
///     class _TtC4Main3Log : _TtCs12_SwiftObject (Swift)
///     category Extra on NSString
///     protocol RCDelegate <NSObject>
///       - main:didFail: (optional)
///     class reference NSString
///     super reference RCMain
///     super reference RCMain (metaclass)
///     selector start:
enum ObjCListing {
  static func append(
    _ data: ObjCMetadata, prefix: [UInt8], _ reader: borrowing ByteReader, to output: inout ListedText
  ) {
    output.begin(prefix)
    for item in data.classes {
      let superclass = item.superclass.map { " : " + reader.text($0.range) } ?? ""
      let adopted = adopted(item.protocols, reader)
      add("class \(reader.text(item.name))\(superclass)\(adopted)\(item.isSwift ? " (Swift)" : "")", to: &output)
      for ivar in item.ivars { add("  ivar \(reader.text(ivar.name))", to: &output) }
      append(item.properties, item.methods, reader, to: &output)
    }
    for item in data.categories {
      let className = reader.text(item.className.range)
      add("category \(reader.text(item.name)) on \(className)\(adopted(item.protocols, reader))", to: &output)
      append(item.properties, item.methods, reader, to: &output)
    }
    for item in data.protocols {
      add("protocol \(reader.text(item.name))\(adopted(item.protocols, reader))", to: &output)
      append(item.properties, item.methods, reader, to: &output)
    }
    for item in data.classReferences {
      let end = item.isMetaclass ? " (metaclass)" : ""
      add("\(item.isSuper ? "super" : "class") reference \(reader.text(item.className.range))\(end)", to: &output)
    }
    for item in data.selectors { add("selector \(reader.text(item.name))", to: &output) }
  }

  private static func adopted(_ protocols: [Range<Int>], _ reader: borrowing ByteReader) -> String {
    protocols.isEmpty ? "" : " <\(protocols.map { reader.text($0) }.joined(separator: ", "))>"
  }

  private static func append(
    _ properties: [ObjCProperty], _ methods: [ObjCMethod], _ reader: borrowing ByteReader, to output: inout ListedText
  ) {
    for property in properties { add("  property \(text(property, reader))", to: &output) }
    for method in methods { add("  \(text(method, reader, behind: " "))", to: &output) }
  }

  private static func text(_ property: ObjCProperty, _ reader: borrowing ByteReader) -> String {
    reader.text(property.name) + (property.isClassProperty ? " (class)" : "")
  }

  private static func text(_ method: ObjCMethod, _ reader: borrowing ByteReader, behind space: String) -> String {
    (method.isClassMethod ? "+" : "-") + space + reader.text(method.selector) + (method.isOptional ? " (optional)" : "")
  }

  private static func add(_ line: String, to output: inout ListedText) { output.add(line: printable(line)) }

  // MARK: JSON

  /// `{"classes":[…],"categories":[…],"protocols":[…],"classReferences":[…],"selectors":[…]}`.
  static func append(_ data: ObjCMetadata, _ reader: borrowing ByteReader, to output: inout [UInt8]) {
    func text(_ range: Range<Int>) -> JSONValue { .string(reader.text(range)) }
    func texts(_ ranges: [Range<Int>]) -> JSONValue { .array(ranges.map { text($0) }) }
    func members(
      _ properties: [ObjCProperty], _ methods: [ObjCMethod], isSwift: Bool
    ) -> [(key: String, value: JSONValue)] {
      [
        ("properties", .array(properties.map { .string(self.text($0, reader)) })),
        ("methods", .array(methods.map { .string(self.text($0, reader, behind: "")) })), ("swift", .bool(isSwift)),
      ]
    }
    output.append(UInt8(ascii: "{"))
    output.append("classes", data.classes) { item in
      .object(
        [
          ("name", text(item.name)), ("superclass", item.superclass.map { text($0.range) } ?? .null),
          ("protocols", texts(item.protocols)), ("ivars", texts(item.ivars.map(\.name))),
        ] + members(item.properties, item.methods, isSwift: item.isSwift)
          + [("load", .bool(item.hasLoadMethod)), ("offset", .int(item.place))])
    }
    output.append("categories", data.categories) { item in
      .object(
        [("name", text(item.name)), ("class", text(item.className.range)), ("protocols", texts(item.protocols))]
          + members(item.properties, item.methods, isSwift: item.isSwift)
          + [("load", .bool(item.hasLoadMethod)), ("offset", .int(item.place))])
    }
    output.append("protocols", data.protocols) { item in
      .object(
        [("name", text(item.name)), ("protocols", texts(item.protocols))]
          + members(item.properties, item.methods, isSwift: item.isSwift) + [("offset", .int(item.place))])
    }
    output.append("classReferences", data.classReferences) { item in
      ["name": text(item.className.range), "super": .bool(item.isSuper), "metaclass": .bool(item.isMetaclass)]
    }
    output.append("selectors", data.selectors) { text($0.name) }
    output.append(UInt8(ascii: "}"))
  }
}
