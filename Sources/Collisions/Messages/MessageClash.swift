package import Artifacts
package import Findings

/// A plugin of an app, as far as it talks to others.
package struct MessageParty: Sendable {
  /// As its policy calls it; else as its release or its file is called.
  package var name: String
  package var place: Place
  package var policies: [MessagePolicy]
  /// It is no plugin that could have a policy: a configuration by itself.
  package var hasCode: Bool

  package init(name: String, place: Place, policies: [MessagePolicy], hasCode: Bool) {
    self.name = name
    self.place = place
    self.policies = policies
    self.hasCode = hasCode
  }
}

/// What is wrong with a message, besides its name.
package struct MessageClash: Hashable, Sendable {
  /// `query`; of a plugin itself: `policy`.
  var noun: String
  /// It is an event: those who have to do with it subscribe to it.
  var isForMany = false
  /// The plugins, each once, in their order.
  var plugins: [String]
  /// The way out.
  var hint: String

  /// `A`, `A and B`, `A, B, C and 4 more`.
  var shownPlugins: String { enumerated(plugins) }
}

/// What does not fit together when plugins send messages to each other. Their policies say it, and no linker does.
package enum MessageClashes {
  static let rules: [any CollisionRule.Type] = [
    DuplicateHandler.self, MissingPolicy.self, PolicyClass.self, UnhandledMessage.self,
  ]

  package static func all(in parties: [MessageParty]) -> [Collision] {
    let exchange = MessageExchange(parties)
    return UnhandledMessage.collisions(in: exchange) + DuplicateHandler.collisions(in: exchange)
      + MissingPolicy.collisions(in: parties)
  }
}

extension Collision {
  init(
    _ rule: RuleID, _ verdict: Verdict, _ name: String, _ sites: [(place: Place, kind: Site.Kind)],
    _ message: MessageClash
  ) {
    self.init(rule, verdict, nil, name, sites.map { Site($0.place, $0.kind) })
    self.message = message
  }
}
