/// Findings in the order in which they are shown: worst first, then by rule, place and message. The order does not
/// depend on the order in which they were found.
package struct Report: Sendable {
  package let findings: [Finding]

  package init(_ findings: [Finding]) {
    self.findings = findings.filter { $0.level != .off }.sorted(by: Report.comesBefore)
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

  private static func comesBefore(_ a: Finding, _ b: Finding) -> Bool {
    if a.level != b.level { return a.level > b.level }
    if a.rule != b.rule { return a.rule.rawValue < b.rule.rawValue }
    let places = (a.sites.map(\.description), b.sites.map(\.description))
    if places.0 != places.1 { return places.0.lexicographicallyPrecedes(places.1) }
    if a.message != b.message { return a.message < b.message }
    return a.notes.lexicographicallyPrecedes(b.notes)
  }
}
