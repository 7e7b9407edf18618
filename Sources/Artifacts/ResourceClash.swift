/// A resource that two libraries define.
package struct ResourceClash: Sendable {
  /// `string 'app_name'`.
  package let what: String
  package let first: ResourceSite
  package let second: ResourceSite
}

extension AndroidResources {
  /// What both define and one app can have once, in the order of the second one's paths. Not resources that are files of
  /// one path: those are seen when they are put side by side.
  package func clashes(with other: AndroidResources) -> [ResourceClash] {
    var found: [ResourceClash] = []
    for (definition, second) in other.defined {
      guard let first = defined[definition] else { continue }
      let isFile = first.position == nil && second.position == nil
      if isFile, first.path == second.path { continue }
      let name = String(decoding: definition.name, as: UTF8.self)
      found.append(.init(what: "\(definition.type.rawValue) '\(name)'", first: first, second: second))
    }
    for (name, second) in other.formats {
      guard let first = formats[name], first.mask != second.mask else { continue }
      found.append(.init(what: "attr '\(name)', with two formats,", first: first.site, second: second.site))
    }
    return found.sorted { one, other in
      if one.second.path != other.second.path { return one.second.path.lexicographicallyPrecedes(other.second.path) }
      let places = (one.second.position, other.second.position)
      return (places.0?.line ?? 0, places.0?.column ?? 0, one.what) < (
        places.1?.line ?? 0, places.1?.column ?? 0, other.what
      )
    }
  }
}
