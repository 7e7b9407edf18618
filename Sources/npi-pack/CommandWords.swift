import ArgumentParser

/// The words of a command line: which of them is the command.
enum CommandWords {
  static var commands: [String] {
    NPIPack.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// Options of `build` that take the next word; without a command, they are what a command line may begin with.
  static let withValue: Set = [
    "-j", "-C", "-f", "-o", "--set", "--config", "--version-from", "--out", "--format", "--level", "--baseline",
    "--write-baseline", "--color", "--trace",
  ]

  /// Puts the command in front of options that were given before it, as in `git -C DIR log`: the parser would take it for a
  /// target. The first word that is neither an option nor a value decides. A target with the name of a command needs
  /// `build` in front of it.
  static func commandFirst(_ words: [String]) -> [String] {
    var index = 0
    while index < words.count, words[index].hasPrefix("-"), words[index] != "--" {
      index += takesNext(words[index]) ? 2 : 1
    }
    guard index > 0, index < words.count, commands.contains(words[index]) else { return words }
    var words = words
    words.insert(words.remove(at: index), at: 0)
    return words
  }

  /// Of short options joined to one word, the last one may have its value in the next.
  private static func takesNext(_ option: String) -> Bool {
    if withValue.contains(option) { return true }
    guard !option.hasPrefix("--"), option.count > 2, !option.contains("="), !option.hasPrefix("-j") else {
      return false
    }
    return option.last.map { withValue.contains("-\($0)") } ?? false
  }
}

/// Long lists of words as one word each: the parser copies a list for each word, longer than a check of 1,000 plugins.
enum PackedWords {
  /// No word of a command line can have it.
  private static let separator = "\0"
  /// Up to here the parser takes no time that is noticed.
  private static let fewWords = 32
  /// Commands with such lists.
  private static let commands = ["check", "lint", "symbols"]

  /// A command line's words: in each row without options all but the first (a value?) are one, and all behind `--`.
  static func pack(_ words: [String]) -> [String] {
    guard words.count > fewWords, let command = words.first, commands.contains(command) else { return words }
    var packed = [command]
    let end = words.firstIndex(of: "--") ?? words.count
    for index in 1..<end {
      // From the third of a row on they are behind the second.
      if index > 2, !words[index - 2...index].contains(where: { $0.hasPrefix("-") }) {
        packed[packed.count - 1] += separator + words[index]
      } else {
        packed.append(words[index])
      }
    }
    if end < words.count { packed.append("--") }
    if end + 1 < words.count { packed.append(words[(end + 1)...].joined(separator: separator)) }
    return packed
  }

  static func unpack(_ words: [String]) -> [String] {
    words.flatMap { word in
      word.utf8.split(separator: 0, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
  }
}
