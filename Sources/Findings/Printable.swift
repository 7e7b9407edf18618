/// Makes foreign text safe for a line of a terminal or a log: a name in an archive, a path, a word of a manifest. It
/// must not move the cursor, split or forge a line, hide itself, read as another name, or give a CI runner a command.
///
/// All modules use this function. Errors carry raw text, and the code that shows them calls it; calling it twice
/// changes nothing.
package func printable(_ text: String) -> String {
  guard text.utf8.contains(where: isSuspicious) else { return text }
  guard text.unicodeScalars.contains(where: isUnprintable) else { return withoutRunnerCommands(text) }
  var result = ""
  let scalars = Array(text.unicodeScalars)
  for (index, scalar) in scalars.enumerated() {
    // A joiner between two emoji is visible; elsewhere it makes different names that look the same.
    let joins =
      scalar == "\u{200D}" && index > 0 && isEmoji(scalars[index - 1]) && index + 1 < scalars.count
      && isEmoji(scalars[index + 1])
    if isUnprintable(scalar), !joins { result += escaped(scalar) } else { result.unicodeScalars.append(scalar) }
  }
  return withoutRunnerCommands(result)
}

/// Whether it is an emoji, or the selector after a character that gives it colour.
private func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "\u{FE0F}" || scalar.value > 0x2000 && scalar.properties.isEmoji
}

/// Whether a scalar is invisible: a control character, a mark that changes the direction, a line ending of any kind, a
/// character without width, or a noncharacter of Unicode. Variation selectors are kept, because emoji contain them.
package func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: return true
  case .unassigned where scalar.properties.isNoncharacterCodePoint: return true
  default: return scalar.properties.isDefaultIgnorableCodePoint && !(0xFE00...0xFE0F).contains(scalar.value)
  }
}

/// A line that no CI runner takes for a command: GitHub's are `::x::` at its beginning, and `##[` or `##vso[` anywhere.
package func withoutRunnerCommands(_ line: String) -> String {
  guard mayHoldCommand(line) else { return line }
  let scalars = line.unicodeScalars
  var result = String.UnicodeScalarView()
  var isAtStart = true
  var hashes = 0
  for scalar in scalars {
    let isCommand = isAtStart && scalar == ":" && result.last == ":" || hashes > 1 && scalar == "["
    if isCommand { result.append(contentsOf: escaped(scalar).unicodeScalars) } else { result.append(scalar) }
    isAtStart = isAtStart && (scalar == ":" || scalar.properties.isWhitespace)
    hashes = scalar == "#" ? hashes + 1 : scalar.properties.isAlphabetic ? hashes : 0
  }
  return String(result)
}

/// Commands begin with two colons or two number signs.
private func mayHoldCommand(_ line: String) -> Bool {
  var last: UInt8 = 0
  for byte in line.utf8 {
    if byte == last, byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#") { return true }
    last = byte
  }
  return false
}

/// A fast check, byte by byte, because nearly all text is plain.
private func isSuspicious(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#")
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: "\\u{\(String(scalar.value, radix: 16))}"
  }
}
