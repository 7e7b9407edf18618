import Lanes
import Foundation
import Testing

@testable import ObjectFiles

@Suite("static archives against llvm-ar", .tools, .timeLimit(.minutes(20)))
struct StaticArchiveTests {
  let scratch: Scratch
  /// Names at the edges of the dialects: 15, 16 and 17 bytes, spaces, not ASCII, a path's worth.
  static let names = [
    "a.o", "fifteen_bytes.o", "sixteen_bytes_.o", "seventeen_bytes.o", "has space.o", "größe.o", "#1.o",
    "a_much_longer_name_than_any_header_has_room_for.o",
  ]

  init() throws {
    scratch = try Scratch()
    try scratch.adopt(Fixtures.shared.get())
    for (number, name) in Self.names.enumerated() {
      // Each of its own size, odd ones too, so that the padding between members is met.
      let tail = [UInt8](repeating: UInt8(number), count: number)
      try scratch.write(name, scratch.bytes("arm64.o") + tail)
    }
  }

  @Test(
    "names and contents in every dialect",
    arguments: [
      ["llvm-ar-19", "--format=darwin", "rcsD"], ["llvm-ar-19", "--format=bsd", "rcsD"],
      ["llvm-ar-19", "--format=gnu", "rcsD"], ["llvm-ar-19", "--format=coff", "rcsD"],
      ["llvm-ar-19", "--format=gnu", "rcSD"], ["llvm-libtool-darwin-19", "-static", "-D", "-o"],
    ])
  func dialects(_ tool: [String]) throws {
    let isDarwin = tool[0].contains("libtool") || tool[1].hasSuffix("darwin") || tool[1].hasSuffix("bsd")
    try scratch.run(tool + ["lib.a"] + Self.names)
    let bytes = try scratch.bytes("lib.a")
    let archive = try StaticArchive(ByteReader(bytes.span))
    #expect(archive.damage.isEmpty && !archive.isThin)
    let listed = try scratch.run("llvm-ar-19", "t", "lib.a").split(separator: "\n").map(String.init)
    #expect(archive.members.map(\.name) == listed)
    #expect(listed == Self.names)
    for member in archive.members {
      try scratch.run("llvm-ar-19", "x", "--output=out", "lib.a", member.name)
      let extracted = try scratch.bytes("out/\(member.name)")
      #expect(Array(bytes[member.range]) == extracted, "\(member.name)")
      if !isDarwin || !member.name.contains(" ") {
        #expect(String(decoding: bytes[member.nameRange], as: UTF8.self) == member.name)
      }
    }
    let dialects = archive.symbolTables.map(\.dialect)
    if tool.last == "rcSD" {
      #expect(dialects.isEmpty)
    } else {
      #expect(dialects.first == (isDarwin ? .bsd : .gnu))
    }
  }

  @Test("a 64-bit table of contents")
  func table64() throws {
    try scratch.run("env", "SYM64_THRESHOLD=1", "llvm-ar-19", "--format=gnu", "rcsD", "lib.a", "a.o")
    try scratch.run("env", "SYM64_THRESHOLD=1", "llvm-ar-19", "--format=darwin", "rcsD", "libd.a", "a.o")
    for (name, dialect) in [("lib.a", StaticArchive.SymbolTable.Dialect.gnu64), ("libd.a", .bsd64)] {
      let bytes = try scratch.bytes(name)
      let archive = try StaticArchive(ByteReader(bytes.span))
      #expect(archive.symbolTables.map(\.dialect) == [dialect])
      #expect(archive.members.map(\.name) == ["a.o"])
    }
  }

  @Test("thin archives are said to be thin, and their names are there")
  func thin() throws {
    try scratch.run(["llvm-ar-19", "--format=gnu", "rcsTD", "thin.a"] + Self.names)
    let bytes = try scratch.bytes("thin.a")
    let archive = try StaticArchive(ByteReader(bytes.span))
    #expect(archive.isThin && archive.damage.isEmpty)
    #expect(archive.members.map(\.name) == Self.names)
    #expect(archive.members.allSatisfy { $0.range.isEmpty })
    #expect(archive.symbolTables.map(\.dialect) == [.gnu])
    let facts = CodeFacts(ByteReader(bytes.span))
    #expect(facts.kind == .thinArchive && facts.kind.isNativeCode && facts.slices.isEmpty)
    #expect(facts.errors.first?.description.contains("thin archive") == true)
  }

  @Test("a damaged member does not hide its neighbours")
  func damage() throws {
    let members = ["arm64.o", "arm64-second.o", "armv7.o", "i386.o"]
    try scratch.run(["llvm-ar-19", "--format=darwin", "rcSD", "lib.a"] + members)
    let good = try scratch.bytes("lib.a")
    let second = try StaticArchive(ByteReader(good.span)).members[1].headerOffset
    let cases: [(String, Int, String)] = [
      ("size is no number", 48, "xx        "), ("size too large", 48, "9999999999"),
      ("size too small", 48, "100       "),
      ("no terminator", 58, "zz"), ("size is empty", 48, "          "),
    ]
    for (name, at, change) in cases {
      var bytes = good
      bytes.replaceSubrange((second + at)..<(second + at + change.utf8.count), with: Array(change.utf8))
      let archive = try StaticArchive(ByteReader(bytes.span))
      #expect(archive.damage.count >= 1, "\(name)")
      let found = archive.members.map(\.name)
      #expect(found.contains("arm64.o") && found.contains("armv7.o") && found.contains("i386.o"), "\(name): \(found)")
    }
    var bytes = good
    bytes.replaceSubrange(second..<(second + 16), with: Array("#1/999999       ".utf8))
    let archive = try StaticArchive(ByteReader(bytes.span))
    #expect(archive.members.count == 4)
    #expect(archive.damage.map(\.offset) == [second])
  }

  @Test("facts: the architectures of all members, mixed ones too")
  func facts() throws {
    try scratch.run("llvm-ar-19", "--format=darwin", "rcsD", "mixed.a", "arm64.o", "armv7.o", "arm64-second.o")
    let bytes = try scratch.bytes("mixed.a")
    let facts = CodeFacts(ByteReader(bytes.span))
    #expect(facts.errors.isEmpty && facts.kind == .archive)
    #expect(facts.architectures == [.arm64, .armv7])
    #expect(facts.slices.map(\.form) == [.archive(objects: 2), .archive(objects: 1)])
    #expect(facts.slices[0].builds.map(\.minimumOS) == [OSVersion(13)])
    #expect(facts.slices[1].builds.map(\.minimumOS) == [OSVersion(7)])
    #expect(facts.slices.allSatisfy { $0.builds.map(\.platform) == [.iOS] })
  }

  @Test("the highest minimum OS of a library's members counts")
  func minimumOS() throws {
    for version in ["8.0", "12.1", "9.0"] {
      try scratch.write("m.c", Array("int m\(version.prefix { $0 != "." });\n".utf8))
      try scratch.run(
        "clang", "-target", "arm64-apple-ios\(version)", "-ffreestanding", "-c", "m.c", "-o", "\(version).o")
    }
    try scratch.run("llvm-ar-19", "--format=darwin", "rcsD", "m.a", "8.0.o", "12.1.o", "9.0.o")
    let bytes = try scratch.bytes("m.a")
    #expect(
      CodeFacts(ByteReader(bytes.span)).slices.map(\.builds) == [
        [BuildVersion(platform: .iOS, minimumOS: OSVersion(12, 1), sdk: OSVersion(0))]
      ])
  }
}
