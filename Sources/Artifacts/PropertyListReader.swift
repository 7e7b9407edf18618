import Foundation

/// The one place that knows Foundation's property lists.
enum PropertyListReader {
  /// The top level of a dictionary: texts as they are, `true` and `false`, whole numbers, other values as `<value>`. Nil
  /// if it is no property list, or none with a dictionary at the top.
  static func texts(_ bytes: [UInt8]) -> [String: String]? {
    try? PropertyListDecoder().decode([String: Value].self, from: Data(bytes)).mapValues(\.text)
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
