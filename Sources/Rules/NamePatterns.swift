/// Names as recipes list them: a name, or the beginning of one with `*` behind it.
struct NamePatterns: Sendable {
  private var names: Set<String> = []
  private var beginnings: Set<String> = []
  /// The lengths of the beginnings in bytes: a name is looked up once for each.
  private var lengths: [Int] = []

  init(_ texts: [String]) {
    for text in texts {
      if text.hasSuffix("*") { beginnings.insert(String(text.dropLast())) } else { names.insert(text) }
    }
    lengths = Set(beginnings.map(\.utf8.count)).sorted()
  }

  var isEmpty: Bool { names.isEmpty && beginnings.isEmpty }

  func contains(_ name: String) -> Bool {
    if names.contains(name) { return true }
    let bytes = name.utf8
    return lengths.contains { length in
      guard length <= bytes.count, let beginning = String(bytes.prefix(length)) else { return false }
      return beginnings.contains(beginning)
    }
  }
}

/// Patterns by their keys, in the order of the recipe.
struct NameTable: Sendable {
  private let rows: [(key: String, patterns: NamePatterns)]

  init(_ rows: [(key: String, values: [String])]?) {
    self.rows = (rows ?? []).map { ($0.key, NamePatterns($0.values)) }
  }

  var isEmpty: Bool { rows.isEmpty }

  func key(of name: String) -> String? { rows.first { $0.patterns.contains(name) }?.key }

  func keys(of name: String) -> [String] { rows.filter { $0.patterns.contains(name) }.map(\.key) }
}

/// A path for a message; a long one is shortened to its ends.
func abridged(_ name: String) -> String {
  name.count > 120 ? "\(name.prefix(80))…\(name.suffix(30))" : name
}
