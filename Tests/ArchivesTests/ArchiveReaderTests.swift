import Lanes
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite struct ArchiveReaderTests {
  let scratch = Scratch()

  private func read(_ path: FilePath) throws -> [(header: ArchiveHeader, bytes: [UInt8])] {
    var reader = try ArchiveReader(ArchiveBytes(PositionalFile(path)))
    var found: [(ArchiveHeader, [UInt8])] = []
    while let header = try reader.next() { found.append((header, try reader.contents())) }
    #expect(try reader.next() == nil)
    return found
  }

  @Test func ourOwnZip() async throws {
    let entries = try sampleEntries()
    let bytes = try await zip(entries, at: scratch("a.zip"), .small(block: 1000)).bytes
    let found = try read(scratch("a.zip"))
    #expect(found.map(\.header.name) == entries.map(\.storedName))
    #expect(found.map(\.header.mode) == entries.map(\.mode))
    for (item, entry) in zip(found, entries) {
      if case .symbolicLink(let target) = entry.kind {
        #expect(item.header.kind == .symbolicLink && item.header.linkTarget == target)
      } else {
        #expect(item.bytes == entry.bytes && item.header.size == entry.bytes.count)
      }
    }
    // From memory, only some entries read, the others skipped.
    var reader = try ArchiveReader(ArchiveBytes(bytes))
    var index = 0
    while let header = try reader.next() {
      if index % 3 == 0, header.kind == .regular {
        #expect(try reader.contents() == entries[index].bytes)
      }
      index += 1
    }
    #expect(index == entries.count)
  }

  /// This process never calls `setlocale`, so it runs in the C locale whatever the environment says, where libarchive
  /// on its own would lose every name that is not ASCII.
  @Test(.tools) func namesAreTheArchivesBytesInTheCLocale() async throws {
    #expect(unsafe setlocale(LC_CTYPE, nil).map { unsafe String(cString: $0) } == "C")
    let names = ["nfc-\u{E9}", "nfd-e\u{301}", "\u{1F600}", "\u{1112}\u{1161}\u{11AB}", "\u{212A}", "plain"]
    let program = """
      import sys, zipfile, tarfile, io
      names = sys.argv[3:]
      with zipfile.ZipFile(sys.argv[1], 'w') as z:
          for n in names: z.writestr(n, n)
      with tarfile.open(sys.argv[2], 'w:xz', format=tarfile.PAX_FORMAT) as t:
          for n in names:
              i = tarfile.TarInfo(n); i.type = tarfile.SYMTYPE; i.linkname = n; i.pax_headers = {'SCHILY.xattr.user.a': 'b'}
              t.addfile(i)
      """
    let paths = ["n.zip", "n.tar.xz"].map { scratch($0) }
    try await Tool.check(["python3", "-c", program] + paths.map(\.string) + names)
    for path in paths {
      #expect(try read(path).map(\.header.name) == names.map { Array($0.utf8) })
    }
    let links = try read(paths[1]).map(\.header)
    #expect(links.map(\.linkTarget) == names.map { Array($0.utf8) })
    #expect(links.allSatisfy { $0.attributes == [Array("user.a".utf8)] })
    // The thread's locale is what it was.
    #expect(unsafe setlocale(LC_CTYPE, nil).map { unsafe String(cString: $0) } == "C")
  }

  @Test(.tools) func appleDoubleEntriesAreSeen() async throws {
    let program = """
      import sys, zipfile, tarfile, io
      names = ['a.txt', '._a.txt', '__MACOSX/._a.txt']
      with zipfile.ZipFile(sys.argv[1], 'w') as z:
          for n in names: z.writestr(n, b'\\0\\5\\x16\\7')
      with tarfile.open(sys.argv[2], 'w') as t:
          for n in names:
              i = tarfile.TarInfo(n); i.size = 4; t.addfile(i, io.BytesIO(b'\\0\\5\\x16\\7'))
      """
    try await Tool.check(["python3", "-c", program, scratch("m.zip").string, scratch("m.tar").string])
    for name in ["m.zip", "m.tar"] {
      #expect(
        try read(scratch(name)).map { String(decoding: $0.header.name, as: UTF8.self) }
          == ["a.txt", "._a.txt", "__MACOSX/._a.txt"])
    }
  }

  @Test func damageIsAnErrorAndStaysOne() async throws {
    var bytes = try await zip([.file("a", Seeded.text(5000, seed: 1)), .file("b", "x")], at: scratch("a.zip")).bytes
    bytes[200] ^= 0x55
    var reader = try ArchiveReader(ArchiveBytes(bytes))
    #expect(try reader.next()?.name == Array("a".utf8))
    let first = try #require(throws: ArchiveError.self) { try reader.contents() }
    #expect(first.entry == Array("a".utf8) && first.activity == .reading && !first.text.isEmpty)
    // Not the end: the same error again.
    #expect(throws: first) { try reader.next() }
    #expect(throws: first) { try reader.contents() }
  }

  @Test func limits() async throws {
    let bytes = try await zip([.file("a", "12345")], at: scratch("a.zip")).bytes
    var reader = try ArchiveReader(ArchiveBytes(bytes))
    _ = try reader.next()
    #expect(throws: ArchiveError.self) { try reader.contents(limit: 4) }
  }

  @Test func whatIsNoArchive() throws {
    try scratch.write("x", "hello, this is no archive at all")
    #expect(throws: (any Error).self) { try read(scratch("x")) }
    #expect(throws: (any Error).self) { try read(scratch("missing")) }
    #expect(throws: (any Error).self) { try read(scratch.path) }
    #expect(throws: (any Error).self) {
      var reader = try ArchiveReader(ArchiveBytes([1, 2, 3]))
      _ = try reader.next()
    }
  }

  /// A hole of a tebibyte, which reading would fill with zeros.
  @Test(.tools) func sparseFilesAreRefused() async throws {
    try await Tool.check(
      ["sh", "-c", "truncate -s 1G hole && printf x >> hole && bsdtar --format pax -cf hole.tar hole && rm hole"],
      in: scratch.path)
    #expect(throws: ArchiveError.self) {
      var reader = try ArchiveReader(ArchiveBytes(PositionalFile(scratch("hole.tar"))))
      _ = try reader.next()
      try reader.forEachChunk { _ in }
    }
  }
}

extension Seeded {
  static func text(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = Seeded(seed: seed)
    return random.text(count)
  }
}
