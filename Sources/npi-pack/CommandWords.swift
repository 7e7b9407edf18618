import ArgumentParser

/// The words of a command line: which of them is the command.
enum CommandWords {
  static var commands: [String] {
    NPIPack.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// Options of `build` that take the next word; without a command, they are what a command line may begin with.
  static let withValue: Set = [
    "-j", "-C", "-f", "-o", "--set", "--config", "--version-from", "--out", "--format", "--level", "--baseline",
    "--write-baseline", "--color",
  ]

  /// With the command before options that were given before it, as `git -C DIR log` is spelled: to the parser it would be
  /// a target there. The first word that is neither option nor value decides; a target of that name wants `build` said.
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
