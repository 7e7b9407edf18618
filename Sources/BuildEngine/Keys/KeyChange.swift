import Store

/// The first difference of two keys of a step, from the lines that were written while they were made.
package struct KeyChange: Sendable, Equatable, CustomStringConvertible {
  /// `ios/a.m: 3f2a91bc → 91bc04de`, one line.
  package let description: String

  /// Nil if the lines are the same.
  package init?(from old: [String], to new: [String]) {
    let (was, now) = (Lines(old), Lines(new))
    if let added = now.first(notIn: was) {
      let before = was.lines.first { $0.isSame(as: added) && !now.texts.contains($0.text) }
      description = KeyChange.text(before?.value, added.value, added)
    } else if let gone = was.first(notIn: now) {
      description = KeyChange.text(gone.value, nil, gone)
    } else if old != new {
      description = "the order of what it depends on"
    } else {
      return nil
    }
  }

  private static func text(_ old: String?, _ new: String?, _ line: Line) -> String {
    switch (line.label, old, new) {
    case ("tool", _, _): return "npi-pack itself has changed"
    case ("compressor", _, _): return "the compressor has changed"
    case ("program-content", _, _): return "the program '\(line.owner)' has changed"
    case ("input", let old?, let new?), ("discovered", let old?, let new?): return "\(line.name): \(old) → \(new)"
    case ("input", nil, _), ("discovered", nil, _): return "\(line.name) is new"
    case ("input", _, nil), ("discovered", _, nil), ("discovered-missing", _, _): return "\(line.name) is gone"
    case ("value", let old?, let new?): return "\(line.owner): '\(old)' → '\(new)'"
    case (let label, let old?, let new?): return "\(label): '\(old)' → '\(new)'"
    case (let label, nil, let new?): return "\(label) '\(new)' is new"
    case (let label, let old?, nil): return "\(label) '\(old)' is gone"
    case (let label, nil, nil): return label
    }
  }

  /// One line of a key, taken apart.
  private struct Line {
    let text: String
    let label: String
    /// Of an input its path, of anything else its place among the lines of its label.
    let name: String
    /// What is compared and shown: of an input the beginning of its digest.
    let value: String
    /// The line before, where this one speaks of that: the program of its content, the variable of its value.
    let owner: String

    func isSame(as other: Line) -> Bool { label == other.label && name == other.name && owner == other.owner }
  }

  private struct Lines {
    private(set) var lines: [Line] = []
    private(set) var texts: Set<String> = []

    init(_ texts: [String]) {
      var counts: [String: Int] = [:]
      var copies: [String: Int] = [:]
      var last = ""
      for text in texts where !text.hasPrefix("input-group ") {
        let label = String(text.prefix { $0 != " " })
        let value = String(text.dropFirst(label.count + 1))
        let owned = label == "program-content" || label == "value"
        // The text is made unique where its meaning depends on the line before, and where it is there already.
        var unique = owned ? "\(last)\n\(text)" : text
        copies[unique, default: 0] += 1
        if let copy = copies[unique], copy > 1 { unique += "\n\n\(copy)" }
        if label == "input" || label == "discovered" {
          let (path, state) = Lines.input(value)
          lines.append(Line(text: unique, label: label, name: path, value: state, owner: ""))
        } else {
          let number = owned ? 0 : counts[label, default: 0]
          counts[label] = number + 1
          lines.append(
            Line(
              text: unique, label: label, name: label == "discovered-missing" ? value : "\(number)", value: value,
              owner: owned ? last : ""))
        }
        self.texts.insert(unique)
        last = value
      }
    }

    func first(notIn other: Lines) -> Line? { lines.first { !other.texts.contains($0.text) } }

    /// `path [-> target] [folder | digest] [executable]`.
    private static func input(_ text: String) -> (path: String, state: String) {
      var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      var state: [String] = []
      while words.count > 1, let last = words.last {
        if last == "executable" || last == "folder" {
          state.insert(last, at: 0)
        } else if Digest(hex: last) != nil {
          state.insert(String(last.prefix(8)), at: 0)
        } else {
          break
        }
        words.removeLast()
      }
      return (words.joined(separator: " "), state.joined(separator: " "))
    }
  }
}
