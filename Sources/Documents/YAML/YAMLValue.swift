/// A value to be written as YAML. Unlike a `Node` it has no place.
package indirect enum YAMLValue: Sendable, Hashable {
  case text(String)
  case flag(Bool)
  case list([YAMLValue])
  case map([Member])

  package struct Member: Sendable, Hashable {
    package var key: String
    package var value: YAMLValue

    package init(_ key: String, _ value: YAMLValue) {
      self.key = key
      self.value = value
    }
  }

  package static func texts(_ texts: [String]) -> YAMLValue { .list(texts.map(YAMLValue.text)) }

  /// Compares texts by their bytes, while `==` takes a composed and a decomposed letter for the same one.
  package func isSame(as other: YAMLValue) -> Bool {
    switch (self, other) {
    case (.text(let one), .text(let two)): sameBytes(one, two)
    case (.flag(let one), .flag(let two)): one == two
    case (.list(let one), .list(let two)):
      one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
    case (.map(let one), .map(let two)):
      one.count == two.count && zip(one, two).allSatisfy { sameBytes($0.key, $1.key) && $0.value.isSame(as: $1.value) }
    default: false
    }
  }

  /// The value of a manifest's node; nil if there is a `null` anywhere in it.
  package init?(_ node: Node) {
    switch node.value {
    case .null: return nil
    case .text(let text): self = .text(text)
    case .list(let nodes):
      let values = nodes.compactMap(YAMLValue.init)
      guard values.count == nodes.count else { return nil }
      self = .list(values)
    case .map(let found):
      let members = found.compactMap { member in YAMLValue(member.node).map { Member(member.key, $0) } }
      guard members.count == found.count else { return nil }
      self = .map(members)
    }
  }
}
