@testable import Collisions

extension CollisionSearch {
  /// All names that are defined twice, reported or not, whose definitions are not compared.
  var symbols: [Collision] {
    var origins: [FileOrigin?] = []
    return candidates.map { collision(of: $0, isSame: nil, &origins) }
  }
}
