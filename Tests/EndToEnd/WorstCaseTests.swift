import Foundation
import SystemPackage
import Testing
import TestSupport

/// What a parser costs is linear in the bytes: its worst case at a size, or at the most that it reads, takes at most twelve
/// times the processor time and the memory of a tenth of it, and 512 MB. The cases are made by `WorstCases/worst.py`.
@Suite struct WorstCaseTests {
  private struct Cost {
    var seconds: Double
    var megabytes: Double
    var status: Int32
  }

  private static let maxTimes = 12.0
  private static let maxMegabytes = 512.0
  /// Less than this is not compared: it is the start of the process and noise.
  private static let floor = 1.0
  /// A tenth that asks for less memory than this is taken to ask for so much: what it needs fits into what the allocator
  /// and the thread stacks have taken by then, and says nothing of how it grows.
  private static let memoryFloor = 16.0

  /// Of a run that reads nothing, of the tenth, of the whole. What a process has before it reads does not grow: it is taken
  /// off on both sides, or it would hide growth.
  private static func isLinear(_ costs: [Cost]) -> Bool {
    let (idle, tenth, whole) = (costs[0], costs[1], costs[2])
    let growth = whole.megabytes - idle.megabytes
    return (whole.seconds < floor || whole.seconds <= maxTimes * tenth.seconds)
      && growth <= maxTimes * max(memoryFloor, tenth.megabytes - idle.megabytes)
  }

  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      "zip-entries", "zip-long-names", "zip-longest-names", "zip-deep-names", "zip-deepest-names", "zip-one-name",
      "zip-links", "zip-extra-fields", "zip-one-header", "jar-deep-names", "xml-elements", "xml-depth",
      "xml-attributes",
      "xml-prefixes", "xml-prefix-changes", "xml-text", "xml-doctype", "plist-keys", "plist-depth", "xcframework",
      "yaml-keys", "init-project", "init-project-objects", "init-project-depth", "init-project-quote", "init-script",
      "init-line", "init-parts", "init-modules", "init-packages",
      "yaml-list", "yaml-depth", "yaml-line", "json-keys", "stub-symbols", "stub-documents", "library-members",
      "library-long-names", "object-symbols", "object-one-name", "object-commands", "zip-of-code", "check-zip-of-code",
      "nested-archives",
      "rtext-names",
      "rtext-ids",
      "rtext-nested-names",
      "values-names",
      "values-mistakes",
      "values-formats",
      "values-enums",
      "values-files",
      "values-products",
      "values-twice",
      "merge-elements",
      "merge-attributes",
      "merge-flags",
      "merge-replace",
      "merge-conflicts",
      "merge-authorities",
      "merge-depth",
      "merge-prefixes",
      "merge-filters",
      "jar-classes",
      "jar-one-class",
      "jars",
      "lint-jars",
      "build-jars",
      "elf-symbols",
      "elf-tables",
      "bitcode-symbols",
      "check-bitcode",
      "fat-slices",
      "check-fat-slices",
      "lint-fat-slices",
      "library-repeated-name",
      "json-symbols",
      "json-one-name",
      "demangled",
      "demangled-one-name",
      "check-symbols",
      "check-members",
      "check-slices",
      "record",
      "record-entries",
      "baseline",
      "depfile",
      "depfile-deep",
      "git-index",
      "git-index-4",
      "web-tags",
      "web-links",
      "web-long-link",
      "web-based",
      "web-sections",
      "web-sheet",
      "web-script",
      "web-script-names",
    ])
  func isLinear(_ name: String) async throws {
    // What else the machine does can hit the whole alone: what is linear is so once in six times.
    var costs: [[Cost]] = []
    for _ in 0..<6 {
      let found = try await cost(of: name)
      try #require(found.count == 3, "\(name): \(found)")
      for each in found {
        #expect((0...2).contains(each.status), "\(name): \(found)")
        #expect(each.megabytes <= Self.maxMegabytes, "\(name): \(found)")
      }
      costs.append(found)
      if Self.isLinear(found) { return }
    }
    Issue.record("\(name) grows faster than its size: \(costs)")
  }

  private func cost(of name: String) async throws -> [Cost] {
    let scratch = Scratch()
    let program = FilePath(#filePath).removingLastComponent().appending("WorstCases/worst.py").string
    let text = try await Tool.check(
      ["python3", program, name, Scenario.binary.string, scratch.path.string], in: scratch.path)
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 3, let seconds = Double(words[0]), let megabytes = Double(words[1]),
        let status = Int32(words[2])
      else { return nil }
      return Cost(seconds: seconds, megabytes: megabytes, status: status)
    }
  }
}
