import Foundation
import SystemPackage
import Testing
import TestSupport

/// Archives that somebody made to deceive: none crashes or hangs the tool, writes outside of its folder or passes unseen.
@Suite struct HostileArchivesTests {
  private static let home = FilePath(#filePath).removingLastComponent().appending("HostileArchives")

  /// What other tools say, in their exit codes: each of them lets something pass.
  private static let others: [(name: String, words: [String])] = [
    ("unzip", ["unzip", "-tqq", "-P", ""]), ("7z", ["7z", "t", "-p", "-bd"]),
    ("java", ["jar", "--list", "--file"]),
    ("python", ["python3", "-c", "import sys, zipfile; sys.exit(bool(zipfile.ZipFile(sys.argv[1]).testzip()))"]),
    ("bsdtar", ["bsdtar", "-tf"]),
  ]

  @Test func noneIsUnseen() async throws {
    let scratch = Scratch()
    try await Tool.check(["python3", Self.home.appending("make.py").string, "zips"], in: scratch.path)
    try scratch.write("outside", "as it was")
    try FileManager.default.createDirectory(atPath: scratch("clean").string, withIntermediateDirectories: false)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch("zips").string).sorted()
    #expect(names.count >= 60)
    var table = "trick".padding(toLength: 30, withPad: " ", startingAt: 0) + "npi-pack  strip     "
    table += Self.others.map { $0.name.padding(toLength: 9, withPad: " ", startingAt: 0) }.joined() + "\n"
    for name in names {
      let zip = scratch("zips/\(name)").string
      let lint = try await Tool.run(["timeout", "60", Scenario.binary.string, "lint", zip], in: scratch.path)
      #expect([0, 1, 2].contains(lint.status), "\(name): exit \(lint.status) \(lint.err)")
      #expect((lint.status == 0) == name.hasPrefix("harmless"), "\(name): \(lint.out)")
      let strip = try await Tool.run(
        ["timeout", "60", Scenario.binary.string, "strip", zip, "-o", "clean/\(name)"], in: scratch.path)
      #expect([0, 1, 2].contains(strip.status), "\(name): exit \(strip.status) \(strip.err)")
      if strip.status == 0 {
        let again = try await Tool.run([Scenario.binary.string, "lint", "clean/\(name)"], in: scratch.path)
        #expect(again.status == 0, "\(name), stripped: \(again.out)")
      }
      func cell(_ text: String, _ width: Int) -> String { text.padding(toLength: width, withPad: " ", startingAt: 0) }
      table += cell(String(name.dropLast(4)), 30)
      table += cell(["passes", "refuses", "unread"][Int(min(lint.status, 2))], 10)
      table += cell(strip.status == 0 ? "repairs" : "refuses", 10)
      for (_, words) in Self.others {
        let said = try await Tool.run(["timeout", "60"] + words + [zip], in: scratch.path)
        table += cell(said.status == 0 ? "passes" : "refuses", 9)
      }
      table = String(table.reversed().drop { $0 == " " }.reversed()) + "\n"
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path.string).sorted()
    #expect(left.filter { $0 != "clean" } == ["outside", "zips"])
    let golden = Self.home.appending("table.txt")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try table.write(toFile: golden.string, atomically: true, encoding: .utf8)
    }
    let known = try String(contentsOfFile: golden.string, encoding: .utf8)
    #expect(table == known, "UPDATE_SNAPSHOTS=1 make test rewrites the table")
  }
}
