import Findings
import Packaging
import Pages

/// `npi-pack help TOPIC`: a page of the documentation, exactly as in its file.
enum HelpTopic {
  /// The word that lists the pages.
  private static let list = "topics"

  static var names: [String] { [list] + Pages.all.map(\.topic) }

  /// The page that a command line asks for; nil for any other command line, also for the help of a command.
  static func text(for words: [String]) throws(Mistakes) -> String? {
    guard words.first == "help", words.count > 1, !words[1].hasPrefix("-"), !CommandWords.commands.contains(words[1])
    else { return nil }
    let topic = words.dropFirst().joined(separator: " ")
    if topic == list { return listing }
    if let page = Pages.all.first(where: { $0.topic == topic }) { return String(decoding: page.text, as: UTF8.self) }
    throw Mistakes(
      "there is no command or topic '\(printable(topic))'",
      hint: nearest(to: topic, among: CommandWords.commands + names).map { "did you mean 'help \($0)'?" }
        ?? "npi-pack --help lists the commands, npi-pack help \(list) the pages of the documentation")
  }

  private static var listing: String {
    let width = Pages.all.map(\.topic.count).max() ?? 0
    return Pages.all.map { $0.topic.padded(to: width + 2) + summary(of: $0.text) + "\n" }.joined()
  }

  /// The paragraph below a page's title, which is one line.
  private static func summary(of page: [UInt8]) -> String {
    let lines = page.split(separator: UInt8(ascii: "\n"))
    return lines.count > 1 ? String(decoding: lines[1], as: UTF8.self) : ""
  }
}
