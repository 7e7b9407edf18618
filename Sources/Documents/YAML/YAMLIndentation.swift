import Findings

/// Why a text is no YAML, where that is the indentation of a line: a tab in it, or a depth that no line above it has.
struct YAMLIndentation {
  let lines: [Substring]

  struct Mistake {
    let message: String
    let hint: String
    /// Counted from 1, in characters.
    let column: Int
  }

  /// Of the line that the parser stopped at, counted from 1; nil if its indentation is one of those above it.
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

  /// A depth at which a line may go on what is open there.
  private struct Level {
    let depth: Int
    /// The key that it would be under, and its line; nil at the top.
    let parent: (key: String, line: Int)?

    var advice: String {
      guard let parent else { return "with no space before it, it is a key of the whole file" }
      let spaces = counted(depth, "space")
      return "with \(spaces) before it, it is under '\(parent.key)' (line \(parent.line))"
    }
  }

  private func depth(of line: Substring) -> Int { line.prefix { $0 == " " }.count }

  /// Deepest first: each line that is less deep than all between it and the given one.
  private func levels(above line: Int) -> [Level] {
    var open: [(depth: Int, line: Int, isItem: Bool)] = []
    for index in stride(from: line - 2, through: 0, by: -1) {
      let rest = lines[index].drop { $0 == " " }
      guard let first = rest.first, first != "#" else { continue }
      let depth = depth(of: lines[index])
      // What stands behind the dashes of a list goes on below itself.
      let dashes = rest.prefix { $0 == "-" || $0 == " " }
      let isItem = first == "-" && dashes.count > 1
      if isItem, depth + dashes.count < open.last?.depth ?? .max { open.append((depth + dashes.count, index, false)) }
      if depth < open.last?.depth ?? .max { open.append((depth, index, isItem)) }
      if depth == 0 { break }
    }
    let isItem = lines[line - 1].first { $0 != " " } == "-"
    return open.enumerated().compactMap { position, level in
      // Where items of a list begin, only another one can.
      guard isItem || !level.isItem else { return nil }
      guard level.depth > 0 else { return Level(depth: 0, parent: nil) }
      for above in open[(position + 1)...] where above.line < level.line {
        if let key = key(of: lines[above.line]) { return Level(depth: level.depth, parent: (key, above.line + 1)) }
      }
      return nil
    }
  }

  /// What stands before the colon.
  private func key(of line: Substring) -> String? {
    let text = line.drop { $0 == " " || $0 == "-" }
    return text.firstIndex(of: ":").map { String(text[..<$0]) }
  }
}
