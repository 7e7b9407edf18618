/// The stable name of a rule: kebab-case, never changed, never reused for another rule.
package struct RuleID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  package init(stringLiteral value: String) { self.rawValue = value }

  package var description: String { rawValue }
}
