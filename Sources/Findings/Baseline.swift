/// Findings that are known and accepted: a text file with a line for each, as `FindingIdentity` spells it. For one app
/// of several, the app's name follows after a tab: a finding accepted there is not accepted elsewhere. A line without a
/// name holds for every app.
package struct Baseline: Sendable {
  private let lines: Set<String>
  /// The plugins and places of lines about several plugins, by the other fields of the line.
  private let ofSeveral: [[Substring]: [(plugins: Set<Substring>, places: Set<Substring>)]]

  package init(_ reports: [AppReport]) {
    self.init(
      lines: reports.flatMap { each in
        each.report.findings.flatMap { $0.identities.map { Baseline.line($0, each.app) } }
      })
  }

  private init(lines: [String]) {
    self.lines = Set(lines)
    var several: [[Substring]: [(plugins: Set<Substring>, places: Set<Substring>)]] = [:]
    for line in self.lines {
      // Most lines are about one plugin or two, and are not split into fields.
      let fields = line.utf8.split(separator: UInt8(ascii: "\t"), maxSplits: 2)
      guard fields.count > 1, fields[1].count(where: { $0 == UInt8(ascii: ",") }) > 1 else { continue }
      let (key, plugins, places) = Baseline.parts(line)
      if plugins.count > 2 { several[key, default: []].append((plugins, places)) }
    }
    ofSeveral = several
  }

  package init(_ report: Report) { self.init([AppReport(report)]) }

  /// - Parameter name: the file's name, for mistakes. Any other file is refused, since it would silently accept
  /// nothing.
  package init(text: String, name: String) throws(Mistakes) {
    let rows = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    guard rows.first.map(String.init) == Baseline.head else {
      if rows.first == "# npi-pack baseline 1" {
        throw Mistakes(
          "this baseline is of an older npi-pack, which accepted findings by their wording and version",
          at: Place(name), hint: "write it again with --write-baseline")
      }
      throw Mistakes(
        "this is no baseline: the first line of one is '\(Baseline.head)'", at: Place(name),
        hint: "--write-baseline FILE writes one")
    }
    for (index, row) in rows.enumerated() where !row.isEmpty && !row.hasPrefix("#") {
      guard (4...5).contains(row.count(where: { $0 == "\t" })) else {
        let position = TextPosition(line: index + 1, column: 1, length: row.count, text: String(row))
        throw Mistakes(
          "this is no line of a baseline: rule, plugin, place, name and platform, with tabs between them",
          at: Place(name, position: position))
      }
    }
    self.init(lines: rows.filter { !$0.isEmpty && !$0.hasPrefix("#") }.map(String.init))
  }

  private static let head = "# npi-pack baseline 2"

  /// Whether a file is a baseline, of this version or an older one, by its first bytes.
  package static func isOne(_ head: [UInt8]) -> Bool { head.starts(with: "# npi-pack baseline ".utf8) }

  package var text: String { ([Baseline.head] + lines.sorted()).joined(separator: "\n") + "\n" }

  package var count: Int { lines.count }

  /// Whether it accepts all identities of a finding.
  package func accepts(_ finding: Finding, of app: String? = nil) -> Bool { accepts(finding.identities, of: app) }

  package func accepts(_ identities: [FindingIdentity], of app: String? = nil) -> Bool {
    identities.allSatisfy { identity in
      FindingIdentity.Harm.allCases.contains { harm in
        var known = identity
        known.harm = harm
        return harm >= identity.harm
          && (has(Baseline.line(known)) || app.map { has(Baseline.line(known, $0)) } ?? false)
      }
    }
  }

  /// A finding about some of the plugins of an accepted line is accepted, too, because others may have gone since.
  private func has(_ line: String) -> Bool {
    if lines.contains(line) { return true }
    if ofSeveral.isEmpty { return false }
    let (key, plugins, places) = Baseline.parts(line)
    return plugins.count > 1
      && ofSeveral[key]?.contains { plugins.isSubset(of: $0.plugins) && places.isSubset(of: $0.places) } ?? false
  }

  private static func parts(_ line: String) -> (key: [Substring], plugins: Set<Substring>, places: Set<Substring>) {
    var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count > 2 else { return (fields, [], []) }
    let lists = fields[1...2].map { Set($0.split(separator: FindingIdentity.separator)) }
    fields.removeSubrange(1...2)
    return (fields, lists[0], lists[1])
  }

  private static func line(_ identity: FindingIdentity, _ app: String? = nil) -> String {
    identity.line + (app.map { "\t" + printable($0) } ?? "")
  }
}
