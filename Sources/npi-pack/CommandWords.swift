import ArgumentParser
import Documents
import Findings
import Packaging
import SystemPackage

/// The words of a command line: which of them is the command.
enum CommandWords {
  static var commands: [String] {
    NPIPack.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// The options that take the next word, of a command.
  struct Options {
    private let withValue: Set<String>

    /// As the parser itself lists them.
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

  /// Puts the command in front of options that were given before it, as in `git -C DIR log`: the parser would take it for a
  /// target. The first word that is neither an option nor a value decides. A target with the name of a command needs
  /// `build` in front of it.
  static func commandFirst(_ words: [String]) -> [String] {
    guard let index = firstWord(words), index > 0, commands.contains(words[index]) else { return words }
    var words = words
    words.insert(words.remove(at: index), at: 0)
    return words
  }

  /// The first word that is neither an option nor a value: a command, or a target. Without a command, options are those of
  /// `build`.
  static func firstWord(_ words: [String]) -> Int? {
    guard let first = words.first, first.hasPrefix("-") else { return words.isEmpty ? nil : 0 }
    // A shell asks for completions, and names the command by itself.
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
