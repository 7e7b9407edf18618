import Artifacts
package import Findings

/// A message that is sent and that no plugin of the app receives, or an event that no plugin publishes.
package enum UnhandledMessage: CollisionRule {
  package static let id: RuleID = "unhandled-message"
  package static let noun = (one: "unhandled message", many: "unhandled messages")
  package static let isInCommon = false

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let clash = collision.message
    let (noun, plugins) = (clash?.noun ?? "", clash?.shownPlugins ?? "")
    let isOne = clash?.plugins.count == 1
    let message =
      clash?.isForMany == true
      ? "nobody publishes the \(noun) \(collision.name.text) that \(plugins) \(isOne ? "subscribes" : "subscribe") to"
      : "nobody receives the \(noun) \(collision.name.text) that \(plugins) \(isOne ? "sends" : "send")"
    return (message, [], clash?.hint ?? "")
  }

  package static func edit(_ all: [Collision]) -> Edit? { all.first?.message?.edit }

  static func collisions(in exchange: MessageExchange) -> [Collision] {
    var names = MeantNames(exchange)
    return exchange.channels.filter(\.isUnhandled).map { channel in
      let ends = channel.kind.isForMany ? channel.receivers : channel.senders
      var clash = MessageClash(
        noun: channel.kind.noun, isForMany: channel.kind.isForMany, plugins: ends.plugins,
        hint: names.hint(for: channel))
      if clash.hint.hasPrefix("let ") {
        let verb: Edit.Line = channel.kind.isForMany ? "sends" : "receives"
        clash.edit = Edit(.policy, "\(verb): { \(channel.kind.key): [\(channel.name)] }")
      }
      // A missing event is only a warning, because its subscribers just wait.
      return Collision(
        id, channel.kind.isForMany ? .warning : .error, channel.name,
        ends.map { ($0.place, channel.kind.isForMany ? .receives : .sends) }, clash)
    }
  }
}

/// Suggestions for the message that was meant, if the app has one of a similar name.
private struct MeantNames {
  private let exchange: MessageExchange
  private let plugins: Set<String>
  /// Names of messages that are answered or published, by kind.
  private let known: [MessagePolicy.Kind: [String]]
  private let kinds: [String: [MessagePolicy.Kind]]
  /// The number of names that may yet be compared: each costs some microseconds, and policies may have a hundred
  /// thousand.
  private var budget = 20_000

  private static let maxNameLength = 200

  init(_ exchange: MessageExchange) {
    self.exchange = exchange
    plugins = Set(exchange.plugins)
    let answered = exchange.channels.filter { !$0.isUnhandled }
    let short = answered.filter { $0.name.utf8.count <= MeantNames.maxNameLength }
    known = Dictionary(grouping: short, by: \.kind).mapValues { $0.map(\.name) }
    kinds = Dictionary(grouping: answered, by: \.name).mapValues { $0.map(\.kind) }
  }

  mutating func hint(for channel: MessageExchange.Channel) -> String {
    let (verb, owner) = (channel.kind.isForMany ? "publish" : "receive", MessagePolicy.Message.owner(channel.name))
    if let other = kinds[channel.name]?.first { return "it is there as \(other.noun.withArticle): say which it is" }
    let candidates = known[channel.kind] ?? []
    if channel.name.utf8.count <= MeantNames.maxNameLength, candidates.count <= budget {
      budget -= candidates.count
      if let hint = didYouMean(channel.name, among: candidates) { return hint }
    }
    return plugins.contains(owner)
      ? "let \(owner) \(verb) it, and say so in its policy"
      : "add the plugin \(owner) to the app; if it is there, name its policy file, too"
  }
}

extension String {
  fileprivate var withArticle: String {
    "\("aeiou".unicodeScalars.contains(unicodeScalars.first ?? " ") ? "an" : "a") \(self)"
  }
}
