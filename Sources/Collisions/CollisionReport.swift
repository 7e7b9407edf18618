package import Findings

/// What `check` says.
package struct CollisionReport: Sendable {
  /// One link: of a slice, by one linker.
  package struct Link: Sendable {
    package var slice: String
    package var linker: String
    package var isClosed: Bool
    package var verdict: LinkVerdict

    package init(slice: String, linker: String, isClosed: Bool, verdict: LinkVerdict) {
      self.slice = slice
      self.linker = linker
      self.isClosed = isClosed
      self.verdict = verdict
    }

    fileprivate var json: JSONValue {
      [
        "slice": .string(slice), "linker": .string(linker), "closed": .bool(isClosed),
        "verdict": .string(verdict.outcome.rawValue),
        "loaded": .array(verdict.loaded.map { .string($0.place.description) }),
        "winners": .object(verdict.winners.map { ($0.name, .string($0.place.description)) }),
      ]
    }
  }

  package var links: [Link] = []
  /// One for each name and slice.
  package var findings: [CollisionFinding] = []

  package init() {}

  /// For programs: every name and slice by itself.
  package var json: String {
    let value: JSONValue = [
      "version": 1, "linkSets": .array(links.map(\.json)), "findings": .array(findings.map(\.json)),
    ]
    return value.pretty
  }

  package var each: Report { Report(findings.map(\.finding)) }

  /// For people: what is the same in several slices is said once.
  package var grouped: Report {
    struct Key: Hashable {
      var rule: RuleID
      var verdict: CollisionFinding.Verdict
      var message: String
      var sites: [CollisionFinding.Site]
    }
    var places: [Key: Int] = [:]
    var grouped: [(finding: CollisionFinding, slices: [String])] = []
    for finding in findings {
      let key = Key(rule: finding.rule, verdict: finding.verdict, message: finding.message, sites: finding.sites)
      if let place = places[key] {
        grouped[place].slices.append(finding.slice)
      } else {
        places[key] = grouped.count
        grouped.append((finding, [finding.slice]))
      }
    }
    return Report(
      grouped.map { item in
        var finding = item.finding.finding
        finding.notes.append("in \(item.slices.joined(separator: ", "))")
        return finding
      })
  }
}
