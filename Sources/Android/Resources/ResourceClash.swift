import Documents
import Findings
import OrderedCollections
import Store

package struct ResourceClash: Sendable {
  /// `string 'app_name'`.
  package let what: String
  package let first: ResourceSite
  package let second: ResourceSite
  /// Whether both values are the same, so that either can be used.
  package let isSame: Bool
}

extension ResourceLibrary {
  /// Definitions of both that one app can have only once, in the order of the second library's paths. Files of one path
  /// are not among them, because putting the files side by side finds those; nor are styleables, which are united.
  package func clashes(with other: ResourceLibrary) -> [ResourceClash] {
    var found = other.resources.defined.compactMap { definition, second in
      resources.defined[definition].flatMap { clash(definition, $0, second, of: other) }
    }
    for (name, second) in other.resources.formats {
      guard let first = resources.formats[name], first.mask != second.mask else { continue }
      found.append(.init(what: "attr '\(name)'", first: first.site, second: second.site, isSame: false))
    }
    return ResourceClash.inOrder(found)
  }

  /// Its own repeated definitions, in two folders of one configuration.
  package var repetitions: [ResourceClash] {
    ResourceClash.inOrder(
      resources.repeated.compactMap { definition, second in
        resources.defined[definition].flatMap { clash(definition, $0, second, of: self) }
      })
  }

  private func clash(
    _ definition: AndroidResources.Definition, _ first: AndroidResources.Defined, _ second: AndroidResources.Defined,
    of other: ResourceLibrary
  ) -> ResourceClash? {
    let isFile = first.value == nil && second.value == nil
    if definition.type == .styleable || isFile && first.site.path == second.site.path { return nil }
    let isSame: Bool
    if isFile {
      let digest = file(first.site.path)?.contentDigest
      isSame = digest != nil && digest == other.file(second.site.path)?.contentDigest
    } else {
      isSame = first.value == second.value
    }
    let name = String(decoding: definition.name, as: UTF8.self)
    return ResourceClash(
      what: "\(definition.type.rawValue) '\(name)'", first: first.site, second: second.site, isSame: isSame)
  }
}

extension ResourceClash {
  /// In the order of the second one's place. There may be hundreds of thousands, so sorting moves numbers and no texts.
  fileprivate static func inOrder(_ clashes: [ResourceClash]) -> [ResourceClash] {
    let paths = Set(clashes.map(\.second.path)).sorted { $0.lexicographicallyPrecedes($1) }
    let ranks = Dictionary(uniqueKeysWithValues: zip(paths, 0...))
    let places = clashes.enumerated().map { index, clash in
      let position = clash.second.position
      return (ranks[clash.second.path] ?? 0, position?.line ?? 0, position?.column ?? 0, index)
    }
    let sorted = places.sorted { one, other in
      let (a, b) = ((one.0, one.1, one.2), (other.0, other.1, other.2))
      return a == b ? clashes[one.3].what < clashes[other.3].what : a < b
    }
    return sorted.map { clashes[$0.3] }
  }
}

extension ResourceFile {
  fileprivate var contentDigest: Digest? { digest ?? (bytes.isEmpty ? nil : Digest(of: bytes)) }
}
