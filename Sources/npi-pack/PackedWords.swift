/// Long lists of words as one word each. The parser of the command line copies a list for each of its words, so that a
/// thousand plugins take longer to be named than to be checked.
enum PackedWords {
  /// No word of a command line can have it.
  private static let separator = "\0"
  /// Commands with such lists.
  private static let commands = ["check", "lint", "symbols"]

  /// The words of a command line, without the program's: in each row of words that are no options all but the first (it
  /// may be an option's value) are one, and so are those behind `--`.
  static func pack(_ words: [String]) -> [String] {
    guard words.count > 32, let command = words.first, commands.contains(command) else { return words }
    var packed = [command]
    var row: [String] = []
    func rowIsDone() {
      packed += row.prefix(1)
      if row.count > 1 { packed.append(row.dropFirst().joined(separator: separator)) }
      row = []
    }
    for (index, word) in words.enumerated().dropFirst() {
      if word == "--" {
        rowIsDone()
        packed.append(word)
        let rest = words[(index + 1)...]
        if !rest.isEmpty { packed.append(rest.joined(separator: separator)) }
        return packed
      }
      if word.hasPrefix("-") {
        rowIsDone()
        packed.append(word)
      } else {
        row.append(word)
      }
    }
    rowIsDone()
    return packed
  }

  static func unpack(_ words: [String]) -> [String] {
    words.flatMap { word in
      word.utf8.split(separator: 0, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
  }
}
