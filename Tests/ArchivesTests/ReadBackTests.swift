import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite struct ReadBackTests {
  let scratch = Scratch()

  @Test(arguments: [1, 2, 5])
  func whatIsMeant(_ workers: Int) async throws {
    let entries = try sampleEntries()
    let summary = try await zip(entries, at: scratch("a.zip"), .small(block: 1000)).summary
    let contents = try await ReadBack.verify(
      ArchiveBytes(PositionalFile(scratch("a.zip"))), against: summary, workers: workers
    ) { _ in Keep() }
    #expect(contents == entries.map(\.bytes))
    #expect(entries.filter { $0.mode & 0o170000 == 0o120000 }.count == 2)
    #expect(entries.filter { $0.mode & 0o170000 == 0o040000 }.count == 1)
  }

  @Test func whatIsNotMeant() async throws {
    let path = scratch("a.zip")
    let (summary, bytes) = try await zip(try sampleEntries(), at: path)
    func error(_ change: (inout ZipSummary) -> Void) async throws -> String? {
      var other = summary
      change(&other)
      do {
        _ = try await ReadBack.verify(ArchiveBytes(PositionalFile(path)), against: other) { _ in Keep() }
        return nil
      } catch {
        let text = try #require(error as? ReadBackError).description
        return text.split(separator: "as it was meant: ").last.map(String.init)
      }
    }
    let first = summary.entries[0]
    #expect(try await error { _ in } == nil)
    #expect(try await error { $0.entries.removeLast() } == "it has 12 entries in place of 11")
    #expect(try await error { $0.size += 1 } == "it has \(summary.size) bytes in place of \(summary.size + 1)")
    #expect(
      try await error { $0.entries.swapAt(0, 1) }
        == "it has '\(String(decoding: first.storedName, as: UTF8.self))' in the place of '\(summary.entries[1].path)'")
    #expect(try await error { $0.entries[0].mode = 0o100755 } == "the mode of '\(first.path)' is another")
    #expect(try await error { $0.entries[0].crc32 ^= 1 } == "the record of '\(first.path)' is another")
    let decomposed = summary.entries.firstIndex { $0.path.description.hasPrefix("Demo.bundle/nfd") } ?? 0
    let composed = try EntryPath("Demo.bundle/nfd-\u{E9}.txt")
    #expect(
      try await error { $0.entries[decomposed].path = composed }
        == "it has '\(summary.entries[decomposed].path)' in the place of '\(composed)'")

    // A byte of content, of a header, of the directory.
    for offset in [first.headerOffset + 45, first.headerOffset + 2, bytes.count - 60] {
      var damaged = bytes
      damaged[offset] ^= 1
      try scratch.write("a.zip", damaged)
      await #expect(throws: (any Error).self) {
        try await ReadBack.verify(ArchiveBytes(PositionalFile(path)), against: summary) { _ in Keep() }
      }
    }
  }
}
