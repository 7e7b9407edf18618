import ArgumentParser
import Findings
import Packaging
import SystemPackage

/// The words of a command line: which of them is the command.
enum CommandWords {
  static var commands: [String] {
    NPIPack.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// Options of `build` that take the next word; without a command, they are what a command line may begin with.
  static let withValue: Set = [
    "-j", "-C", "-f", "-o", "--set", "--config", "--version-from", "--out", "--format", "--level", "--baseline",
    "--suppressions", "--write-baseline", "--color", "--trace", CompletionScript.option,
  ]

  /// Puts the command in front of options that were given before it, as in `git -C DIR log`: the parser would take it for a
  /// target. The first word that is neither an option nor a value decides. A target with the name of a command needs
  /// `build` in front of it.
  static func commandFirst(_ words: [String]) -> [String] {
    guard let index = firstWord(words), index > 0, commands.contains(words[index]) else { return words }
    var words = words
    words.insert(words.remove(at: index), at: 0)
    return words
  }

  /// The first word that is neither an option nor a value: a command, or a target.
  static func firstWord(_ words: [String]) -> Int? {
    var index = 0
    while index < words.count, words[index].hasPrefix("-"), words[index] != "--" {
      index += takesNext(words[index]) ? 2 : 1
    }
    return index < words.count && words[index] != "--" ? index : nil
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

extension CommandWords {
  /// What is wrong with words that failed, if the first of them is no target, but nearly a command: then all that the parser
  /// or a build said of the others is beside the point.
  static func mistypedCommand(_ words: [String]) -> Mistakes? {
    guard let index = firstWord(words) else { return nil }
    let word = words[index]
    if commands.contains(word) {
      let command = NPIPack.configuration.subcommands.first { $0.configuration.commandName == word }
      let names = command?.configuration.subcommands.compactMap { $0.configuration.commandName } ?? []
      guard index + 1 < words.count, case let next = words[index + 1], !names.contains(next),
        let near = nearest(to: next, among: names)
      else { return nil }
      return Mistakes("there is no command '\(word) \(next)'", hint: "did you mean '\(word) \(near)'?")
    }
    // What is wrong with a manifest comes first: the word may be a target of it.
    guard let targets = Project.targets(manifest(words)), !targets.contains(word) else { return nil }
    // A target that is called like a command takes more than its name.
    let candidates = targets.filter { !commands.contains($0) } + commands
    guard let near = nearest(to: word, among: candidates), commands.contains(near) else { return nil }
    let other = targets.contains(near) ? ", or 'build \(near)'" : ""
    return Mistakes("there is no target '\(word)'", hint: "did you mean the command '\(near)'\(other)?")
  }

  /// Which manifest the words of a command line mean.
  static func manifest(_ words: [String]) -> Project.Options {
    var options = Project.Options()
    for (name, value) in zip(words, words.dropFirst()) {
      if name == "-C" { options.directory = FilePath(value) }
      if name == "-f" { options.manifest = FilePath(value) }
    }
    return options
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

  /// A command line's words: in each row without options all but the first (a value?) are one, and all behind `--`; the
  /// values of `--set` are one.
  static func pack(_ words: [String]) -> [String] {
    guard words.count > fewWords else { return words }
    return packLists(packSettings(words))
  }

  private static func packSettings(_ words: [String]) -> [String] {
    var packed: [String] = []
    var first: Int?
    var index = 0
    while index < words.count, words[index] != "--" {
      var word = words[index]
      index += 1
      if word == "--set", index < words.count, !words[index].hasPrefix("-") {
        word += "=" + words[index]
        index += 1
      }
      guard word.hasPrefix("--set=") else {
        packed.append(word)
        continue
      }
      if let first {
        packed[first] += separator + word.dropFirst(6)
      } else {
        first = packed.count
        packed.append(word)
      }
    }
    return packed + words[index...]
  }

  private static func packLists(_ words: [String]) -> [String] {
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
