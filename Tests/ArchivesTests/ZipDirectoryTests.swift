import Lanes
import Foundation
import SystemPackage
import Testing
import TestSupport

@testable import Archives

@Suite struct ZipDirectoryTests {
  let scratch = Scratch()

  @Test func singleEntries() async throws {
    let entries = try sampleEntries()
    for options in ZipWriterTests.shapes.map(\.options) {
      let (summary, bytes) = try await zip(entries, at: scratch("a.zip"), options)
      let directory = try ZipDirectory(ArchiveBytes(bytes))
      #expect(try directory.irregularities() == [])
      for index in entries.indices.reversed() {
        let record = directory.records[index]
        #expect(try directory.contents(of: record, limit: 100_000) == entries[index].bytes)
        #expect(record.mode == entries[index].mode && record.crc32 == summary.entries[index].crc32)
        #expect(record.headerOffset == summary.entries[index].headerOffset)
      }
      #expect(throws: ZipFormatError.self) { try directory.contents(of: directory.records[9], limit: 4) }
    }
  }

  /// Zips by the usual tools: their records and contents as Python has them.
  @Test(.tools) func otherToolsZips() async throws {
    try scratch.write("t/a/b.txt", Seeded.text(4000, seed: 2))
    try scratch.write("t/empty", "")
    try scratch.link("t/link", to: "a/b.txt")
    let folder = scratch("t").string
    for command in [
      ["zip", "-qry", "../zip.zip", "."], ["7z", "a", "-tzip", "-bso0", "../7z.zip", "."],
      ["bsdtar", "--format", "zip", "-cf", "../bsdtar.zip", "."], ["jar", "cf", "../jar.zip", "."],
    ] {
      try await Tool.check(command, in: FilePath(folder))
      let path = scratch("\(command[0] == "jar" ? "jar" : command[0]).zip")
      let directory = try ZipDirectory(ArchiveBytes(PositionalFile(path)))
      let lines = try directory.records.map { record in
        let bytes = try directory.contents(of: record, limit: 100_000)
        return String(record.externalAttributes >> 16, radix: 8) + "|\(bytes.count)|"
          + String(record.crc32, radix: 16) + "|" + String(decoding: record.name, as: UTF8.self)
      }
      #expect(try await lines == Oracle.python(path), "\(command[0])")
      let found = try directory.irregularities()
      #expect(
        found.allSatisfy {
          switch $0 {
          case .extraFields, .dataDescriptor, .unsafeName(.dotPart), .unsafeName(.emptyPart): true
          default: false
          }
        }, "\(command[0]): \(found)")
    }
  }

  /// Each made by Python from parts of a good zip, or by its zipfile with names that it does not mind.
  static let irregular: [(program: String, ZipIrregularity)] = [
    ("z.writestr('a', 'x'); tail = b''; head = b'#!/bin/sh'", .prefix(length: 9)),
    ("z.writestr('a', 'x'); tail = b'123'; head = b''", .trailing(length: 3)),
    ("z.writestr('a', 'x'); z.comment = b'hi'", .comment(length: 2)),
    ("z.writestr('a', 'x'); z.writestr('a', 'y')", .duplicateName(Array("a".utf8), 2)),
    ("z.writestr('a', 'x'); z.writestr('a', 'y'); z.writestr('a', 'z')", .duplicateName(Array("a".utf8), 3)),
    ("z.writestr('A', 'x'); z.writestr('a', 'y')", .twins(Array("A".utf8), Array("a".utf8))),
    ("z.writestr('x/A', 'x'); z.writestr('X/b', 'y')", .twins(Array("x".utf8), Array("X".utf8))),
    (
      "z.writestr('e\\u0301', 'x'); z.writestr('\\u00e9', 'y')",
      .twins(Array("e\u{301}".utf8), Array("\u{E9}".utf8))
    ),
    ("z.writestr('../a', 'x')", .unsafeName(.parentPart(Array("../a".utf8)))),
    ("z.writestr('/a', 'x')", .unsafeName(.absolute(Array("/a".utf8)))),
    ("z.writestr('a\\\\b', 'x')", .unsafeName(.backslash(Array("a\\b".utf8)))),
    ("z.writestr('a', 'x'); z.writestr('a/b', 'y')", .fileIsParent(Array("a".utf8), of: Array("a/b".utf8))),
    ("link('d/l', '../../x')", .escapingLink(Array("d/l".utf8), target: Array("../../x".utf8))),
    ("link('l', '/etc')", .escapingLink(Array("l".utf8), target: Array("/etc".utf8))),
    ("link('l', 'd'); z.writestr('l/a', 'x')", .throughLink(entry: Array("l/a".utf8), link: Array("l".utf8))),
    ("z.writestr('a', b'0' * 3000000, 8)", .extremeRatio(Array("a".utf8), ratio: 1025)),
    (
      "i = zipfile.ZipInfo('a'); i.extra = b'\\x55\\x54\\x01\\x00\\x00'; z.writestr(i, 'x')",
      .extraFields(Array("a".utf8), ids: [0x5455])
    ),
    ("z.writestr('a', 'x'); patch(b'PK\\1\\2', 46, b'b')", .localMismatch(Array("b".utf8), .name)),
    ("z.writestr('a', 'x'); patch(b'PK\\3\\4', 0, b'XX')", .localMismatch(Array("a".utf8), .header)),
    ("z.writestr('a', 'x'); patch(b'PK\\3\\4', 14, b'1234')", .localMismatch(Array("a".utf8), .crc32)),
    ("z.writestr('a', 'x'); patch(b'PK\\1\\2', 24, b'\\7')", .storedSizes(Array("a".utf8))),
    ("z.writestr('a', 'x'); patch(b'PK\\1\\2', 20, b'\\xf0')", .outOfRange(Array("a".utf8))),
    ("z.writestr('a', 'x'); patch(b'PK\\1\\2', 8, b'\\1')", .encrypted(Array("a".utf8))),
    ("z.writestr('a', 'x', 12)", .unsupportedMethod(Array("a".utf8), 12)),
    ("z.writestr('a', 'x'); patch(b'PK\\5\\6', 10, b'\\5')", .wrongCount(claimed: 5, found: 1)),
    (
      "z.writestr('a', 'x'); z.writestr('b', 'y'); patch(b'PK\\1\\2', 47 + 42, b'\\0')",
      .overlap(Array("a".utf8), Array("b".utf8))
    ),
    ("z.writestr('a', 'x'); z.fp.write(b'hidden'); z.start_dir = z.fp.tell()", .unclaimed(offset: 32, length: 6)),
  ]

  @Test(.tools, arguments: irregular.indices)
  func irregularity(_ index: Int) async throws {
    let (program, expected) = Self.irregular[index]
    let path = scratch("i.zip")
    let whole = """
      import sys, zipfile, warnings
      warnings.simplefilter('ignore')
      path = sys.argv[1]; head = tail = b''; patches = []
      def patch(mark, at, new): patches.append((mark, at, new))
      def link(name, target):
          i = zipfile.ZipInfo(name); i.create_system = 3; i.external_attr = 0o120777 << 16; z.writestr(i, target)
      with zipfile.ZipFile(path, 'w') as z:
          \(program)
      d = bytearray(open(path, 'rb').read())
      for mark, at, new in patches:
          s = d.index(mark) + at
          d[s:s + len(new)] = new
      open(path, 'wb').write(head + d + tail)
      """
    try await Tool.check(["python3", "-c", whole, path.string])
    let found = try ZipDirectory(ArchiveBytes(PositionalFile(path))).irregularities()
    #expect(found.contains(expected), "found \(found)")
    #expect(!found.contains { $0.description.isEmpty })
  }

  @Test(.tools) func descriptors() async throws {
    try await Tool.check(
      ["sh", "-c", "printf hello > f; bsdtar --format zip -cf d.zip f"], in: scratch.path)
    let directory = try ZipDirectory(ArchiveBytes(PositionalFile(scratch("d.zip"))))
    let found = try directory.irregularities()
    #expect(found.contains(.dataDescriptor(Array("f".utf8))))
    #expect(!found.contains { if case .unclaimed = $0 { true } else { false } })
  }

  @Test func linksThatStay() {
    for (target, link, leaves) in [
      ("A", "V/Current", false), ("../x", "a/b", false), ("../x", "b", true), ("../../x", "a/b", true),
      ("a/../../x", "b", true), ("./a/..", "b", false), ("/x", "a/b", true), ("a/..//..", "d/b", false),
    ] {
      #expect(ZipDirectory.leavesRoot(Array(target.utf8), from: Array(link.utf8)) == leaves, "\(target)")
    }
  }

  /// A disk that fails says nothing of the archive.
  @Test func whatCannotBeReadHasNoFaults() async throws {
    let scratch = Scratch()
    let path = scratch("a.zip")
    // The end of a zip is looked for in its last 64 KB.
    var random = Seeded(seed: 1)
    let content = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let entry = Entry(path: try EntryPath("a"), kind: .file(.bytes(content), executable: false))
    _ = try await ZipWriter.write([entry], to: path, options: ZipOptions())
    let bytes = try scratch.read("a.zip")
    let source = ArchiveBytes(size: bytes.count) { offset, count in
      if offset < 30 { throw Errno.ioError }
      return Array(bytes[offset..<offset + count])
    }
    let directory = try source.directory()
    #expect(throws: ZipFormatError.self) { try directory.irregularities() }
    #expect(try ZipDirectory(ArchiveBytes(bytes)).irregularities() == [])
  }
}
