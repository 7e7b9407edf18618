import Findings

/// Java's property files, as far as plain values need them: `key=value` or `key: value`, `#` and `!` begin comments.
package enum JavaProperties {
  /// The values by their keys; later ones win. Never fails: a line without a separator is skipped.
  package static func values(_ bytes: [UInt8]) -> [String: String] {
    var values: [String: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).lines {
      let text = line.trimmed.unicodeScalars
      guard let first = text.first, first != "#", first != "!" else { continue }
      guard let end = text.firstIndex(where: { $0 == "=" || $0 == ":" }) else { continue }
      let (key, value) = (Substring(text[..<end]), Substring(text[text.index(after: end)...]))
      values[String(key.trimmed)] = String(value.trimmed)
    }
    return values
  }
}
