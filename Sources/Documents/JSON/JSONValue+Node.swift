package import Findings

extension JSONValue {
  /// The same value, to be written again; nil for a number that is no integer of 64 bits.
  package init?(_ node: Node) {
    switch node.value {
    case .null: self = .null
    case .text(let text) where node.isQuoted: self = .string(text)
    case .text("true"): self = .bool(true)
    case .text("false"): self = .bool(false)
    case .text(let text):
      guard let number = Int(text) else { return nil }
      self = .int(number)
    case .list(let list):
      let values = list.compactMap(JSONValue.init)
      guard values.count == list.count else { return nil }
      self = .array(values)
    case .map(let members):
      let values = members.compactMap { member in JSONValue(member.node).map { (key: member.key, value: $0) } }
      guard values.count == members.count else { return nil }
      self = .object(values)
    }
  }
}
