package import Android
import Findings

/// A family of collisions in Android apps.
package protocol AndroidCollision: CollisionRule {
  /// `plugins`: in the order of the build; the first `appCount` are the app's own.
  static func collisions(in plugins: [AndroidContents], appCount: Int) -> [Collision]
}

package enum AndroidCollisions {
  static let all: [any AndroidCollision.Type] = [DuplicateJavaClass.self, DuplicateNativeLibrary.self]

  package static func all(in plugins: [AndroidContents], appCount: Int) -> [Collision] {
    all.flatMap { $0.collisions(in: plugins, appCount: appCount) }
  }
}

extension AndroidCollision {
  static func site(_ place: Place, _ kind: Collision.Site.Kind) -> Collision.Site {
    let isInside = place.parts.count > 1
    return Collision.Site(
      isInside ? Place(parts: place.parts.dropLast()) : place, member: isInside ? place.parts.last : nil, kind)
  }

  static func note(_ collision: Collision) -> String {
    collision.identical == true ? "they are the same" : "they differ"
  }
}

/// The major version of the app's Android Gradle plugin: some clashes are warnings for one and errors for the next.
package enum AndroidGradlePlugin: String, Sendable, CaseIterable {
  case eight = "8"
  case nine = "9"
}
