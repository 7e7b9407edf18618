import Artifacts
import Findings

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

extension Collision {
  init(
    _ rule: RuleID, _ verdict: Verdict, _ name: String, _ sites: [(place: Place, kind: Site.Kind)],
    _ message: MessageClash
  ) {
    self.init(rule, verdict, nil, name, sites.map { Site($0.place, of: nil, $0.kind) })
    self.message = message
  }
}
