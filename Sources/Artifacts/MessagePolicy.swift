package import Documents
package import Findings
import Store
package import SystemPackage

/// A plugin's policy file: the messages that it sends and receives, by kind. The host's JSON Schema defines the whole
/// format; this reads the parts that concern other plugins and the plugin's own code.
///
///     {"plugin": "Ledger", "class": "LedgerPlugin", "app": false,
///      "sends": {"events": ["Ledger.changed"], "queries": ["Accounts.balance"]}, "receives": {…}}
///
/// A message's name begins with the plugin that owns it: the publisher of an event, the handler of any other message.
package struct MessagePolicy: Sendable {
  package let plugin: String
  /// As the host looks it up: `Class`, or `Module.Class` for Swift.
  package let className: (text: String, place: Place)?
  /// Whether it is the app's own plugin, which is not a library of its own.
  package let isApp: Bool
  /// In the file's order.
  package let messages: [Message]
  package let place: Place

  package struct Message: Sendable {
    package let kind: Kind
    package let name: String
    /// The publisher of an event sends it, and its subscribers receive it.
    package let isSent: Bool
    package let place: Place

    /// The plugin that owns a message: `Accounts` of `Accounts.balance`.
    package static func owner(_ name: String) -> String { name.split(separator: ".").first.map(String.init) ?? name }
  }

  /// A kind of messages, by its key in the file, such as `queries`. A host may have kinds of its own.
  package struct Kind: Hashable, Sendable, Comparable {
    package let key: String

    package init(_ key: String) { self.key = key }

    package static let events = Kind("events")
    /// Any number of plugins may subscribe to an event; one plugin handles any other message.
    package var isForMany: Bool { self == .events }

    /// The singular of the key.
    package var noun: String {
      switch key {
      case "queries": "query"
      case _ where key.hasSuffix("s"): String(key.dropLast())
      default: key
      }
    }

    package static func < (a: Kind, b: Kind) -> Bool { a.key.utf8.lexicographicallyPrecedes(b.key.utf8) }
  }

  private static let messages = Shape.map(.list(.text))
  private static let shape = [
    Key("plugin", .text, required: true, "the plugin's name, with which the names of its messages begin"),
    Key("class", .text, "the plugin's class"),
    Key("app", .flag, "whether it is the app's own plugin"),
    Key("sends", messages, "the names of the messages that it sends, by kind"),
    Key("receives", messages, "the names of the messages that it receives, by kind"),
  ]

  /// Other keys are not checked: they are the host's concern.
  package init(_ node: Node) throws(Mistakes) {
    var check = SchemaCheck(root: "the policy")
    let known = node.members.filter { member in MessagePolicy.shape.contains { sameBytes($0.name, member.key) } }
    if case .map = node.value {
      check.check(Node(.map(known), at: node.place), .object(MessagePolicy.shape), "")
    } else {
      check.check(node, .object([]), "")
    }
    guard check.mistakes.isEmpty else { throw Mistakes(check.mistakes) }
    place = node.place
    plugin = node["plugin"]?.text ?? ""
    className = node["class"].flatMap { node in node.text.map { ($0, node.place) } }
    isApp = node["app"]?.text == "true"
    messages = [("sends", true), ("receives", false)].flatMap { key, isSent in
      (node[key]?.members ?? []).flatMap { member in
        (member.node.list ?? []).map {
          Message(kind: Kind(member.key), name: $0.text ?? "", isSent: isSent, place: $0.place)
        }
      }
    }
  }

  /// Reads the policy of a deliverable, which is JSON.
  package static func read(_ path: FilePath) throws(Mistakes) -> MessagePolicy {
    let bytes = try explained { try FileSystem.read(path, limit: YAMLText.maxBytes) }
    return try MessagePolicy(try JSONText.parse(bytes, name: path.string))
  }
}
