import Artifacts
package import Findings

/// A query, a command or a view that has several handlers: only events may have more than one.
package enum DuplicateHandler: CollisionRule {
  package static let id: RuleID = "duplicate-handler"
  package static let noun = (one: "message with several handlers", many: "messages with several handlers")
  package static let isInCommon = false

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let clash = collision.message
    return (
      "the \(clash?.noun ?? "") \(collision.name.text) has \(collision.sites.count) handlers: \(clash?.shownPlugins ?? "")",
      [], clash?.hint ?? ""
    )
  }

  static func collisions(in exchange: MessageExchange) -> [Collision] {
    exchange.channels.filter { !$0.kind.isForMany && $0.receivers.count > 1 }.map { channel in
      let plugins = channel.receivers.plugins
      let owner = MessagePolicy.Message.owner(channel.name)
      let hint =
        plugins.count == 1
        ? "leave one of the two policies of \(owner) out"
        : plugins.contains(owner)
          ? "it is \(owner)'s by its name: take it out of the other's policy" : "let one of them handle it"
      return Collision(
        id, .error, channel.name, channel.receivers.map { ($0.place, .receives) },
        MessageClash(noun: channel.kind.noun, plugins: plugins, hint: hint))
    }
  }
}
