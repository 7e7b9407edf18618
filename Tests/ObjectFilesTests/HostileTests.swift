import Lanes
import Foundation
import ObjectFiles
import Testing

/// Files that are small and would be long to read, or lead a reader out of what it reads.
@Suite(.timeLimit(.minutes(20))) struct HostileTests {
  private func field<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<(T.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> T(8 * $0)) }
  }

  /// The string table ends within the prefix of a class's symbol; the bytes of the file go on with the rest of it.
  @Test(.tools) func classNameThatEndsWithItsTable() throws {
    let whole = try ObjCFixtures.shared.get().bytes("arm64.o")
    let name = Array("_OBJC_CLASS_$_Outside\0".utf8)
    let place = try #require(whole.indices.first { whole[$0...].starts(with: name) })
    var bytes = whole
    let reader = ByteReader(whole.span)
    var commands = try MachOFile(reader).loadCommands(reader)
    while let command = try commands.next() {
      guard command.kind == .symbolTable else { continue }
      let strings: UInt32 = try reader.integer(at: command.range.lowerBound + 16, "strings")
      let size = field(UInt32(place + 9 - Int(strings)))
      bytes.replaceSubrange((command.range.lowerBound + 20)..<(command.range.lowerBound + 24), with: size)
    }
    let data = try ObjCMetadata(ByteReader(bytes.span))
    let names = data.categories.map { String(decoding: bytes[$0.className.range], as: UTF8.self) }
    #expect(names.contains("OBJC_CLA"))
  }

  /// Thousands of entries that are one class, whose long list is read again for each; or long lists of one long name.
  @Test(arguments: ["properties", "ivars", "protocols", "names", "references"])
  func sharedObjCLists(_ kind: String) throws {
    let count = kind == "names" ? 2 : kind == "references" ? 1 : 3000
    let entries = kind == "names" ? 20_000 : 10_000
    let adopted = kind == "protocols" || kind == "names" ? "l_protocols" : "0"
    let source = """
      .section __TEXT,__objc_classname,cstring_literals
      l_short: .asciz "Short"
      .section __TEXT,__objc_methname
      l_name: .fill \(kind == "names" || kind == "references" ? 1_000_000 : 1), 1, 0x61
      .byte 0
      .section __DATA,__objc_const
      .p2align 3
      l_properties: .long 16, \(entries)
      .rept \(entries)
      .quad l_short, l_short
      .endr
      l_ivars: .long 32, \(entries)
      .rept \(entries)
      .quad 0, l_short, l_short, 0
      .endr
      l_protocols: .quad \(entries)
      .rept \(entries)
      .quad l_protocol
      .endr
      l_protocol: .quad 0, l_name, 0, 0, 0, 0, 0, 0, 96, 0, 0, 0
      l_data: .long 2, 8, 8, 0
      .quad 0, l_short, 0, \(adopted), \(kind == "ivars" ? "l_ivars" : "0"), 0
      .quad \(kind == "properties" ? "l_properties" : "0")
      l_other: .long 2, 8, 8, 0
      .quad 0, l_name, 0, 0, 0, 0, 0
      .section __DATA,__objc_data
      .p2align 3
      l_class: .quad 0, 0, 0, 0, l_data
      l_named: .quad 0, 0, 0, 0, l_other
      .section __DATA,__objc_classlist
      .p2align 3
      .rept \(count)
      .quad l_class
      .endr
      .section __DATA,__objc_classrefs
      .p2align 3
      .rept \(kind == "references" ? entries : 1)
      .quad l_named
      .endr

      """
    let scratch = try Scratch()
    try scratch.write("a.s", Array(source.utf8))
    try scratch.run("clang", "-target", "arm64-apple-ios13.0", "-c", "a.s", "-o", "a.o")
    let bytes = try scratch.bytes("a.o")
    let error = #expect(throws: FormatError.self) { _ = try ObjCMetadata(ByteReader(bytes.span), .all) }
    #expect(error.map { "\($0)" }?.contains("made to fill the memory") == true, "\(String(describing: error))")
    // What is not asked for harms nobody.
    let classes = try ObjCMetadata(ByteReader(bytes.span)).classes.count
    #expect(classes == count)
  }

  /// Thousands of stubs whose symbols have one name of a megabyte.
  @Test func sharedStubNames() throws {
    let scratch = try Scratch()
    let source =
      ".globl _objc_msgSend$\(String(repeating: "a", count: 1 << 20))\n"
      + (0..<5000).map { ".globl _objc_msgSend$\($0)\n" }.joined()
    try scratch.write("a.s", Array((source + ".data\n.quad _objc_msgSend$0\n").utf8))
    try scratch.run("clang", "-target", "arm64-apple-ios13.0", "-c", "a.s", "-o", "a.o")
    let whole = try scratch.bytes("a.o")
    var bytes = whole
    let reader = ByteReader(whole.span)
    let table = try #require(try MachOSymbolTable(try MachOFile(reader), reader))
    var longest: (offset: UInt32, count: Int) = (0, 0)
    try table.forEach(reader) { symbol in
      let count = table.name(at: symbol.nameOffset, reader)?.count ?? 0
      if count > longest.count { longest = (symbol.nameOffset, count) }
    }
    #expect(longest.count > 1 << 20 && table.count > 5000)
    for entry in stride(from: table.range.lowerBound, to: table.range.upperBound, by: 16) {
      bytes.replaceSubrange(entry..<(entry + 4), with: field(longest.offset))
    }
    let error = #expect(throws: FormatError.self) { _ = try ObjCMetadata(ByteReader(bytes.span), .all) }
    #expect(error.map { "\($0)" }?.contains("made to fill the memory") == true, "\(String(describing: error))")
  }

  /// Thousands of members, each with the same name of a megabyte.
  @Test func sharedMemberNames() throws {
    func header(_ name: String, _ size: Int) -> [UInt8] {
      func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: width - text.utf8.count)
      }
      return Array((padded(name, 48) + padded("\(size)", 10) + "`\n").utf8)
    }
    let size = 1 << 20
    var bytes = Array("!<arch>\n".utf8) + header("//", size) + [UInt8](repeating: 0x61, count: size)
    for _ in 0..<20_000 { bytes += header("/0", 0) }
    let archive = try StaticArchive(ByteReader(bytes.span))
    let damage = archive.damage.map { "\($0)" }
    #expect(damage.count == 1 && damage[0].hasPrefix("names of the archive's members: more than any real file has"))
    #expect(archive.members.count > 10)
  }

  /// Thousands of sections, each with the same name of a megabyte.
  @Test func sharedSectionNames() throws {
    let count = 40_000
    let size = 1 << 20
    let names = 64 + 64 * count
    var bytes = Array("\u{7F}ELF".utf8) + [2, 1, 1] + [UInt8](repeating: 0, count: 9)
    bytes += field(3 as UInt16) + field(183 as UInt16) + field(1 as UInt32) + field(0 as UInt64) + field(0 as UInt64)
    bytes += field(64 as UInt64) + field(0 as UInt32) + field(64 as UInt16) + field(56 as UInt16) + field(0 as UInt16)
    bytes += field(64 as UInt16) + field(UInt16(count)) + field(0 as UInt16)
    // The first section says where the names are.
    for _ in 0..<count {
      bytes += field(0 as UInt32) + field(3 as UInt32) + field(0 as UInt64) + field(0 as UInt64)
      bytes += field(UInt64(names)) + field(UInt64(size)) + [UInt8](repeating: 0, count: 24)
    }
    bytes += [UInt8](repeating: 0x61, count: size)
    bytes.replaceSubrange(62..<64, with: field(1 as UInt16))
    let reader = ByteReader(bytes.span)
    let sections = try ELFSymbols(reader).sections
    #expect(sections.count == count)
    let id = try BuildID.of(reader)
    #expect(id == nil)
  }

  /// More platforms than there are, in one file and in the members of a library.
  @Test func manyPlatforms() {
    func object(_ platforms: Range<UInt32>) -> [UInt8] {
      var bytes = field(0xFEED_FACF as UInt32) + field(0x0100_000C as UInt32) + field(0 as UInt32)
      bytes += field(1 as UInt32) + field(UInt32(platforms.count)) + field(UInt32(24 * platforms.count))
      bytes += field(0 as UInt64)
      for platform in platforms {
        bytes += field(0x32 as UInt32) + field(24 as UInt32) + field(platform) + [UInt8](repeating: 0, count: 12)
      }
      return bytes
    }
    let whole = object(0..<17)
    let facts = CodeFacts(ByteReader(whole.span))
    #expect(facts.errors.map { "\($0)" }.first?.contains("17 platforms are more than there are") == true)
    var library = Array("!<arch>\n".utf8)
    for number in 0..<20 {
      let member = object(UInt32(number)..<UInt32(number + 1))
      library += Array("a.o             0           0     0     644     \(member.count)        `\n".utf8) + member
    }
    let all = CodeFacts(ByteReader(library.span))
    #expect(all.slices.first?.builds.count == 16 && all.errors.count == 4)
  }

  /// Functions of a byte each, and thousands of sections that each might be in.
  @Test func manyFunctions() throws {
    let sections = 4000
    let size = 1 << 20
    let segment = 72 + 80 * sections
    let start = 32 + segment + 16
    var bytes = field(0xFEED_FACF as UInt32) + field(0x0100_000C as UInt32) + field(0 as UInt32) + field(6 as UInt32)
    bytes += field(2 as UInt32) + field(UInt32(segment + 16)) + field(0x0400_0000 as UInt32) + field(0 as UInt32)
    bytes += field(0x19 as UInt32) + field(UInt32(segment)) + [UInt8](repeating: 0, count: 56)
    bytes += field(UInt32(sections)) + field(0 as UInt32) + [UInt8](repeating: 0, count: 80 * sections)
    bytes += field(0x26 as UInt32) + field(16 as UInt32) + field(UInt32(start)) + field(UInt32(size))
    bytes += [UInt8](repeating: 1, count: size)
    let errors = nmText(bytes, "x", NMFormat(SymbolSelection())).errors.map { "\($0)" }
    #expect(errors.count == 1 && errors[0].contains("more functions than the file has words"))
  }
}
