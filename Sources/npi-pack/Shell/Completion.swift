import Collisions
import Findings
import Packaging
import Rules

/// What may stand where the cursor is: what the scripts for the shells (`CompletionScript`) ask for.
struct Completion {
  /// What a shell is to look for besides.
  enum Files: String { case words, files, folders }

  private(set) var files = Files.words
  private(set) var words: [String] = []

  /// `files`, `folders` or `words`, and then a word a line.
  var text: String { ([files.rawValue] + words).map { $0 + "\n" }.joined() }

  private let current: String
  private let before: [String]

  /// - Parameter words: those after `npi-pack`, up to the one with the cursor, which may be empty.
  init(_ words: [String], for shell: String) {
    let typed = shell == "bash" ? BashWords(words) : nil
    let words = typed?.words ?? words
    current = words.last ?? ""
    before = Array(words.dropLast())
    guard let root = CommandHelp.all else { return }
    complete(root)
    var seen: Set<String> = []
    self.words = self.words.filter { $0.hasPrefix(current) && Completion.isPlain($0) && seen.insert($0).inserted }
      .map { String($0.dropFirst(typed?.skipped ?? 0)) }
  }

  /// Nothing that a shell would take for something else: whoever wrote the manifest may be a stranger.
  private static func isPlain(_ word: String) -> Bool {
    let signs = "._/+:@%,=-".unicodeScalars
    return word == printable(word)
      && word.unicodeScalars.allSatisfy { scalar in
        !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || signs.contains(scalar)
      }
  }

  private mutating func complete(_ root: CommandHelp) {
    var rest = before
    var command = root.subcommands.first { $0.name == "build" } ?? root
    if let index = CommandWords.firstWord(rest) {
      if let named = root.subcommands.first(where: { $0.name == rest[index] }) {
        command = named
        rest.remove(at: index)
      }
    } else {
      offer(root.subcommands.map(\.name))
      if current.hasPrefix("-") { offer(root.arguments.flatMap(\.names)) }
    }
    if !command.subcommands.isEmpty {
      if let next = rest.first, let named = command.subcommands.first(where: { $0.name == next }) {
        command = named
        rest.removeFirst()
      } else {
        offer(command.subcommands.map(\.name))
      }
    }
    // What the parser calls the help of a command takes its name.
    if command.name == "help" { return offer(root.subcommands.map(\.name)) }
    complete(command, rest)
  }

  private mutating func complete(_ command: CommandHelp, _ rest: [String]) {
    var place = 0
    var option: CommandHelp.Argument?
    var isEnded = false
    var given: Set<String> = []
    for word in rest {
      if option != nil {
        option = nil
      } else if word == "--", !isEnded {
        isEnded = true
      } else if word.hasPrefix("-"), word.count > 1, !isEnded {
        given.insert(word)
        option = command.option(word)
      } else {
        place += 1
      }
    }
    if let option {
      // It is no command then.
      self.words = []
      return value(of: option, "", rest)
    }
    if current.hasPrefix("-"), !isEnded {
      if let equals = current.firstIndex(of: "="), let option = command.option(String(current[..<equals])) {
        return value(of: option, String(current[...equals]), rest)
      }
      let free = command.arguments.filter { argument in
        argument.isRepeating || !argument.names.contains(where: given.contains)
      }
      return offer(free.flatMap(\.names))
    }
    // Behind `--`, check has the linker's own words.
    if isEnded, command.name == "check" { files = .files }
    if let argument = command.positional(place) { value(of: argument, "", rest) }
  }

  private mutating func offer(_ words: [String]) { self.words += words }

  /// By the name that its help has for it. `head`: what stands before the value in the same word.
  private mutating func value(of argument: CommandHelp.Argument, _ head: String, _ rest: [String]) {
    if !argument.values.isEmpty { return offer(argument.values.map { head + $0 }) }
    switch argument.valueName {
    case "target" where rest.contains("--messages"): files = .files
    case "target": offer((Project.targets(CommandWords.manifest(rest)) ?? []).map { head + $0 })
    case "output":
      offer((Project.targets(CommandWords.manifest(rest)) ?? []).map { head + $0 })
      files = .files
    case "recipe":
      offer(Recipe.builtIn.map { head + $0.name })
      files = .files
    case "rule": offer(RuleCatalogue.all.map { head + $0.id.rawValue })
    case "kind": offer(KindHelp.names.map { head + $0 })
    case let name where name.hasPrefix("rule="): offer(levels(current.dropFirst(head.count)).map { head + $0 })
    case "key=value": offer(Project.configurationKeys(CommandWords.manifest(rest)).map { "\(head)\($0)=" })
    case "git|file":
      offer([head + "git"])
      files = .files
    case "dir": files = .folders
    case "n", "arch": break
    default: files = .files
    }
  }

  /// `RULE=`, and then `RULE=LEVEL`.
  private func levels(_ typed: Substring) -> [String] {
    let rule = typed.prefix { $0 != "=" }
    return rule.endIndex == typed.endIndex
      ? RuleCatalogue.all.map { "\($0.id.rawValue)=" } : Level.allCases.map { "\(rule)=\($0.rawValue)" }
  }
}

/// The words as bash gives them: quoted as they were typed, and cut at each `=` and `:`, which are words by themselves. It
/// puts what is offered in the place of the last piece only.
struct BashWords {
  private(set) var words: [String] = []
  /// So much of the last word stands before its last piece, in characters.
  private(set) var skipped = 0

  init(_ pieces: [String]) {
    var isOpen = false
    for piece in pieces {
      let isSign = !piece.isEmpty && piece.utf8.allSatisfy("=:".utf8.contains)
      let text = BashWords.unquoted(piece)
      if !words.isEmpty, isSign || isOpen {
        skipped = words[words.count - 1].count + (isSign ? text.count : 0)
        words[words.count - 1] += text
      } else {
        skipped = 0
        words.append(text)
      }
      isOpen = isSign
    }
  }

  private static func unquoted(_ text: String) -> String {
    guard text.utf8.contains(where: "\\'\"".utf8.contains) else { return text }
    var result = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var isEscaped = false
    for sign in text.unicodeScalars {
      if isEscaped {
        isEscaped = false
        result.append(sign)
      } else if sign == "\\", quote != "'" {
        isEscaped = true
      } else if sign == quote {
        quote = nil
      } else if quote == nil, sign == "'" || sign == "\"" {
        quote = sign
      } else {
        result.append(sign)
      }
    }
    return String(result)
  }
}
