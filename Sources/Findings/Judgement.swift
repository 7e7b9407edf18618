/// The answer of a rule or of a family of collisions.
package enum Judgement<Found: Sendable>: Sendable {
  /// The user or the host has switched it off, or it is for artifacts of other kinds.
  case off
  /// It is on but lacks something that it needs; the reason is like `set its prefix`.
  case cannot(String)
  case found([Found])

  package var found: [Found] {
    guard case .found(let found) = self else { return [] }
    return found
  }
}
