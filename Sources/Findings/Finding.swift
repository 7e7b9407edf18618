/// One thing that a rule says.
package struct Finding: Hashable, Sendable {
  package enum Rank: Int, Sendable {
    /// It is worse than its level.
    case leading
    case usual
    /// Whoever reads the report can do little about it.
    case trailing
  }

  package var rule: RuleID
  package var level: Level
  /// One line, lower case, no full stop.
  package var message: String
  /// Where it was seen; the first is the main one.
  package var sites: [Place]
  package var notes: [String]
  /// The way out.
  package var hint: String?
  /// Where it stands among those of its level.
  package var rank = Rank.usual
  /// What of it stays the same in the next version.
  package var subject = FindingSubject()

  /// `about`: the names that the message speaks of, where rule and sites do not say all.
  package init(
    _ rule: RuleID, _ level: Level, _ message: String, about names: [String] = [], at sites: [Place] = [],
    notes: [String] = [], hint: String? = nil
  ) {
    self.rule = rule
    self.level = level
    self.message = message
    self.sites = sites
    self.notes = notes
    self.hint = hint
    subject.names = names
  }
}
