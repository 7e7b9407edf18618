import Documents
import Findings
import SystemPackage
import TestSupport
import Testing

@testable import Check

/// The files of an app, as an apps file names them.
@Suite struct AppPathsTests {
  private func find(
    _ texts: [String], in scratch: Scratch
  ) throws -> (found: [String], mistakes: [String], missing: [Mistake]) {
    let list = texts.map { "- \"\($0)\"\n" }.joined()
    var paths = AppPaths(scratch.path)
    let found = paths.find(try YAMLText.parse(Array(list.utf8), name: "apps.yml").list ?? [])
    let prefix = scratch.path.string + "/"
    return (
      found.map { String($0.string.dropFirst(prefix.count)) }, paths.mistakes.map(\.message), paths.missing
    )
  }

  @Test func theFirstMentionOfAFileCounts() throws {
    let scratch = Scratch()
    for name in ["b.zip", "a.zip", "c.aar", "sub/d.zip"] { try scratch.write(name, name) }
    let (found, mistakes, missing) = try find(["b.zip", "*.zip", "sub/../c.aar", "c.aar", "**/*.zip"], in: scratch)
    #expect(found == ["b.zip", "a.zip", "c.aar", "sub/d.zip"])
    #expect(mistakes.isEmpty && missing.isEmpty)
  }

  /// Behind a link `..` leads elsewhere: such a path stays as it is written.
  @Test func pathsBehindLinksStay() throws {
    let scratch = Scratch()
    try scratch.write("far/away/x", "")
    try scratch.write("far/p.zip", "far")
    try scratch.link("link", to: "far/away")
    #expect(try find(["link/../p.zip"], in: scratch).found == ["link/../p.zip"])
  }

  @Test func whatIsNotThereIsSaidWithItsNeighbour() throws {
    let scratch = Scratch()
    try scratch.write("Scanner.zip", "")
    let (found, mistakes, missing) = try find(["Scaner.zip", "*.aar"], in: scratch)
    #expect(found.isEmpty && mistakes.isEmpty)
    #expect(missing.map(\.message) == ["there is no \(scratch("Scaner.zip"))", "the pattern '*.aar' matches nothing"])
    #expect(missing.first?.hint == "did you mean '\(scratch("Scanner.zip"))'?")
  }

  @Test func whatCannotBeMeantIsAMistake() throws {
    let (found, mistakes, missing) = try find(["", "a\\0b"], in: Scratch())
    #expect(found.isEmpty && missing.isEmpty)
    #expect(mistakes == ["an empty path", "a path with a NUL in it"])
  }
}
