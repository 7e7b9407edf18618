import Foundation
import ObjectFiles

/// Property lists of either form; the one place that knows Foundation's.
enum PropertyListReader {
  /// The top level of a dictionary: texts as they are, `true` and `false`, whole numbers, other values as `<value>`. Nil
  /// if it is no property list, or none with a dictionary at the top.
  static func texts(_ bytes: [UInt8]) -> [String: String]? {
    if bytes.starts(with: "bplist0".utf8) { return try? BinaryPropertyList(ByteReader(bytes.span)).values }
    return decode([String: Value].self, bytes)?.mapValues(\.text)
  }

  /// Nil if it is no property list in XML, or not of this shape.
  static func decode<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) -> T? {
    if bytes.starts(with: "bplist0".utf8) || isTooDeep(bytes) { return nil }
    return try? PropertyListDecoder().decode(type, from: Data(bytes))
  }

  /// Foundation's reader of XML goes down once a level: a file of ten thousand open arrays would end the process.
  private static func isTooDeep(_ bytes: [UInt8]) -> Bool {
    let marks: [(text: [UInt8], depth: Int)] = [
      (Array("<array".utf8), 1), (Array("<dict".utf8), 1), (Array("</array".utf8), -1), (Array("</dict".utf8), -1),
    ]
    // What looks like a tag there is none.
    let hidden = [("<!--", "-->"), ("<![CDATA[", "]]>")].map { (start: Array($0.0.utf8), end: Array($0.1.utf8)) }
    var depth = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<") {
        let rest = bytes[index...]
        if let part = hidden.first(where: { rest.starts(with: $0.start) }) {
          index += part.start.count
          while index < bytes.count, !bytes[index...].starts(with: part.end) { index += 1 }
        } else if let mark = marks.first(where: { rest.starts(with: $0.text) }) {
          let isEmpty =
            mark.depth > 0 && bytes[index...].prefix(64).prefix { $0 != UInt8(ascii: ">") }.last == UInt8(ascii: "/")
          depth += isEmpty ? 0 : mark.depth
          if depth > 200 { return true }
        }
      }
      index += 1
    }
    return false
  }

  private struct Value: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.text = text
      } else if let flag = try? container.decode(Bool.self) {
        text = flag ? "true" : "false"
      } else if let number = try? container.decode(Int.self) {
        text = String(number)
      } else {
        text = "<value>"
      }
    }
  }
}
