import Findings
import ObjectFiles

/// Objective-C metadata as text.
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
    for property in properties {
      add("  property \(reader.text(property.name))\(property.isClassProperty ? " (class)" : "")", to: &output)
    }
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
}
