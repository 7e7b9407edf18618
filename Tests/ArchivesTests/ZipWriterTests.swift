import Lanes
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

/// The canonical zip, as programs see it that we did not write.
@Suite struct ZipWriterTests {
  let scratch = Scratch()

  /// Whole blocks, many blocks of which some entries have several, and zip64 everywhere.
  static let shapes: [(name: String, options: ZipOptions)] = [
    ("plain", ZipOptions(epoch: 1_700_000_001)), ("blocks", .small(block: 1000)),
    ("zip64", .small(block: 4096, zip64Limit: 600)),
  ]

  @Test(.tools, arguments: shapes.indices)
  func everybodyReadsTheSame(_ shape: Int) async throws {
    let (name, options) = Self.shapes[shape]
    let path = scratch("\(name).zip")
    let entries = try sampleEntries()
    let summary = try await zip(entries, at: path, options).summary
    for (entry, item) in zip(entries, summary.entries) {
      #expect(item.crc32 == Deflate.crc32(entry.bytes.span) && item.uncompressedSize == entry.bytes.count)
    }

    #expect(try await Oracle.python(path) == Oracle.expected(summary, modes: true))
    #expect(try await Oracle.java(path, scratch) == Oracle.expected(summary, modes: false))
    try await Tool.check(["unzip", "-tq", path.string])
    try await Tool.check(["7z", "t", path.string])
    try await Tool.check(["python3", "-c", "import zipfile,sys; zipfile.main(['-t', sys.argv[1]])", path.string])

    for tool in [["unzip", "-q", path.string, "-d"], ["bsdtar", "-xf", path.string, "-C"]] {
      let folder = scratch("\(name)-\(tool[0])")
      try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
      // Both turn names into the locale's charset.
      try await Tool.check(tool + [folder.string], environment: ["LC_ALL": "C.UTF-8"])
      for entry in entries {
        var name = String(decoding: entry.path.bytes, as: UTF8.self)
        // libarchive, and so bsdtar, composes names.
        if tool[0] == "bsdtar" { name = name.precomposedStringWithCanonicalMapping }
        let file = folder.pushing(FilePath(name))
        let manager = FileManager.default
        switch entry.kind {
        case .symbolicLink(let target):
          #expect(try Array(manager.destinationOfSymbolicLink(atPath: file.string).utf8) == target)
        case .directory:
          #expect(try manager.contentsOfDirectory(atPath: file.string).isEmpty)
        case .file(_, let executable):
          #expect(manager.contents(atPath: file.string).map { Array($0) } == entry.bytes)
          #expect(manager.isExecutableFile(atPath: file.string) == executable)
        }
      }
    }
  }

  @Test(.tools) func noExtraFieldsNoDescriptors() async throws {
    let path = scratch("a.zip")
    try await zip(sampleEntries(), at: path, ZipOptions(epoch: 1_700_000_001))
    let text = try await Tool.check(["zipinfo", "-v", path.string], environment: ["LC_ALL": "C.UTF-8"])
    func count(_ part: String) -> Int { text.components(separatedBy: part).count - 1 }
    #expect(count("length of extra field:                          0 bytes") == 12)
    #expect(count("extended local header:                          no") == 12)
    #expect(count("file system or operating system of origin:      Unix") == 12)
    #expect(count("2023 Nov 14 22:13:20") == 12)
    #expect(!text.contains("local extra field"))
    #expect(count("Unix file attributes (120777 octal):            lrwxrwxrwx") == 2)
    #expect(count("Unix file attributes (100755 octal):            -rwxr-xr-x") == 1)
    #expect(count("Unix file attributes (040755 octal):            drwxr-xr-x") == 1)
    #expect(try ZipDirectory(ArchiveBytes(PositionalFile(path))).irregularities().isEmpty)
  }

  @Test(.tools) func methods() async throws {
    var random = Seeded(seed: 3)
    let entries = [
      try Entry.file("deflates", random.text(9000)), try .file("empty", ""), try .file("noise", random.noise(9000)),
      try .file("zip", Array("PK\u{3}\u{4}".utf8) + random.text(9000)),
      try .link("link", to: "aaaaaaaaaaaaaaaaaaaaaaa"),
    ]
    for block in [1 << 20, 1000] {
      let summary = try await zip(entries, at: scratch("m.zip"), .small(block: block)).summary
      #expect(summary.entries.map(\.method) == [.deflated, .stored, .stored, .stored, .stored])
      try await Tool.check(["unzip", "-tq", scratch("m.zip").string])
    }
  }

  @Test(
    arguments: [
      (nil, 0, 0x0021), (-5, 0, 0x0021), (315_532_801, 0, 0x0021), (951_782_399, 0xBF7D, 0x285C),
      (951_782_400, 0, 0x285D), (9_999_999_999, 0xBF7D, 0xFF9F),
    ] as [(Int?, UInt16, UInt16)])
  func times(_ epoch: Int?, _ time: UInt16, _ date: UInt16) {
    let found = ZipRecords.dosTime(epoch: epoch)
    #expect(found.time == time && found.date == date)
  }

  @Test(.tools) func timesAsPythonHasThem() async throws {
    var random = Seeded(seed: 5)
    let epochs = (0..<500).map { _ in 315_532_800 + Int(random.next() % 4_039_286_399) }
    let program = """
      import sys, datetime
      for s in sys.argv[1:]:
          d = datetime.datetime.fromtimestamp(int(s), datetime.timezone.utc)
          print((d.hour << 11) | (d.minute << 5) | d.second // 2, ((d.year - 1980) << 9) | (d.month << 5) | d.day)
      """
    let out = try await Tool.check(["python3", "-c", program] + epochs.map(String.init))
    for (epoch, line) in zip(epochs, out.split(separator: "\n")) {
      let (time, date) = ZipRecords.dosTime(epoch: epoch)
      #expect(line == "\(time) \(date)", "epoch \(epoch)")
    }
  }

  @Test func bytesDoNotDependOnWorkers() async throws {
    var random = Seeded(seed: 21)
    var entries = try sampleEntries()
    for index in 0..<40 {
      entries.append(try .file("more/\(index)", random.text(Int(random.next() % 30_000))))
    }
    var options = ZipOptions.small(block: 2000, workers: 1)
    let first = try await zip(entries, at: scratch("1.zip"), options)
    for workers in [2, 8] {
      options.workers = workers
      let other = try await zip(entries, at: scratch("\(workers).zip"), options)
      #expect(other.bytes == first.bytes && other.summary == first.summary)
    }
  }

  /// Bytes that nothing can be won on are stored, whole entries and blocks of entries, and everybody reads them.
  @Test(.tools) func noiseIsStored() async throws {
    var random = Seeded(seed: 7)
    let (noise, text) = (random.noise(3 << 20), random.text(1 << 20))
    let mixed = Array(noise[..<(1 << 20)]) + text + Array(noise[(1 << 20)..<(2 << 20)]) + Array("end".utf8)
    let entries = try [("a-noise", noise), ("b-mixed", mixed), ("c-text", text), ("d-short", Array(noise[..<80_000]))]
      .map { Entry(path: try EntryPath($0.0), kind: .file(.bytes($0.1), executable: false)) }
    let path = scratch("noise.zip")
    let summary = try await zip(entries, at: path, ZipOptions()).summary
    #expect(summary.entries.map(\.method) == [.stored, .deflated, .deflated, .stored])
    let stored = summary.entries[1].compressedSize
    #expect(stored > 2 << 20 && stored < (2 << 20) + text.count * 3 / 4)
    #expect(try await Oracle.python(path) == Oracle.expected(summary, modes: true))
    #expect(try await Oracle.java(path, scratch) == Oracle.expected(summary, modes: false))
    try await Tool.check(["unzip", "-tq", path.string])
    try await Tool.check(["7z", "t", path.string])
    // Every value as often as every other, and yet there is much to win.
    let counting = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let areNoise = [noise, text, counting].map { CompressedContent.isNoise($0.span) }
    #expect(areNoise == [true, false, false])
  }

  /// A stream cut after any number of bytes, joined, and read by zlib: every alignment of a block's end occurs.
  @Test(.tools) func blocksJoinAtEveryAlignment() async throws {
    var random = Seeded(seed: 99)
    let deflate = try Deflate()
    var whole: [UInt8] = []
    var stream: [UInt8] = []
    for index in 0..<400 {
      let part =
        index % 7 == 0 ? random.noise(1 + Int(random.next() % 400)) : random.text(1 + Int(random.next() % 3000))
      try deflate.compress(part.span, final: index == 399, into: &stream)
      whole += part
    }
    try scratch.write("stream", stream)
    try scratch.write("whole", whole)
    try await Tool.check([
      "python3", "-c",
      "import zlib,sys; d=zlib.decompressobj(-15); "
        + "assert d.decompress(open(sys.argv[1],'rb').read()) == open(sys.argv[2],'rb').read() and d.eof",
      scratch("stream").string, scratch("whole").string,
    ])
    #expect(try Deflate.inflating(stream.span, size: whole.count) == whole)
  }

  @Test(.tools) func overwritesWhatWasThere() async throws {
    try scratch.write("a.zip", [UInt8](repeating: 7, count: 100_000))
    let summary = try await ZipWriter.write([.file("a", "x")], to: scratch("a.zip"))
    #expect(try scratch.read("a.zip").count == summary.size)
    try await Tool.check(["unzip", "-tq", scratch("a.zip").string])
  }

  @Test(.tools) func nothingAtAll() async throws {
    let (summary, bytes) = try await zip([], at: scratch("none.zip"))
    #expect(summary.entries.isEmpty && bytes.count == 22)
    #expect(try await Oracle.python(scratch("none.zip")) == [])
    #expect(
      try await ReadBack.verify(ArchiveBytes(PositionalFile(scratch("none.zip"))), against: summary) { _ in Keep() }
        == [])
  }
}

extension FileDescriptor {
  fileprivate func closeAfterAsync<Result>(_ body: (FileDescriptor) async throws -> Result) async throws -> Result {
    defer { try? close() }
    return try await body(self)
  }
}
