/// Finds where a misplaced key belongs, which is mostly a level further out or further in.
struct KeyHomes {
  /// The objects that are being checked, from the outside in.
  var open: [(name: String, keys: [Key])] = []

  /// Says where a key belongs that the innermost open object does not have. That object could be one of `kinds`.
  func hint(for key: String, in node: Node, _ what: String, of kinds: [Kind]) -> String? {
    guard let innermost = open.last else { return nil }
    if let hint = further(out: key, from: open.dropLast()) { return hint }
    // Keys that the object has are searched first. A missing key with an `either` shape is not searched.
    let there = innermost.keys.filter { node[$0.name] != nil }
    let elsewhere = innermost.keys.filter { if case .either = $0.shape { false } else { true } }
    for (child, node) in there.map({ ($0, node[$0.name]) }) + elsewhere.map({ ($0, nil) }) {
      let path = what.isEmpty ? child.name : "\(what).\(child.name)"
      if let home = child.shape.home(of: key, in: node, path) { return "'\(key)' belongs further in: \(home).\(key)" }
    }
    let others = kinds.filter { $0.hasKey(key) }.map { "'\($0.name)'" }
    return others.isEmpty ? nil : "'\(key)' is a key of the kind \(others.joined(separator: ", "))"
  }

  /// Says where a key belongs that stands among the names of a map, whose values have `shape`.
  func hint(for key: String, named shape: Shape, _ what: String) -> String? {
    if let hint = further(out: key, from: open[...]) { return hint }
    return shape.home(of: key, in: nil, "").map { _ in "'\(key)' belongs further in: \(what).NAME.\(key)" }
  }

  private func further(out key: String, from outer: ArraySlice<(name: String, keys: [Key])>) -> String? {
    outer.last { $0.keys.contains { sameBytes($0.name, key) } }.map { "'\(key)' belongs further out, in \($0.name)" }
  }
}

extension Kind {
  fileprivate func hasKey(_ key: String) -> Bool { key == "kind" || keys.contains { sameBytes($0.name, key) } }
}

extension Shape {
  /// The path of the first value in the node that may have the key, such as `deliverables.ios`. Without a node the path
  /// has a placeholder: `deliverables.NAME`.
  fileprivate func home(of key: String, in node: Node?, _ path: String) -> String? {
    switch self {
    case .object(let keys): return keys.contains { sameBytes($0.name, key) } ? path : nil
    case .kinds(let kinds, let usual):
      guard let node else { return kinds.contains { $0.hasKey(key) } ? path : nil }
      guard case .map = node.value else { return nil }
      return kinds.contains { $0.name == node["kind"]?.text ?? usual && $0.hasKey(key) } ? path : nil
    case .map(let shape):
      guard let node else { return shape.home(of: key, in: nil, "\(path).NAME") }
      return node.members.lazy.compactMap { shape.home(of: key, in: $0.node, "\(path).\($0.key)") }.first
    case .oneOrMany(let shape), .list(let shape): return shape.home(of: key, in: nil, path)
    case .either(let shapes): return shapes.lazy.compactMap { $0.home(of: key, in: nil, path) }.first
    case .text, .name, .choice, .flag, .path, .any: return nil
    }
  }

  /// Whether a value has a key that this shape gives a meaning.
  func knowsKey(of node: Node) -> Bool { node.members.contains { home(of: $0.key, in: nil, "") == "" } }
}
