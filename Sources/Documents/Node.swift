package import Findings

/// A value of a manifest as it was written: text stays text, and everything knows the file and line that it came from.
package struct Node: Sendable {
  package indirect enum Value: Sendable {
    /// A plain `null`, `~` or nothing at all; in an overlay it removes what was there.
    case null
    case text(String)
    case list([Node])
    case map([Member])
  }

  package struct Member: Sendable {
    package var key: String
    package var keyPlace: Place
    package var node: Node

    package init(key: String, keyPlace: Place, node: Node) {
      self.key = key
      self.keyPlace = keyPlace
      self.node = node
    }
  }

  package var value: Value
  package var place: Place
  /// Whether the text was in quotes, which tell a string from a number in JSON.
  package var isQuoted: Bool

  package init(_ value: Value, at place: Place, isQuoted: Bool = false) {
    self.value = value
    self.place = place
    self.isQuoted = isQuoted
  }

  package var text: String? { if case .text(let text) = value { text } else { nil } }
  package var list: [Node]? { if case .list(let list) = value { list } else { nil } }
  package var members: [Member] { if case .map(let members) = value { members } else { [] } }
  package var isNull: Bool { if case .null = value { true } else { false } }

  package subscript(key: String) -> Node? { member(key)?.node }

  package func member(_ key: String) -> Member? { members.first { sameBytes($0.key, key) } }

  /// A text, or each text of a list.
  package var texts: [Node] { text != nil ? [self] : list?.filter { $0.text != nil } ?? [] }

  /// For an error: `a list`.
  package var kindName: String {
    switch value {
    case .null: "nothing"
    case .text: "text"
    case .list: "a list"
    case .map: "a map"
    }
  }
}

/// Whether two texts are the same bytes. `==` would take a composed and a decomposed letter for the same one.
package func sameBytes(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

extension Node {
  /// Overlays this value: maps merge key by key, in the order of first mention; other values replace, and null removes.
  package func overlaid(with other: Node) -> Node {
    guard case .map(let old) = value, case .map(let others) = other.value else { return other }
    var members: [Member?] = old
    // The keys are UTF-8 bytes, which are unique within a map.
    var places: [[UInt8]: Int] = [:]
    for (index, member) in old.enumerated() { places[Array(member.key.utf8)] = index }
    for var member in others {
      let key = Array(member.key.utf8)
      let index = places[key]
      if member.node.isNull {
        if let index { members[index] = nil }
        places[key] = nil
      } else if let index, let below = members[index] {
        member.node = below.node.overlaid(with: member.node)
        members[index] = member
      } else {
        member.node = member.node.withoutNulls
        places[key] = members.count
        members.append(member)
      }
    }
    return Node(.map(members.compactMap(\.self)), at: other.place)
  }

  /// This value without its null members at any depth.
  package var withoutNulls: Node {
    guard case .map(let members) = value else { return self }
    let kept = members.filter { !$0.node.isNull }
    return Node(.map(kept.map { Member(key: $0.key, keyPlace: $0.keyPlace, node: $0.node.withoutNulls) }), at: place)
  }
}
