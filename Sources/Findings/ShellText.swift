/// Words for a shell: sh, bash, zsh.
package enum ShellText {
  /// A command of these words.
  package static func line(_ words: [String]) -> String {
    guard let program = words.first else { return "" }
    // `A=b` would be an assignment there.
    let first = program.utf8.contains(UInt8(ascii: "=")) ? inQuotes(program) : quoted(program)
    return ([first] + words.dropFirst().map { quoted($0) }).joined(separator: " ")
  }

  /// A script as words: no line of it stands alone, to look like ours or like a command for CI. Ends in no newline.
  package static func script(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count > 1 else { return quoted(text) }
    return "\"$(printf '%s\\n' \\\n    \(lines.map { inQuotes(String($0)) }.joined(separator: " \\\n    ")))\""
  }

  /// In quotes if it must be.
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
      // Not a line of its own, in which the text of a script would look like one of ours.
      case "\n": text += "\\n"
      // A control character that is pasted does things; bash and zsh know its bytes by their numbers.
      case _ where isUnprintable(scalar), "#" where isOdd: for byte in String(scalar).utf8 { text += octal(byte) }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }

  private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }
}
