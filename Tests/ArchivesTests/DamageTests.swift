import Foundation
import Testing
import TestSupport

@testable import Archives

/// Every input ends with a value or a typed error: no crash, no hang, no memory that only a claim asks for.
@Suite struct DamageTests {
  let scratch = Scratch()

  private func feed(_ bytes: [UInt8]) {
    do throws(ZipFormatError) {
      let directory = try ZipDirectory(ArchiveBytes(bytes))
      _ = try directory.irregularities().map(\.description)
      for record in directory.records { _ = try? directory.contents(of: record, limit: 1 << 20) }
    } catch {
      #expect(error.offset <= 1 << 61)
    }
    do {
      var reader = try ArchiveReader(ArchiveBytes(bytes))
      var count = 0
      while try reader.next() != nil {
        var total = 0
        try reader.forEachChunk { chunk in
          total += chunk.byteCount
          if total > 1 << 20 { throw CancellationError() }
        }
        count += 1
        #expect(count < 100)
      }
    } catch {
      #expect(error is ArchiveError || error is CancellationError)
    }
  }

  private func samples() async throws -> [[UInt8]] {
    let entries = [
      try Entry.file("a/text.txt", Seeded.text(900, seed: 4)), try .file("b.bin", [1, 2, 3]), try .link("l", to: "a"),
      try .file("na\u{EF}ve", "na\u{EF}ve na\u{EF}ve na\u{EF}ve"), try .folder("z"),
    ]
    return [
      try await zip(entries, at: scratch("a.zip")).bytes,
      try await zip(entries, at: scratch("b.zip"), .small(block: 100, zip64Limit: 50)).bytes,
    ]
  }

  @Test func everyPrefix() async throws {
    for bytes in try await samples() {
      for length in 0..<bytes.count { feed(Array(bytes[..<length])) }
    }
  }

  @Test(arguments: [1, 2, 3, 4])
  func flippedBytes(_ seed: UInt64) async throws {
    var random = Seeded(seed: seed)
    for bytes in try await samples() {
      for _ in 0..<1500 {
        var damaged = bytes
        for _ in 0...(random.next() % 3) {
          damaged[Int(random.next() % UInt64(bytes.count))] =
            random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
        }
        feed(damaged)
      }
    }
  }

  /// Every field of every header at its largest.
  @Test func everyByteAtItsLargest() async throws {
    for bytes in try await samples() {
      for width in [1, 2, 4, 8] {
        for start in bytes.indices.dropLast(width) {
          var damaged = bytes
          for index in start..<(start + width) { damaged[index] = width == 8 && index == start + 7 ? 0x7F : 0xFF }
          feed(damaged)
        }
      }
    }
  }
}
