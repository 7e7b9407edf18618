/// One result of a rule.
package struct Finding: Hashable, Sendable {
  package enum Rank: Int, Sendable {
    /// It is worse than others of its level.
    case leading
    case usual
    /// The report's reader can do little about it.
    case trailing
  }

  package var rule: RuleID
  package var level: Level
  /// One line, lower case, no full stop.
  package var message: String
  /// The places of the finding; the first is the main one.
  package var sites: [Place]
  package var notes: [String]
  package var hint: String?
  package var edit: Edit?
  /// The order among findings of the same level.
  package var rank = Rank.usual
  /// The parts of its identity that the other fields do not give.
  package var subject = FindingSubject()
  package var scope = FindingScope()

  /// `names` are part of the identity, where rule and sites do not say all.
  package init(
    _ rule: RuleID, _ level: Level, _ message: String, about names: [String] = [], at sites: [Place] = [],
    notes: [String] = [], hint: String? = nil, edit: Edit? = nil
  ) {
    self.rule = rule
    self.level = level
    self.message = message
    self.sites = sites
    self.notes = notes
    self.hint = hint
    self.edit = edit
    subject.names = names
  }

  /// What to do, for formats without a place of their own for it.
  var advice: [String] {
    [hint.map { "hint: \($0)" }, shownEdit?.line].compactMap(\.self)
  }

  /// Nil if the hint has it already.
  package var shownEdit: Edit? { edit.flatMap { edit in hint?.contains(edit.text) == true ? nil : edit } }
}
