/// The severity of a finding. `error` makes the command fail.
package enum Level: String, Sendable, CaseIterable, Comparable {
  case off, note, warning, error

  package static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

  private var rank: Int { Level.allCases.firstIndex(of: self) ?? 0 }
}
