import Lanes
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

/// Where a zip's 16 and 32 bits end.
@Suite(.tools) struct Zip64Tests {
  let scratch = Scratch()

  @Test(arguments: [65_534, 65_535, 70_000])
  func entries(_ count: Int) async throws {
    let entries = try (0..<count).map { try Entry.file("d\($0 / 1000)/\($0)", []) }
    let path = scratch("many.zip")
    let (summary, bytes) = try await zip(entries, at: path)
    let isWide = bytes.suffix(22 + 20).starts(with: [0x50, 0x4B, 0x06, 0x07])
    #expect(isWide == (count > 65_534))
    let directory = try ZipDirectory(ArchiveBytes(bytes))
    #expect(directory.end.count == count && directory.records.count == count)
    if count == 70_000 {
      #expect(try await Oracle.python(path).count == count)
      #expect(try await Oracle.java(path, scratch).count == count)
      try await Tool.check(["unzip", "-tqq", path.string])
      try await Tool.check(["7z", "t", "-bso0", path.string])
      #expect(
        try await ReadBack.verify(ArchiveBytes(PositionalFile(path)), against: summary) { _ in Keep() }.count == count)
    }
  }

  @Test func size() async throws {
    let size = (1 << 32) + 5
    let file = scratch("hole")
    let descriptor = try FileDescriptor.open(file, .readWrite, options: .create, permissions: .ownerReadWrite)
    try descriptor.resize(to: Int64(size))
    try descriptor.close()
    let entries = [
      Entry(path: try EntryPath("hole"), kind: .file(.file(file, size: size), executable: false)),
      try .file("after", "after"),
    ]
    let path = scratch("large.zip")
    let summary = try await zip(entries, at: path).summary
    #expect(summary.entries[0].uncompressedSize == size && summary.size < 10_000_000)
    let directory = try ZipDirectory(ArchiveBytes(PositionalFile(path)))
    #expect(directory.records[0].uncompressedSize == size && directory.records[0].versionNeeded == 45)
    #expect(directory.records[1].versionNeeded == 10)
    // Not `unzip -t`, which takes as long again: that the records are read is seen at a lower limit, in ZipWriterTests.
    try await Tool.check(["unzip", "-tq", path.string, "after"])
    #expect(try await Tool.check(["zipinfo", "-v", path.string]).contains("4294967301 bytes"))
  }
}
