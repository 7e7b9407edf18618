import Artifacts
import BuildEngine
import Findings
import Rules
import Store
import SystemPackage
import Testing

@testable import Packaging

/// Results of lint that come from a cache, whose answers are not trusted.
@Suite struct LintRecordTests {
  private static let order: LintOrder = {
    var settings = try? FindingPolicy().settings([:])
    settings?[MissingLibrary.id]?.level = .warning
    settings?[ResourceForks.id]?.level = .off
    var order = LintOrder("dist/a.zip", HostRules.Found(host: "toy"), settings ?? [:])
    order.configuration = Configuration([("a", .text("1")), ("b", .other("a number"))])
    order.platforms = [.ios, .android]
    return order
  }()

  private func record(_ finding: Finding, notes: [String] = []) -> [UInt8] {
    var writer = RecordWriter()
    StepDiagnostics(notes: notes, findings: [finding]).write(to: &writer)
    return writer.bytes
  }

  private static let right = Finding(
    MissingLibrary.id, .warning, "there is none", about: ["x"], at: [Place("dist/a.zip").inside("b")], notes: ["one"],
    hint: "two", edit: Edit(.shell, "npi-pack strip \("a")"))

  @Test func resultsComeBack() throws {
    let result = try #require(LintResult(record(Self.right), of: Self.order))
    #expect(result.findings == [Self.right] && result.record == record(Self.right))
  }

  @Test(arguments: [
    Finding(RuleID(rawValue: "x\n::error::y"), .note, "m", at: [Place("a")]),
    Finding(RuleID(rawValue: "no-such-rule"), .note, "m", at: [Place("a")]),
    Finding(MissingLibrary.id, .error, "m", at: [Place("a")]), Finding(MissingLibrary.id, .off, "m", at: [Place("a")]),
    Finding(ResourceForks.id, .note, "m", at: [Place("a")]),
    Finding(MissingLibrary.id, .note, "m", at: [Place(parts: [])]),
    Finding(MissingLibrary.id, .note, "m", at: [Place(parts: ["a"], position: .init(line: 1, column: 0, text: "x"))]),
  ])
  func othersDoNot(_ finding: Finding) {
    #expect(LintResult(record(finding), of: Self.order) == nil)
  }

  @Test func halfARecordIsNone() {
    let bytes = record(Self.right)
    for count in 0..<bytes.count { #expect(LintResult(Array(bytes[..<count]), of: Self.order) == nil) }
    #expect(LintResult(bytes + [0], of: Self.order) == nil)
    #expect(LintResult(record(Self.right, notes: ["own"]), of: Self.order) == nil)
  }

  /// A worker comes to the same order, and so to the same key.
  @Test func ordersComeBack() throws {
    let bytes = try #require(Self.order.bytes)
    let other = try #require(LintOrder(bytes, for: "file/a.zip"))
    #expect(other.bytes == bytes && other.shown == "dist/a.zip" && other.file == "file/a.zip")
    for count in 0..<bytes.count where count % 7 == 0 { #expect(LintOrder(Array(bytes[..<count]), for: "a") == nil) }
  }
}
