/// Quoting for shells: sh, bash, zsh.
package enum ShellText {
  package static func line(_ words: [String]) -> String {
    guard let program = words.first else { return "" }
    // `A=b` would be an assignment there.
    let first = program.utf8.contains(UInt8(ascii: "=")) ? inQuotes(program) : quoted(program)
    return ([first] + words.dropFirst().map { quoted($0) }).joined(separator: " ")
  }

  /// A script as one word: no line of it stands alone, where it could look like our output or like a command for CI. It
  /// ends without a newline.
  package static func script(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1 else { return quoted(text) }
    return "\"$(printf '%s\\n' \\\n    \(lines.map { inQuotes(String($0)) }.joined(separator: " \\\n    ")))\""
  }

  /// The word, in quotes if it needs them.
  package static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.utf8.allSatisfy(plain.contains)
    // In zsh, `=name` stands for the program of that name.
    return isPlain && word.utf8.first != UInt8(ascii: "=") ? word : inQuotes(word)
  }

  /// A path that is not taken for an option.
  package static func quoted(path: String) -> String {
    quoted(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%".utf8)

  private static func inQuotes(_ word: String) -> String {
    let isOdd = printable(word) != word
    var text = isOdd ? "$'" : "'"
    for scalar in word.unicodeScalars {
      switch scalar {
      case "'" where !isOdd: text += #"'\''"#
      case "'" where isOdd, "\\" where isOdd: text += "\\\(scalar)"
      // A newline is escaped, so that no line of a script looks like our output.
      case "\n": text += "\\n"
      // A pasted control character has effects, so its bytes are written as octal numbers, which bash and zsh know.
      case _ where isUnprintable(scalar), "#" where isOdd: for byte in String(scalar).utf8 { text += octal(byte) }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }

  private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }
}
