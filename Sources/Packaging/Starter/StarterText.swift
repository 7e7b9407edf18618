/// Words of a first manifest.
enum StarterText {
  static func shellQuoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._".contains($0)) }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  /// Plain where that is safe, in double quotes where YAML would read something else.
  static func quoted(_ text: String) -> String {
    let safe = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
    let isPlain = safe && text.first.map { $0.isLetter || $0.isNumber } ?? false && text.lowercased() != "null"
    if isPlain { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
