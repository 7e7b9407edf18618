import Findings

/// Explains why a text is no YAML if a line is indented by a tab, or to a depth that no line above it has.
struct YAMLIndentation {
  let lines: [Substring]

  struct Mistake {
    let message: String
    let hint: String
    /// Counted from 1, in characters.
    let column: Int
  }

  /// The mistake in the indentation of the line where the parser stopped; nil if a line above it has the same depth.
  func mistake(at line: Int) -> Mistake? {
    guard line >= 1, line <= lines.count else { return nil }
    let whole = lines[line - 1]
    if let tab = whole.prefix(while: { $0 == " " || $0 == "\t" }).firstIndex(of: "\t") {
      let column = whole.distance(from: whole.startIndex, to: tab) + 1
      return Mistake(message: "a tab cannot indent a line of YAML", hint: "use spaces", column: column)
    }
    let levels = levels(above: line)
    let depth = depth(of: whole)
    guard !whole.isEmpty, !levels.contains(where: { $0.depth == depth }),
      let distance = levels.map({ abs($0.depth - depth) }).min()
    else { return nil }
    return Mistake(
      message: "the line begins at a depth that no line above it has",
      hint: levels.filter { abs($0.depth - depth) == distance }.map(\.advice).joined(separator: "; "),
      column: depth + 1)
  }

  /// A depth at which a line would continue an open map or list.
  private struct Level {
    let depth: Int
    /// The key under which such a line would be, and the line of that key; nil at the top.
    let parent: (key: String, line: Int)?

    var advice: String {
      guard let parent else { return "with no space before it, it is a key of the whole file" }
      let spaces = counted(depth, "space")
      return "with \(spaces) before it, it is under '\(parent.key)' (line \(parent.line))"
    }
  }

  private func depth(of line: Substring) -> Int { line.prefix { $0 == " " }.count }

  /// The deepest level first. A line opens a level if it is less deep than all lines between it and the given one.
  private func levels(above line: Int) -> [Level] {
    var open: [(depth: Int, line: Int, isItem: Bool)] = []
    for index in stride(from: line - 2, through: 0, by: -1) {
      let rest = lines[index].drop { $0 == " " }
      guard let first = rest.first, first != "#" else { continue }
      let depth = depth(of: lines[index])
      // A map that begins behind the dash of a list continues below its first key.
      let dashes = rest.prefix { $0 == "-" || $0 == " " }
      let isItem = first == "-" && dashes.count > 1
      if isItem, depth + dashes.count < open.last?.depth ?? .max { open.append((depth + dashes.count, index, false)) }
      if depth < open.last?.depth ?? .max { open.append((depth, index, isItem)) }
      if depth == 0 { break }
    }
    let isItem = lines[line - 1].first { $0 != " " } == "-"
    return open.enumerated().compactMap { position, level in
      // Only another item can begin at the depth of a list's items.
      guard isItem || !level.isItem else { return nil }
      guard level.depth > 0 else { return Level(depth: 0, parent: nil) }
      for above in open[(position + 1)...] where above.line < level.line {
        if let key = key(of: lines[above.line]) { return Level(depth: level.depth, parent: (key, above.line + 1)) }
      }
      return nil
    }
  }

  /// The text before the colon.
  private func key(of line: Substring) -> String? {
    let text = line.drop { $0 == " " || $0 == "-" }
    return text.firstIndex(of: ":").map { String(text[..<$0]) }
  }
}
