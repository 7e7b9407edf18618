/// Findings in the order in which they are shown, however found: worst first, then by rule, place and message.
package struct Report: Sendable {
  package let findings: [Finding]

  package init(_ findings: [Finding]) {
    let kept = findings.filter { $0.level != .off }.map { (finding: $0, places: $0.sites.map(Site.init)) }
    self.findings = kept.sorted(by: Report.comesBefore).map(\.finding)
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

  /// `places` are the sites as they are compared: each is put together once.
  private typealias Placed = (finding: Finding, places: [Site])

  /// Lines and columns are numbers: 2 comes before 10.
  private struct Site: Comparable {
    let path: String
    let line: Int
    let column: Int

    init(_ place: Place) {
      path = place.path
      (line, column) = (place.position?.line ?? 0, place.position?.column ?? 0)
    }

    static func < (a: Site, b: Site) -> Bool {
      if a.path != b.path { return a.path < b.path }
      return (a.line, a.column) < (b.line, b.column)
    }
  }

  private static func comesBefore(_ one: Placed, _ other: Placed) -> Bool {
    let (a, b) = (one.finding, other.finding)
    if a.level != b.level { return a.level > b.level }
    if a.rule != b.rule { return a.rule.rawValue < b.rule.rawValue }
    if one.places != other.places { return one.places.lexicographicallyPrecedes(other.places) }
    if a.message != b.message { return a.message < b.message }
    return a.notes.lexicographicallyPrecedes(b.notes)
  }
}
