import Documents
import Findings
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
    var (values, otherValues) = (ResourceElements(self), ResourceElements(other))
    var found = other.resources.defined.compactMap { definition, second in
      resources.defined[definition].flatMap { clash(definition, $0, &values, second, &otherValues) }
    }
    for (name, second) in other.resources.formats {
      guard let first = resources.formats[name], first.mask != second.mask else { continue }
      found.append(.init(what: "attr '\(name)'", first: first.site, second: second.site, isSame: false))
    }
    return ResourceClash.inOrder(found)
  }

  /// Its own repeated definitions, in two folders of one configuration.
  package var repetitions: [ResourceClash] {
    var values = ResourceElements(self)
    var others = values
    return ResourceClash.inOrder(
      resources.repeated.compactMap { definition, second in
        resources.defined[definition].flatMap { clash(definition, $0, &values, second, &others) }
      })
  }

  private func clash(
    _ definition: AndroidResources.Definition, _ first: ResourceSite, _ values: inout ResourceElements,
    _ second: ResourceSite, _ otherValues: inout ResourceElements
  ) -> ResourceClash? {
    let isFile = first.position == nil && second.position == nil
    if definition.type == .styleable || isFile && first.path == second.path { return nil }
    var isSame = false
    if isFile {
      let digest = values.library.file(first.path)?.contentDigest
      isSame = digest != nil && digest == otherValues.library.file(second.path)?.contentDigest
    } else if let one = values.element(first), let two = otherValues.element(second) {
      isSame = one.isSame(as: two)
    }
    let name = String(decoding: definition.name, as: UTF8.self)
    return ResourceClash(what: "\(definition.type.rawValue) '\(name)'", first: first, second: second, isSame: isSame)
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

/// The elements of a library's `values` files, which are read again for the few that clash.
private struct ResourceElements {
  let library: ResourceLibrary
  private var known: [[UInt8]: (tags: [XMLTag], places: [XMLTag.Position: Int])] = [:]

  init(_ library: ResourceLibrary) { self.library = library }

  mutating func element(_ site: ResourceSite) -> ResourceElement? {
    guard let position = site.position, let file = library.file(site.path) else { return nil }
    if known[site.path] == nil {
      let tags = (try? XMLEvents.read(file.bytes))?.children ?? []
      known[site.path] = (tags, Dictionary(zip(tags.lazy.map(\.position), tags.indices)) { first, _ in first })
    }
    guard let (tags, places) = known[site.path], let place = places[position] else { return nil }
    return ResourceElement(tag: tags[place], source: file.bytes[tags[place].range])
  }
}

/// A value as it is written.
private struct ResourceElement {
  let tag: XMLTag
  let source: ArraySlice<UInt8>

  /// False where it is not known.
  func isSame(as other: ResourceElement) -> Bool {
    source == other.source || ResourceElement.form(tag).map { $0 == ResourceElement.form(other.tag) } ?? false
  }

  /// Equal for elements that mean the same; nil if text stands between elements, whose order is not known here.
  private static func form(_ tag: XMLTag) -> [String]? {
    let text = tag.text.trimmed
    guard text.isEmpty || tag.children.isEmpty else { return nil }
    // White space counts only inside of quotes.
    let words = text.utf8.contains(UInt8(ascii: "\"")) ? [String(text)] : text.words.map(String.init)
    // Attributes for translators and checks do not matter to a device.
    let attributes = tag.attributes.filter { attribute in
      attribute.namespace.isEmpty && !["translatable", "formatted"].contains(attribute.name)
    }
    var form = [tag.namespace, tag.name] + attributes.flatMap { [$0.name, $0.value] } + ["="] + words
    for child in tag.children {
      guard let inner = self.form(child) else { return nil }
      form += ["<"] + inner + [">"]
    }
    return form
  }
}
