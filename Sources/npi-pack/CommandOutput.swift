import Findings

/// Makes the output of a command safe to show: it may move the cursor or set a title, and compilers quote foreign
/// sources. Only colours are kept, where our own text has some; no line is a command for a CI runner.
enum CommandOutput {
  static func text(_ bytes: [UInt8], color: Bool) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isEmpty else { return "" }
    var lines = (text.utf8.contains(where: isSuspicious) ? stripped(text, color: color) : text)
      .split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines.map { withoutRunnerCommands(String($0)) + "\n" }.joined()
  }

  private static func stripped(_ text: String, color: Bool) -> String {
    var result = ""
    var isColored = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        // A carriage return becomes a newline, so that no later text hides a line.
        if scalar == "\r", rest.first != "\n" { result += "\n" }
        let isKept = scalar == "\n" || scalar == "\t" || scalar == "\u{200D}" || !isUnprintable(scalar)
        if isKept {
          result.unicodeScalars.append(scalar)
        } else if scalar.value > 0x9F {
          result += printable("\(scalar)")
        }
        continue
      }
      let sequence = EscapeSequence(&rest)
      if color, sequence.isColor {
        result += "\u{1B}[\(sequence.parameters)m"
        isColored = true
      }
    }
    return isColored ? result + "\u{1B}[0m" : result
  }

  private static func isSuspicious(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\t") || byte >= 0x7F
  }
}

/// The sequence after an ESC (ECMA-48, 5.3 to 5.6). It ends at the end of the line at the latest.
private struct EscapeSequence {
  private(set) var isColor = false
  private(set) var parameters = ""

  init(_ text: inout Substring.UnicodeScalarView) {
    guard let kind = text.first, kind.value >= 0x20, kind.value < 0x7F else { return }
    text.removeFirst()
    switch kind {
    case "[":
      let isParameter = { (scalar: Unicode.Scalar) in (0x20...0x3F).contains(scalar.value) }
      parameters = String(text.prefix(while: isParameter))
      text = text.drop(while: isParameter)
      guard let final = text.first, (0x40...0x7E).contains(final.value) else { return }
      text.removeFirst()
      isColor = final == "m" && parameters.utf8.allSatisfy { (0x30...0x3B).contains($0) }
    case "]", "P", "X", "^", "_":
      // A string of any length: it ends with BEL, or with ESC and a backslash, which is a sequence of its own.
      text = text.drop { $0 != "\u{7}" && $0 != "\u{1B}" && $0 != "\n" }
      if text.first == "\u{7}" { text.removeFirst() }
    case _ where kind.value < 0x30:
      text = text.drop { (0x20...0x2F).contains($0.value) }
      if let final = text.first, (0x30...0x7E).contains(final.value) { text.removeFirst() }
    default: break
    }
  }
}
