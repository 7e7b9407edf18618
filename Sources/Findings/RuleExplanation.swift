/// How a rule is explained to whoever has met it, in the manner of `rustc --explain`. Lines have 100 characters at most.
package struct RuleExplanation: Sendable {
  /// What goes wrong later, and where: the tool's or the store's own words for it, if it has any.
  package let why: String
  /// The smallest thing that it refuses: source, a line of a manifest or the names of entries.
  package let bad: String
  /// The same, mended.
  package let good: String
  /// What to do, step by step if there is a choice.
  package let mend: String

  package init(why: String, bad: String, good: String, mend: String) {
    self.why = why
    self.bad = bad
    self.good = good
    self.mend = mend
  }
}
