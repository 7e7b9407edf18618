import Findings

extension CollisionRule {
  /// A place inside a container is split into the container and its member.
  static func site(_ place: Place, of plugin: PluginID, _ kind: Collision.Site.Kind) -> Collision.Site {
    let isInside = place.parts.count > 1
    return Collision.Site(
      isInside ? Place(parts: place.parts.dropLast()) : place, member: isInside ? place.parts.last : nil, of: plugin,
      kind)
  }

  static func note(_ collision: Collision) -> String {
    collision.identical == true ? "they are the same" : "they differ"
  }
}
