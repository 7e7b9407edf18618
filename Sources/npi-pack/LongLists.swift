import ArgumentParser

/// A command that may be given thousands of words that are no options.
protocol ListingCommand: ParsableCommand {
  var paths: [String] { get set }
}

/// A command that may be given thousands of settings.
protocol ConfiguredCommand: ParsableCommand {
  var manifest: ManifestOptions { get set }
}

/// A long command line, whose lists bypass the parser: for each word of a list the parser copies the whole list, which
/// takes longer than a check of 1,000 plugins.
struct LongLists {
  /// For up to this many words, the parser's time is not noticeable.
  private static let fewWords = 128

  private(set) var words: [String] = []
  private var paths: [String] = []
  private var settings: [String] = []

  /// - Parameter words: those after the command's name. Nil if they are few, or if the command has no lists.
  init?(_ words: [String], of command: any ParsableCommand.Type) {
    let listsPaths = command is any ListingCommand.Type
    let listsSettings = command is any ConfiguredCommand.Type
    guard words.count > Self.fewWords, listsPaths || listsSettings else { return nil }
    let options = CommandWords.Options(of: command)
    let end = words.firstIndex(of: "--") ?? words.count
    var index = 0
    while index < end {
      let word = words[index]
      let value = index + 1 < end && options.takesNext(word) ? words[index + 1] : nil
      index += value == nil ? 1 : 2
      if listsSettings, word == "--set", let value, !value.hasPrefix("-") {
        settings.append(value)
      } else if listsSettings, word.hasPrefix("--set=") {
        settings.append(String(word.dropFirst(6)))
      } else if listsPaths, !word.hasPrefix("-") || word == "-" {
        paths.append(word)
      } else {
        self.words += [word] + (value.map { [$0] } ?? [])
      }
    }
    if listsPaths { paths += words[end...].dropFirst() } else { self.words += words[end...] }
    // The parser gets one path, because it refuses a command that needs paths and has none.
    if let path = paths.first { self.words += ["--", path] }
  }

  /// Adds the lists to the command that the parser made of `words`.
  func completing(_ command: any ParsableCommand) -> any ParsableCommand {
    if var command = command as? any ListingCommand {
      command.paths = paths
      return command
    }
    if var command = command as? any ConfiguredCommand {
      command.manifest.set = settings
      return command
    }
    return command
  }
}
