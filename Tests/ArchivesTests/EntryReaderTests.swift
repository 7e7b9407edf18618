import Lanes
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite(.tools) struct EntryReaderTests {
  let scratch = Scratch()

  private func entries(_ reader: consuming EntryReader) throws -> [(name: String, bytes: [UInt8]?)] {
    var reader = reader
    var found: [(name: String, bytes: [UInt8]?)] = []
    while let header = try reader.next() {
      guard header.kind == .regular else { continue }
      var bytes: [UInt8]? = []
      do {
        try reader.forEachChunk { chunk in unsafe chunk.withUnsafeBytes { unsafe bytes?.append(contentsOf: $0) } }
      } catch { bytes = nil }
      found.append((String(decoding: header.name, as: UTF8.self), bytes))
    }
    return found
  }

  /// As libarchive reads them, and in its order, whoever has packed them and how.
  @Test func asLibarchive() async throws {
    try scratch.write("t/a/b.txt", Seeded.text(400_000, seed: 2))
    try scratch.write("t/empty", "")
    try scratch.write("t/zeros", String(repeating: "0", count: 20 << 20))
    try scratch.write("t/noise", Seeded.text(3_000_000, seed: 5))
    let folder = FilePath(scratch("t").string)
    for (name, command) in [
      ("zip", ["zip", "-qr"]), ("stored", ["zip", "-qr0"]), ("bzip2", ["7z", "a", "-tzip", "-bso0", "-mm=BZip2"]),
      ("lzma", ["7z", "a", "-tzip", "-bso0", "-mm=LZMA"]), ("7z", ["7z", "a", "-tzip", "-bso0"]),
      ("bsdtar", ["bsdtar", "--format", "zip", "-cf"]), ("jar", ["jar", "cf"]), ("tar", ["tar", "-cf"]),
    ] {
      try await Tool.check(command + ["../\(name)", "."], in: folder)
      // 7z and zip give a name without an ending one of their own.
      let path = [scratch(name), scratch("\(name).zip")].first { FileManager.default.fileExists(atPath: $0.string) }
      let file = try #require(path)
      var reader = try ArchiveReader(ArchiveBytes(PositionalFile(file)))
      var meant: [(name: String, bytes: [UInt8])] = []
      while let header = try reader.next() {
        guard header.kind == .regular else { continue }
        meant.append((String(decoding: header.name, as: UTF8.self), try reader.contents()))
      }
      let found = try entries(try EntryReader(ArchiveBytes(PositionalFile(file))))
      #expect(found.map(\.name) == meant.map(\.name), "\(name)")
      #expect(zip(found, meant).allSatisfy { $0.bytes == $1.bytes }, "\(name)")
      let again = try entries(
        try EntryReader(ArchiveBytes([UInt8](Data(contentsOf: URL(fileURLWithPath: file.string))))))
      #expect(zip(again, meant).allSatisfy { $0.bytes == $1.bytes } && again.count == meant.count, "\(name)")
    }
  }

  /// Wherever the content of one entry is damaged, the others are read; large content is checked piece by piece.
  @Test func damagedContent() async throws {
    try scratch.write("t/a", Seeded.text(2000, seed: 1))
    try scratch.write("t/m", Seeded.text(18 << 20, seed: 2))
    try scratch.write("t/z", Seeded.text(2000, seed: 3))
    for level in ["-0", "-1"] {
      try await Tool.check(["zip", "-qX", level, "../\(level).zip", "a", "m", "z"], in: FilePath(scratch("t").string))
      let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch("\(level).zip").string)))
      let whole = try entries(try EntryReader(ArchiveBytes(good)))
      #expect(whole.map(\.name) == ["a", "m", "z"] && whole.allSatisfy { $0.bytes != nil })
      let record = try ZipDirectory(ArchiveBytes(good)).records[1]
      for part in [0.001, 0.5, 0.999] {
        var bad = good
        bad[record.headerOffset + 31 + Int(part * Double(record.compressedSize - 10))] ^= 0x55
        let found = try entries(try EntryReader(ArchiveBytes(bad)))
        #expect(found.map { $0.bytes != nil } == [true, false, true], "\(level) at \(part)")
        #expect(found[0].bytes == whole[0].bytes && found[2].bytes == whole[2].bytes, "\(level) at \(part)")
      }
    }
  }

  /// Cut off anywhere, it ends with an error, and never as if it were whole.
  @Test func cutOff() async throws {
    for name in ["a", "b", "c"] { try scratch.write("t/\(name)", Seeded.text(3000, seed: 7)) }
    try await Tool.check(["zip", "-qX", "../a.zip", "a", "b", "c"], in: FilePath(scratch("t").string))
    let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch("a.zip").string)))
    for length in stride(from: 4, to: good.count, by: 61) {
      var isSaid = false
      do {
        isSaid = try entries(try EntryReader(ArchiveBytes(Array(good.prefix(length))))).contains { $0.bytes == nil }
      } catch { isSaid = true }
      #expect(isSaid, "\(length) of \(good.count)")
    }
  }
}
