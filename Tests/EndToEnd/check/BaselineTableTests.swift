import Findings
import Foundation
import Rules
import SystemPackage
import TestSupport
import Testing

/// For every rule: what a baseline accepts of one version in one folder it accepts of the next version in another, whatever
/// the paths, the names of the files and their order; and it accepts nothing else. The plugins are those of the scenarios in
/// which the rule speaks.
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
    for (name, file) in EndToEndTests.files.sorted(by: { $0.key < $1.key }) {
      guard let text = try? String(contentsOf: file, encoding: .utf8),
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

  private static let system = " -- -ObjC -platform_version"

  /// The option comes before the flags of a linker.
  private static func adding(_ option: String, to command: String) -> String {
    let end = command.range(of: system, options: .backwards)?.lowerBound ?? command.endIndex
    return command[..<end] + " \(option)" + command[end...]
  }

  /// Whether it ends with a command of ours that judges, to which an option can be added.
  private static func isPlain(_ command: String) -> Bool {
    let last = command.components(separatedBy: "&&").last?.components(separatedBy: ";").last ?? ""
    let others = "init|recipes|symbols|graph|why|clean|config|schema|strip|help"
    // Of link lines only the flags count that say for which system the app is.
    let plain = last.replacing(Self.system, with: "")
    return plain.contains(#/^ *npi-pack\b/#) && !plain.contains(#/[|>()'"]| -- |--apps|baseline/#)
      && !last.split(separator: " ").dropFirst().contains { others.split(separator: "|").contains($0) }
  }

  @Test func everyRuleHasARow() {
    let all = Set(RuleCatalogue.all.map(\.id.rawValue))
    #expect(all.subtracting(Self.rows.map(\.rule)) == [], "rules that no plain command of a scenario shows")
  }

  @Test(arguments: rows) func isKnownAgain(_ row: Row) async throws {
    let text = try String(contentsOf: try #require(EndToEndTests.files[row.scenario]), encoding: .utf8)
    let (old, new) = (try Scenario(text), try Scenario(Self.nextVersion(of: text)))
    guard case .run(let first) = old.sections[row.section], case .run(let second) = new.sections[row.section] else {
      throw ToolError("the section is no command")
    }
    let (here, there, store) = (Scratch(), Scratch(ending: "-of-another-name"), Scratch())
    try await old.prepare(row.section, in: here, store)
    let baseline = here("accepted.baseline").string
    var run = first
    run.command = Self.adding("--write-baseline '\(baseline)'", to: run.command)
    _ = try await Scenario.perform(run, in: here, store)
    let lines = try String(contentsOfFile: baseline, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("\(row.rule)\t") })

    try await new.prepare(row.section, in: there, store)
    let command = Self.moved(second.command, here)
    run = second
    run.command = Self.adding("--baseline '\(baseline)'", to: command)
    var said = try await Scenario.perform(run, in: there, store)
    #expect(!(said.stdout + said.stderr).contains("[\(row.rule)]"), "\(said.stdout)\(said.stderr)\(lines)")

    // Of another plugin, place, name or platform nothing is accepted.
    for field in 0...4 {
      var isOther = false
      let others = lines.map { line -> String in
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.first == row.rule, !fields[field].isEmpty else { return String(line) }
        isOther = true
        fields[field] += field == 0 ? "-other" : "Other"
        return fields.joined(separator: "\t")
      }
      guard isOther else { continue }
      try there.write("others.baseline", others.joined(separator: "\n") + "\n")
      run.command = Self.adding("--baseline '\(there("others.baseline").string)'", to: command)
      said = try await Scenario.perform(run, in: there, store)
      #expect((said.stdout + said.stderr).contains("[\(row.rule)]"), "field \(field): \(others)")
    }
  }

  /// What is judged by itself is judged elsewhere, named by absolute paths, of the next version, and in another order.
  private static func moved(_ command: String, _ scratch: Scratch) -> String {
    guard
      let start = command.ranges(of: #/(^|[;&] )npi-pack /#).last.map({ range in
        command[range].firstRange(of: "npi-pack")?.lowerBound ?? range.lowerBound
      })
    else { return command }
    var words = command[start...].split(separator: " ").map(String.init)
    guard words.count > 2, words[1] == "check" || words[1] == "lint" && words.contains("--recipe") else {
      return command
    }
    let places = words.indices.dropFirst(2).filter { index in
      !words[index].hasPrefix("-") && !words[index - 1].hasPrefix("--") && scratch.exists(words[index])
    }
    let names = places.map {
      (old: words[$0], new: nextName(of: words[$0].split(separator: "/").last.map(String.init) ?? ""))
    }
    for (place, name) in zip(places, names.reversed()) { words[place] = "\"$PWD/moved/\(name.new)\"" }
    let copies = names.map { "cp -a '\($0.old)' 'moved/\($0.new)'" }
    return command[..<start]
      + (["rm -rf moved", "mkdir moved"] + copies + [words.joined(separator: " ")])
      .joined(separator: " && ")
  }

  private static func nextName(of name: String) -> String {
    // What is in these is called as they are, and lock files are known by their names.
    if name.contains(#/\.(xc)?framework$|\.app(ex)?$|\.bundle$|\.lock$|\.lockfile$|\.resolved$/#) { return name }
    if let version = name.firstMatch(of: #/-[0-9]+\.[0-9]+/#) {
      return name.replacingCharacters(in: version.range, with: version.output + ".7")
    }
    let end = name.firstMatch(of: #/(-web|-appex)?(\.[a-z]+)+$/#)?.range.lowerBound ?? name.endIndex
    return name[..<end] + "-1.4.1" + name[end...]
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
