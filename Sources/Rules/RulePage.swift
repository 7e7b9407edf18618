package import Findings

/// A page of `Recipes/rules`: the name of a rule, its default level, its demand, and its explanation. A part of it is
/// read only when it is asked for.
///
///     # parent-folder
///
///     `error`: the items are at the zip's root, not inside their common parent folder
///
/// The reason follows, then the headings `Refused`, `Passes`, `What to do` and `In one line`, which has the edit that
/// findings carry or says why there is none.
package struct RulePage: Sendable {
  package let id: RuleID
  private let text: [UInt8]

  package init(_ id: RuleID, _ text: [UInt8]) {
    self.id = id
    self.text = text
  }

  /// The long part of a page. Lines have 100 characters at most.
  package struct Explanation: Sendable {
    /// The later failure and its place, in the words of the tool or the store, if it has any.
    package let why: String
    /// The smallest example that it refuses: source, a line of a manifest or the names of entries.
    package let bad: String
    /// The same example, corrected.
    package let good: String
    /// The instructions, step by step if there is a choice.
    package let mend: String
    /// The edit, or the reason why there is none.
    package let edit: String
  }

  package var level: Level { Level(rawValue: head.level) ?? .error }
  package var summary: String { head.summary }

  /// From the page's third line.
  private var head: (level: String, summary: String) {
    let line = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2).dropFirst().first ?? []
    let parts = line.dropFirst().split(separator: UInt8(ascii: "`"), maxSplits: 1)
    guard parts.count == 2 else { return ("", "") }
    return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1].dropFirst(2), as: UTF8.self))
  }

  /// Nil for rules that only packing an AAR checks: their messages explain themselves.
  package var explanation: Explanation? {
    var sections: [String: [Substring]] = [:]
    var heading = ""
    var isCode = false
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropFirst(3) {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if !isCode, line.hasPrefix("## ") {
        heading = String(line.dropFirst(3))
      } else {
        sections[heading, default: []].append(line)
      }
    }
    guard let bad = sections["Refused"], let good = sections["Passes"], let mend = sections["What to do"] else {
      return nil
    }
    func trimmed(_ lines: [Substring]) -> String {
      let last = lines.lastIndex { !$0.isEmpty } ?? -1
      return lines[...last].drop(while: \.isEmpty).joined(separator: "\n")
    }
    return Explanation(
      why: trimmed(sections[""] ?? []), bad: trimmed(bad), good: trimmed(good), mend: trimmed(mend),
      edit: trimmed(sections["In one line"] ?? []))
  }
}
