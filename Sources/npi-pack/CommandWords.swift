import ArgumentParser
import Documents
import Findings
import Packaging
import SystemPackage

/// Finds the command among the words of a command line.
enum CommandWords {
  static var commands: [String] {
    NPIPack.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// The options of a command that take the next word as their value.
  struct Options {
    private let withValue: Set<String>

    /// Reads the options from the parser's own list.
    init(of command: any ParsableCommand.Type) {
      let arguments = (try? JSONText.parse(Array(command._dumpHelp().utf8), name: "help"))?["command"]?["arguments"]
      let options = arguments?.list?.filter { $0["kind"]?.text == "option" }.flatMap { $0["names"]?.list ?? [] } ?? []
      withValue = Set(options.map { ($0["kind"]?.text == "short" ? "-" : "--") + ($0["name"]?.text ?? "") })
    }

    /// The last of several short options in one word may have its value in the next word.
    func takesNext(_ option: String) -> Bool {
      if withValue.contains(option) { return true }
      guard !option.hasPrefix("--"), option.count > 2, !option.contains("="), !option.hasPrefix("-j") else {
        return false
      }
      return option.last.map { withValue.contains("-\($0)") } ?? false
    }
  }

  /// Puts the command in front of options that were given before it, as in `git -C DIR log`: the parser would take it
  /// for a target. The first word that is neither an option nor a value decides. A target with the name of a command
  /// needs `build` in front of it.
  static func commandFirst(_ words: [String]) -> [String] {
    // Most lines name no command behind an option, and need no list of options.
    guard words.dropFirst().contains(where: commands.contains), let index = firstWord(words), index > 0,
      commands.contains(words[index])
    else { return words }
    var words = words
    words.insert(words.remove(at: index), at: 0)
    return words
  }

  /// The first word that is neither an option nor a value: a command, or a target. Without a command, options are those
  /// of `build`.
  static func firstWord(_ words: [String]) -> Int? {
    guard let first = words.first, first.hasPrefix("-") else { return words.isEmpty ? nil : 0 }
    // A shell's request for completions names the command itself.
    if first.hasPrefix("---") { return nil }
    let options = Options(of: BuildCommand.self)
    var index = 0
    while index < words.count, words[index].hasPrefix("-"), words[index] != "--" {
      index += options.takesNext(words[index]) ? 2 : 1
    }
    return index < words.count && words[index] != "--" ? index : nil
  }
}

extension CommandWords {
  /// A mistake for words that failed, if the first of them is no target but similar to a command: the messages of the
  /// parser or a build would then be misleading.
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
    // An invalid manifest is reported first, because the word may be one of its targets.
    guard let targets = Project.targets(manifest(words)), !targets.contains(word) else { return nil }
    // A target with the name of a command cannot be built by its name alone.
    let candidates = targets.filter { !commands.contains($0) } + commands
    guard let near = nearest(to: word, among: candidates), commands.contains(near) else { return nil }
    let other = targets.contains(near) ? ", or 'build \(near)'" : ""
    return Mistakes("there is no target '\(word)'", hint: "did you mean the command '\(near)'\(other)?")
  }

  /// The manifest that the words of a command line select.
  static func manifest(_ words: [String]) -> Project.Options {
    var options = Project.Options()
    for (name, value) in zip(words, words.dropFirst()) {
      if name == "-C" { options.directory = FilePath(value) }
      if name == "-f" { options.manifest = FilePath(value) }
    }
    return options
  }
}
