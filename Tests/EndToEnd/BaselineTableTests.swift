import Findings
import Foundation
import Rules
import SystemPackage
import TestSupport
import Testing

/// For every rule: what a baseline accepts of one version in one folder it accepts of the next version in another, whatever
/// the paths; and it accepts nothing else. The plugins are those of the scenarios in which the rule speaks.
@Suite struct BaselineTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let rule: String
    let scenario: String
    /// Of the command that makes the rule speak.
    let section: Int
    var testDescription: String { "\(rule) (\(scenario))" }
  }

  /// Of each rule the first command that says something of it, and rather one that stands by itself.
  static let rows: [Row] = {
    var rows: [String: (row: Row, isAlone: Bool)] = [:]
    for name in EndToEndTests.allNames {
      guard let text = try? String(contentsOf: EndToEndTests.folder.appending(path: name), encoding: .utf8),
        let scenario = try? Scenario(text)
      else { continue }
      for (index, section) in scenario.sections.enumerated() {
        guard case .run(let run) = section, isPlain(run.command) else { continue }
        let isAlone = run.command.hasPrefix("npi-pack")
        for match in (run.stdout + run.stderr).matches(of: #/(?m)^(?:error|warning|note)\[([a-z0-9-]+)\]/#) {
          let rule = String(match.1)
          if let known = rows[rule], known.isAlone || !isAlone { continue }
          rows[rule] = (Row(rule: rule, scenario: name, section: index), isAlone)
        }
      }
    }
    return rows.values.map(\.row).sorted { $0.rule < $1.rule }
  }()

  /// Whether it ends with a command of ours that judges, to which an option can be added.
  private static func isPlain(_ command: String) -> Bool {
    let last = command.components(separatedBy: "&&").last?.components(separatedBy: ";").last ?? ""
    let others = "init|recipes|symbols|graph|why|clean|config|schema|strip|help"
    return last.contains(#/^ *npi-pack\b/#) && !last.contains(#/[|>()'"]| -- |--apps|baseline/#)
      && !last.split(separator: " ").dropFirst().contains { others.split(separator: "|").contains($0) }
  }

  @Test func everyRuleHasARow() {
    let all = Set(RuleCatalogue.all.map(\.id.rawValue))
    #expect(all.subtracting(Self.rows.map(\.rule)) == [], "rules that no plain command of a scenario shows")
  }

  @Test(arguments: rows) func isKnownAgain(_ row: Row) async throws {
    let text = try String(contentsOf: EndToEndTests.folder.appending(path: row.scenario), encoding: .utf8)
    let (old, new) = (try Scenario(text), try Scenario(Self.nextVersion(of: text)))
    guard case .run(let first) = old.sections[row.section], case .run(let second) = new.sections[row.section] else {
      throw ToolError("the section is no command")
    }
    let (here, there, store) = (Scratch(), Scratch(ending: "-of-another-name"), Scratch())
    try await old.prepare(row.section, in: here, store)
    let baseline = here("accepted.baseline").string
    var run = first
    run.command += " --write-baseline '\(baseline)'"
    _ = try await Scenario.perform(run, in: here, store)
    let lines = try String(contentsOfFile: baseline, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("\(row.rule)\t") })

    try await new.prepare(row.section, in: there, store)
    run = second
    run.command += " --baseline '\(baseline)'"
    var said = try await Scenario.perform(run, in: there, store)
    #expect(!(said.stdout + said.stderr).contains("[\(row.rule)]"), "\(said.stdout)\(said.stderr)\(lines)")

    let others = lines.filter { !$0.hasPrefix("\(row.rule)\t") }.joined(separator: "\n") + "\n"
    try there.write("others.baseline", others)
    run.command = second.command + " --baseline '\(there("others.baseline").string)'"
    said = try await Scenario.perform(run, in: there, store)
    #expect((said.stdout + said.stderr).contains("[\(row.rule)]"))
  }

  /// The versions of manifests, and of files that are named after them.
  private static func nextVersion(of text: String) -> String {
    var text = text
    for match in text.matches(of: #/(?m)^version: "?([0-9][0-9.]*)"?$/#) {
      let version = String(match.1)
      text = text.replacingOccurrences(of: "version: \(version)\n", with: "version: \(version).7\n")
      for end in ["-ios", ".aar", ".json", ".release", ".policy", "-web", "-plugins", ".zip", "*"] {
        text = text.replacingOccurrences(of: "-\(version)\(end)", with: "-\(version).7\(end)")
      }
    }
    return text
  }
}
