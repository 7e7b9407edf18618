import Artifacts
import Findings

/// The details of a collision of messages, besides the message's name.
package struct MessageClash: Hashable, Sendable {
  /// `query`, or `policy` for a collision of a plugin itself.
  var noun: String
  /// Whether it is an event, which any number of plugins may subscribe to.
  var isForMany = false
  /// Each once, in their order.
  var plugins: [String]
  var hint: String
  var edit: Edit?

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
