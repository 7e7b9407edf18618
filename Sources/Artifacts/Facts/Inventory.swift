package import Archives
package import Findings
package import SystemPackage

/// The entries of one artifact and the facts about each. It judges nothing.
package struct Inventory: Sendable {
  package typealias Role = ArtifactKind

  package let place: Place
  /// The real name of the artifact's file or folder, even if it was given as `.`.
  package internal(set) var rootName: String
  package let role: Role
  /// In the artifact's own order.
  package internal(set) var items: [Item]
  /// Nil if the artifact is no configuration.
  package let configuration: Configuration?
  /// Nil if the artifact is no policy file.
  package let policy: MessagePolicy?
  package internal(set) var irregularities: [String] = []
  /// The parts that could not be read; the rest was.
  package internal(set) var mistakes: [Mistake] = []

  package enum Platform: String, Sendable, CaseIterable { case ios, android }

  package init(
    place: Place, role: Role, items: [Item] = [], configuration: Configuration? = nil, policy: MessagePolicy? = nil
  ) {
    self.place = place
    (self.configuration, self.policy) = (configuration, policy)
    rootName = String(place.parts.last?.lastPathPart ?? "")
    self.role = role
    self.items = items
  }
}

/// Keys and values, in the file's order.
package struct Configuration: Sendable {
  package var members: [(key: String, value: Value)]

  package enum Value: Sendable, Equatable {
    case text(String)
    /// Anything else, named for an error: `a number`.
    case other(String)
  }

  package init(_ members: [(key: String, value: Value)]) { self.members = members }

  /// Nil if the key is missing or its value is no text.
  package func text(_ key: String) -> String? {
    guard case .text(let text)? = members.first(where: { $0.key == key })?.value else { return nil }
    return text
  }
}

/// A file, folder or link of an artifact.
package struct Item: Sendable {
  /// As the artifact spells it, without a trailing slash.
  package var path: [UInt8]
  package var kind: FileType
  /// Bytes; 0 for a folder.
  package var size: Int
  /// Names of extended attributes, its own or packed in its AppleDouble file.
  package var attributes: [String] = []
  package var metadata: AppleMetadata?
  /// Each kind of facts is there at most once.
  package var facts: [any Facts] = []
  /// The reason why an entry cannot be read and has no facts.
  package var damage: String?

  package init(path: [UInt8], kind: FileType = .regular, size: Int) {
    self.path = path
    self.kind = kind
    self.size = size
  }

  package func facts<Kind: Facts>(_ kind: Kind.Type) -> Kind? { facts.lazy.compactMap { $0 as? Kind }.first }

  /// A device, pipe or socket is judged as a file is.
  package var isFile: Bool { !isFolder && !isLink }
  package var isFolder: Bool { kind == .directory }
  package var isLink: Bool { kind == .symbolicLink }

  package var name: String { String(decoding: path, as: UTF8.self) }

  /// The parts of the path; invalid UTF-8 is repaired for display.
  package var parts: [String] { name.pathParts.map(String.init) }

  package var lastPart: String { parts.last ?? "" }

  /// Both names in quotes, for a message; the difference is added where they look the same.
  package func toldApart(from other: Item) -> (String, String) { toldApartNames(path, other.path) }

  /// Whether a folder with this ending, such as `.bundle/`, may be in the path, in letters of any case; false positives
  /// are rare. The ending has one dot, at its beginning.
  package func mayBeIn(_ ending: [UInt8]) -> Bool {
    var count = 0
    for byte in path {
      count = byte | 0x20 == ending[count] ? count + 1 : byte == ending[0] ? 1 : 0
      if count == ending.count { return true }
    }
    return false
  }

  /// The path up to its outermost part that is Apple's metadata: `__MACOSX` of `__MACOSX/a/._b`. Nil if nothing is.
  package var metadataRoot: [UInt8]? {
    guard metadata != nil else { return nil }
    let parts = path.split(separator: UInt8(ascii: "/"))
    let count = (1...parts.count).first { AppleMetadata.classify(path: Array(parts[$0 - 1])) != nil }
    return count.map { Array(parts[..<$0].joined(separator: [UInt8(ascii: "/")])) }
  }

  /// Whether it holds the resource fork or the attributes of another file.
  package var isForkFile: Bool { metadata?.isResourceFork ?? false }
}

extension Inventory {
  package func facts<Kind: Facts>(_ kind: Kind.Type) -> [(item: Item, facts: Kind)] {
    items.compactMap { item in item.facts(kind).map { (item, $0) } }
  }

  /// The place of an item; `slices` is a suffix that names some of its slices.
  package func site(_ item: Item, slices: String = "") -> Place {
    guard isFile, let last = place.parts.last else { return place.inside(item.name + slices) }
    return Place(parts: place.parts.dropLast() + [last + slices])
  }

  /// Whether the artifact is one file that was given directly, which is in no container.
  package var isFile: Bool {
    role == .tree && items.count == 1 && rootName == items[0].name
  }

  private static let bundleEnding = Array(".bundle/".utf8)

  /// The innermost resource bundle that an item is in, and its path inside it. A tree may be a bundle itself.
  package func bundle(of item: Item) -> (path: String, inside: String)? {
    func isBundle(_ name: String) -> Bool { name.lowercased().hasSuffix(".bundle") }
    // Several rules ask this about every item; most are in no bundle, which is seen without splitting the name.
    if item.mayBeIn(Inventory.bundleEnding), case let parts = item.parts,
      let index = parts.dropLast().lastIndex(where: isBundle)
    {
      return (parts[...index].joined(separator: "/"), parts[(index + 1)...].joined(separator: "/"))
    }
    guard role == .tree, isBundle(rootName), rootName != item.name else { return nil }
    return (rootName, item.name)
  }
}
