/// What a rule, or a family of collisions, comes to when it is asked.
package enum Judgement<Found: Sendable>: Sendable {
  /// The user or the host has switched it off, or it is for artifacts of other kinds.
  case off
  /// It is on and lacks something that it needs: the reason, as `set its prefix`.
  case cannot(String)
  case found([Found])

  package var found: [Found] {
    guard case .found(let found) = self else { return [] }
    return found
  }
}
