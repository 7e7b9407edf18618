/// Findings in their order on display, whatever the order they were found in: the worst first, then by rank, rule,
/// place and message.
package struct Report: Sendable {
  package let findings: [Finding]

  package init(_ findings: [Finding]) {
    let isAnyOff = findings.contains { $0.level == .off }
    let kept = isAnyOff ? findings.filter { $0.level != .off } : findings
    // Indices are sorted and only compared fields are read, because copying a finding retains everything that it refers
    // to.
    let order = kept.indices.sorted { a, b in
      if kept[a].level != kept[b].level { return kept[a].level > kept[b].level }
      if kept[a].rank != kept[b].rank { return kept[a].rank.rawValue < kept[b].rank.rawValue }
      if kept[a].rule != kept[b].rule { return kept[a].rule.rawValue < kept[b].rule.rawValue }
      if kept[a].sites != kept[b].sites {
        if kept[a].sites.lexicographicallyPrecedes(kept[b].sites, by: Report.comesBefore) { return true }
        if kept[b].sites.lexicographicallyPrecedes(kept[a].sites, by: Report.comesBefore) { return false }
      }
      if kept[a].message != kept[b].message { return kept[a].message < kept[b].message }
      return kept[a].notes.lexicographicallyPrecedes(kept[b].notes)
    }
    self.findings = order.map { kept[$0] }
  }

  /// Lines and columns are numbers: 2 comes before 10.
  private static func comesBefore(_ a: Place, _ b: Place) -> Bool {
    if a.parts != b.parts { return a.parts.lexicographicallyPrecedes(b.parts) }
    if let one = a.position, let other = b.position { return (one.line, one.column) < (other.line, other.column) }
    return a.position == nil && b.position != nil
  }

  package func count(_ level: Level) -> Int { findings.count { $0.level == level } }

  package var hasErrors: Bool { findings.contains { $0.level == .error } }

  /// `2 errors, 1 warning`, or `no findings`.
  package var summary: String {
    let parts = [(Level.error, "error"), (.warning, "warning"), (.note, "note")].compactMap { level, word in
      let n = count(level)
      return n == 0 ? nil : n == 1 ? "1 \(word)" : "\(n) \(word)s"
    }
    return parts.isEmpty ? "no findings" : parts.joined(separator: ", ")
  }
}
