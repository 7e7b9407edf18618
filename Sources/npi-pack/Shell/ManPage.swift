import Artifacts

/// `npi-pack.1`: the help of all commands as one page for `man`, in the macros of man(7). Nothing in it depends on the day
/// or the machine on which it is made.
enum ManPage {
  /// The option that prints it.
  static let option = "--generate-man-page"

  static func text(_ root: CommandHelp) -> String {
    let name = root.name
    var page = ".TH NPI\\-PACK 1 \"\" \"\(name) \(escaped(Tool.version))\" \"\(name)\"\n"
    page += ".SH NAME\n\(escaped(name)) \\- \(escaped(root.abstract))\n"
    page += ".SH SYNOPSIS\n"
    page += root.subcommands.map { synopsis([name, $0.name], $0) }.joined(separator: ".br\n")
    page += ".SH DESCRIPTION\n" + paragraph(introduction) + example(root.discussion)
    page += ".SH COMMANDS\n"
    page += root.subcommands.map { command($0, [name]) }.joined()
    page += ".SH \"EXIT STATUS\"\n" + rows(exitCodes)
    page += ".SH ENVIRONMENT\n" + rows(variables)
    page += ".SH FILES\n" + rows(files)
    return page
  }

  private static func command(_ command: CommandHelp, _ above: [String]) -> String {
    let words = above + [command.name]
    var text = ".SS \(escaped(words.dropFirst().joined(separator: " ")))\n" + synopsis(words, command)
    text += ".PP\n" + paragraph(sentence(command.abstract)) + example(command.discussion)
    text += entries(command.arguments).map { rows([$0], isEscaped: true) }.joined()
    return text + command.subcommands.map { self.command($0, words) }.joined()
  }

  /// `npi-pack build [OPTION...] [target...]`
  private static func synopsis(_ words: [String], _ command: CommandHelp) -> String {
    var text = ".B \(escaped(words.joined(separator: " ")))\n"
    if command.arguments.contains(where: { $0.kind != .positional }) { text += "[\\fIoptions\\fR]\n" }
    for argument in command.arguments where argument.kind == .positional {
      let one = "\\fI\(escaped(argument.valueName))\\fR" + (argument.isRepeating ? "..." : "")
      text += (argument.isOptional ? "[\(one)]" : one) + "\n"
    }
    return text
  }

  /// A flag and its opposite, which the parser explains in the same words, are one.
  private static func entries(_ arguments: [CommandHelp.Argument]) -> [(String, String)] {
    var entries: [(String, String)] = []
    for (index, argument) in arguments.enumerated() {
      let isOpposite =
        index > 0 && argument.kind == .flag && argument.abstract == arguments[index - 1].abstract
        && argument.names == arguments[index - 1].names.map { "--no-" + $0.dropFirst(2) }
      if isOpposite, let last = entries.popLast() {
        entries.append((last.0 + ", " + head(argument), last.1))
      } else {
        entries.append((head(argument), explanation(argument)))
      }
    }
    return entries
  }

  private static func head(_ argument: CommandHelp.Argument) -> String {
    let value = "\\fI\(escaped(argument.valueName))\\fR"
    if argument.kind == .positional { return value }
    let names = argument.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    return argument.kind == .option ? "\(names) \(value)" : names
  }

  private static func explanation(_ argument: CommandHelp.Argument) -> String {
    var text = escaped(sentence(argument.abstract))
    if !argument.values.isEmpty { text += " One of: \(escaped(argument.values.joined(separator: ", ")))." }
    if let value = argument.defaultValue { text += " (default: \(escaped(value)))" }
    return text
  }

  private static func sentence(_ text: String) -> String {
    guard let last = text.utf8.last, !".:!?".utf8.contains(last) else { return text }
    return text + "."
  }

  // MARK: Macros

  private static func paragraph(_ text: String) -> String { text.isEmpty ? "" : escaped(text) + "\n" }

  /// Lines as they stand; one that is too long for that is a paragraph.
  private static func example(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      line.utf8.count > maxLineLength ? ".PP\n\(escaped(String(line)))\n" : ".PP\n.nf\n\(escaped(String(line)))\n.fi\n"
    }.joined().split(separator: ".fi\n.PP\n.nf\n").joined()
  }

  /// Of an example, in a terminal of 100 columns.
  private static let maxLineLength = 92

  /// Of a list: what, and what it is.
  private static func rows(_ rows: [(String, String)], isEscaped: Bool = false) -> String {
    rows.map { what, text in
      isEscaped ? ".TP\n\(what)\n\(text.isEmpty ? "\\&" : text)\n" : ".TP\n\\fB\(escaped(what))\\fR\n\(escaped(text))\n"
    }.joined()
  }

  /// Text that no formatter takes for a request; in ASCII, whatever it is read as.
  static func escaped(_ text: String) -> String {
    var result = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      // A terminal of ASCII has no other sign for it.
      case "…": result += "..."
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return result
  }

  // MARK: What no command's help has

  private static let introduction = """
    npi-pack reads a plugin's source tree and one small manifest, npi.yml, and makes what leaves the plugin's repository: \
    a zip for iOS, an Android library, one configuration, and what its host asks besides. What is made is clean, the same \
    on every machine, and checked against the rules of the host. Without a command it builds.
    """

  private static let exitCodes = [
    ("0", "All is well."),
    ("1", "A build failed, findings at level error, -q is out of date, strip --dry-run found something."),
    ("2", "Wrong usage, a mistake in the manifest, an input that cannot be read."),
    ("129, 130, 143", "Ended by HUP, by Ctrl-C, by TERM."),
  ]

  private static let variables = [
    ("SOURCE_DATE_EPOCH", BuildCommand.dates),
    ("NPI_PACK_STORE", "The folder of the store of what builds have made."),
    ("XDG_CACHE_HOME", "Where the store is otherwise, but for macOS: npi-pack below it."),
    ("XDG_STATE_HOME", "Where the key is, but for macOS: npi-pack/key below it."),
    ("NO_COLOR", "If it is set and not empty, nothing is coloured; --color always does so all the same."),
  ]

  private static let files = [
    ("npi.yml", "The manifest; npi-pack schema prints its JSON Schema."),
    ("dist/", "What was made (--out DIR)."),
    (".npi/", "What npi-pack remembers of its builds in this folder."),
    ("~/.cache/npi-pack, on macOS ~/Library/Caches/npi-pack", "The store; npi-pack clean --store empties it."),
    (
      "~/.local/state/npi-pack/key, on macOS in ~/Library/Application Support",
      "The key that seals what is remembered; only its owner can read it."
    ),
  ]
}
