package import Findings
package import Linking

/// What `check` says.
package struct CollisionReport: Sendable {
  /// One link: of a slice, by one linker.
  package struct Link: Sendable {
    package var slice: String
    package var linker: String
    package var isClosed: Bool
    package var outcome: LinkVerdict.Outcome
    /// Members of static libraries.
    package var loaded: [String]
    /// Of each name that two inputs or more define, where the output has it from.
    package var winners: [(name: String, place: String)]

    package init(
      slice: String, linker: String, isClosed: Bool, outcome: LinkVerdict.Outcome, loaded: [String],
      winners: [(name: String, place: String)]
    ) {
      self.slice = slice
      self.linker = linker
      self.isClosed = isClosed
      self.outcome = outcome
      self.loaded = loaded
      self.winners = winners
    }

    package init(slice: String, isClosed: Bool, verdict: LinkVerdict) {
      self.init(
        slice: slice, linker: verdict.linker, isClosed: isClosed, outcome: verdict.outcome,
        loaded: verdict.loaded.map(\.place.description),
        winners: verdict.winners.map { ($0.name, $0.place.description) })
    }

    fileprivate var json: JSONValue {
      [
        "slice": .string(slice), "linker": .string(linker), "closed": .bool(isClosed),
        "verdict": .string(outcome.rawValue),
        "loaded": .array(loaded.map { .string($0) }),
        "winners": .object(winners.map { ($0.name, .string($0.place)) }),
      ]
    }
  }

  /// Paths, as places begin with them: what belongs to one plugin is told from what belongs to another.
  package var plugins: [String] = []
  package var links: [Link] = []
  /// One for each name and slice.
  package var findings: [CollisionFinding] = []

  package init() {}

  /// For programs: every name and slice by itself.
  package func json() async -> String { JSONValue.object([("version", 1)] + (await members(depth: 1))).shown }

  /// The same for several apps, in their order.
  package static func json(_ apps: [(name: String, report: CollisionReport)]) async -> String {
    var list: [JSONValue] = []
    for (name, report) in apps { list.append(.object([("app", .string(name))] + (await report.members(depth: 3)))) }
    return JSONValue.object([("version", 1), ("apps", .array(list))]).shown
  }

  /// Of an object whose members are so many levels deep. Where plugins have a library in common, thousands of names are in
  /// each slice.
  private func members(depth: Int) async -> [(key: String, value: JSONValue)] {
    let starts = Array(stride(from: 0, to: findings.count, by: Self.findingsAtOnce))
    let texts = await withTaskGroup(of: (Int, JSONValue).self) { tasks in
      for start in starts {
        let some = findings[start..<min(start + Self.findingsAtOnce, findings.count)]
        tasks.addTask { (start, JSONValue.shown(some.map(\.json), depth: depth + 1)) }
      }
      var texts: [Int: JSONValue] = [:]
      for await (start, text) in tasks { texts[start] = text }
      return starts.compactMap { texts[$0] }
    }
    return [("linkSets", .array(links.map(\.json))), ("findings", .array(texts))]
  }

  private static let findingsAtOnce = 2000

  package var each: Report { Report(findings.map(\.finding)) }
}
