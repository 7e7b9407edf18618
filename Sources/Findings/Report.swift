/// Findings in the order in which they are shown, however found: worst first, then by rule, place and message.
package struct Report: Sendable {
  package let findings: [Finding]

  package init(_ findings: [Finding]) {
    let kept = findings.filter { $0.level != .off }.map { (finding: $0, places: $0.sites.map(Report.order)) }
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

  /// `places` are the sites as texts to compare: each is put together once.
  private typealias Placed = (finding: Finding, places: [String])

  /// As it is shown; of lines and columns, which are numbers, the shorter one comes first.
  private static func order(_ place: Place) -> String {
    guard let position = place.position else { return place.description }
    func text(_ number: Int) -> String {
      String(repeating: "0", count: max(0, 9 - String(number).count)) + String(number)
    }
    return "\(Place(parts: place.parts)):\(text(position.line)):\(text(position.column))"
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
