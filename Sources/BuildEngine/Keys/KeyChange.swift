/// The first difference between two keys of a step.
package struct KeyChange: Sendable, Equatable, CustomStringConvertible {
  /// `ios/a.m: 3f2a91bc → 91bc04de`, one line.
  package let description: String

  /// Nil if the lines are the same.
  package init?(from old: [KeyLine], to new: [KeyLine]) {
    let (was, now) = (Lines(old), Lines(new))
    if let added = now.first(notIn: was) {
      let before = was.all.first { $0.isSame(as: added) && !now.ids.contains($0.id) }
      description = KeyChange.text(before?.id.line.value, added.id.line.value, added.id)
    } else if let gone = was.first(notIn: now) {
      description = KeyChange.text(gone.id.line.value, nil, gone.id)
    } else if old != new {
      description = "the order of what it depends on"
    } else {
      return nil
    }
  }

  private static func text(_ old: String?, _ new: String?, _ id: Line.ID) -> String {
    switch (id.line.label, old, new) {
    case ("tool", _, _): return "npi-pack itself has changed"
    case ("compressor", _, _): return "the compressor has changed"
    case ("program-content", _, _): return "the program '\(id.owner)' has changed"
    case ("input", let old?, let new?), ("discovered", let old?, let new?): return "\(id.line.name): \(old) → \(new)"
    case ("input", nil, _), ("discovered", nil, _): return "\(id.line.name) is new"
    case ("input", _, nil), ("discovered", _, nil): return "\(id.line.name) is gone"
    case ("discovered-missing", _, _): return "\(id.line.value) is gone"
    case ("value", let old?, let new?): return "\(id.owner): '\(old)' → '\(new)'"
    case (let label, let old?, let new?): return "\(label): '\(old)' → '\(new)'"
    case (let label, nil, let new?): return "\(label) '\(new)' is new"
    case (let label, let old?, nil): return "\(label) '\(old)' is gone"
    case (let label, nil, nil): return label
    }
  }

  private struct Line {
    struct ID: Hashable {
      let line: KeyLine
      /// The previous line's value, if this line belongs to it: the program of a content, the variable of a value.
      let owner: String
      /// The number of equal lines before it.
      var copy = 0
    }

    let id: ID
    /// The place among the lines of its label; 0 for an input, which has a name, and for a line with an owner.
    let number: Int

    func isSame(as other: Line) -> Bool {
      id.line.label == other.id.line.label && id.line.name == other.id.line.name && number == other.number
        && id.owner == other.id.owner
    }
  }

  private struct Lines {
    private(set) var all: [Line] = []
    private(set) var ids: Set<Line.ID> = []

    init(_ lines: [KeyLine]) {
      var counts: [String: Int] = [:]
      var copies: [Line.ID: Int] = [:]
      var last = ""
      for line in lines where line.label != "input-group" {
        let isOwned = line.label == "program-content" || line.label == "value"
        var id = Line.ID(line: line, owner: isOwned ? last : "")
        id.copy = copies[id, default: 0]
        copies[Line.ID(line: line, owner: id.owner), default: 0] += 1
        let isNumbered = !isOwned && line.name.isEmpty
        all.append(Line(id: id, number: isNumbered ? counts[line.label, default: 0] : 0))
        if isNumbered { counts[line.label, default: 0] += 1 }
        ids.insert(id)
        last = line.value
      }
    }

    func first(notIn other: Lines) -> Line? { all.first { !other.ids.contains($0.id) } }
  }
}
