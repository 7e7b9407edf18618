import ArgumentParser
import Documents

/// A command with its options, as `--help` has them: read from what the parser itself prints for programs. The man page and
/// completions come from here, so that they cannot know other options than the parser.
struct CommandHelp {
  let name: String
  /// One line.
  let abstract: String
  /// Examples, mostly; lines.
  let discussion: String
  let arguments: [Argument]
  let subcommands: [CommandHelp]

  struct Argument {
    enum Kind: String { case positional, option, flag }

    let kind: Kind
    /// With their dashes; none for a positional one.
    let names: [String]
    /// What stands for the value: `file`.
    let valueName: String
    let isOptional: Bool
    let isRepeating: Bool
    /// All that it may be, if these are few.
    let values: [String]
    let defaultValue: String?
    let abstract: String
  }
}

extension CommandHelp {
  /// Of all of npi-pack.
  static let all: CommandHelp? = {
    guard let node = try? JSONText.parse(Array(NPIPack._dumpHelp().utf8), name: "help") else { return nil }
    return node["command"].map(CommandHelp.init)
  }()

  private init(_ node: Node) {
    name = node["commandName"]?.text ?? ""
    abstract = node["abstract"]?.text ?? ""
    discussion = node["discussion"]?.text ?? ""
    arguments = (node["arguments"]?.list ?? []).filter { $0["shouldDisplay"]?.text != "false" }.map(Argument.init)
    subcommands = (node["subcommands"]?.list ?? []).filter { $0["shouldDisplay"]?.text != "false" }.map(
      CommandHelp.init)
  }

  /// The positional argument that a word is, by how many stand before it.
  func positional(_ index: Int) -> Argument? {
    let all = arguments.filter { $0.kind == .positional }
    return index < all.count ? all[index] : all.last.flatMap { $0.isRepeating ? $0 : nil }
  }

  /// The option of that name, which takes a value.
  func option(_ name: String) -> Argument? { arguments.first { $0.kind == .option && $0.names.contains(name) } }
}

extension CommandHelp.Argument {
  fileprivate init(_ node: Node) {
    kind = Kind(rawValue: node["kind"]?.text ?? "") ?? .flag
    names = (node["names"]?.list ?? []).map { name in
      (name["kind"]?.text == "long" ? "--" : "-") + (name["name"]?.text ?? "")
    }
    valueName = node["valueName"]?.text ?? ""
    isOptional = node["isOptional"]?.text == "true"
    isRepeating = node["isRepeating"]?.text == "true"
    values = (node["allValues"] ?? node["allValueStrings"])?.list?.compactMap(\.text) ?? []
    defaultValue = node["defaultValue"]?.text
    abstract = node["abstract"]?.text ?? ""
  }
}
