import Lanes
import Foundation
import ObjectFiles
import Testing

/// What dyld is to bind, as llvm-objdump prints it, and the segments that binds count in.
@Suite("binds of Mach-O files", .tools) struct MachOBindsTests {
  static let tables = ["--bind", "--lazy-bind", "--weak-bind"]

  @Test("the tables are llvm-objdump's", arguments: MachOExportsTests.architectures)
  func tables(_ architecture: String) throws {
    let scratch = try Scratch()
    let image = try scratch.image(architecture)
    try scratch.write("objc.dylib", try ObjCFixtures.shared.get().bytes("\(architecture)-13.0.dylib"))
    for name in ["image.dylib", "objc.dylib"] { try expectTables(of: name, scratch) }
    // Every opcode that places a bind, at the end of the file; the table says that it is there.
    var program: [UInt8] = [0x11, 0x51, 0x72, 0x00, 0x40] + Array("_a\0".utf8) + [0x90, 0x72, 0x00, 0x80, 0x08, 0x90]
    program += [0x41] + Array("_b\0".utf8) + [0x3E, 0x72, 0x00, 0xA0, 0x08, 0xB1, 0x72, 0x00, 0xC0, 0x02, 0x08]
    program += [0x20, 0x01, 0x40] + Array("_c\0".utf8) + [0x72, 0x10, 0x60, 0x00, 0x90, 0x00]
    let reader = ByteReader(image.span)
    var commands = try MachOFile(reader).loadCommands(reader)
    var bytes = image + program
    while let command = try commands.next() {
      guard command.kind == .dyldInfoOnly else { continue }
      for (index, value) in [image.count, program.count].enumerated() {
        for byte in 0..<4 {
          bytes[command.range.lowerBound + 16 + 4 * index + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
        }
      }
    }
    try scratch.write("hand.dylib", bytes)
    try expectTables(of: "hand.dylib", scratch)
    let lines = try binds(bytes, 0)
    #expect(lines.count == 7 && lines[2].hasSuffix(" _b (weak_import)"))
  }

  @Test(
    "segments and their sections are llvm-objdump's", arguments: ["arm64.dylib", "x86_64.exe", "armv7.o", "i386.o"])
  func segments(_ name: String) throws {
    let scratch = try Scratch()
    try scratch.adopt(try Fixtures.shared.get())
    let bytes = try scratch.bytes(name)
    let reader = ByteReader(bytes.span)
    let file = try MachOFile(reader)
    let segments = try file.segments(reader)
    let lines = try scratch.run("llvm-otool-19", "-l", name).split(separator: "\n").map { words($0) }
    func hex(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return "0x" + String(repeating: "0", count: (file.is64Bit ? 16 : 8) - digits.count) + digits
    }
    #expect(segments.map { hex($0.address) } == lines.filter { $0.first == "vmaddr" }.map { $0[1] })
    #expect(segments.map { hex($0.size) } == lines.filter { $0.first == "vmsize" }.map { $0[1] })
    #expect(segments.map { "\($0.offset)" } == lines.filter { $0.first == "fileoff" }.map { $0[1] })
    #expect(segments.map { "\($0.fileSize)" } == lines.filter { $0.first == "filesize" }.map { $0[1] })
    #expect(segments.map { "\($0.sectionCount)" } == lines.filter { $0.first == "nsects" }.map { $0[1] })
    let sections = try segments.flatMap { try file.sections(of: $0, reader) }
    let whole = try file.sections(reader)
    #expect(sections == whole && !sections.isEmpty)
    #expect(sections.map { "\($0.name)" } == lines.filter { $0.first == "sectname" }.map { $0[1] })
  }

  private func expectTables(of name: String, _ scratch: Scratch) throws {
    let bytes = try scratch.bytes(name)
    for (index, option) in Self.tables.enumerated() {
      let text = try scratch.run("llvm-objdump-19", "--macho", option, name)
      let expected = text.split(separator: "\n").map { words($0) }.filter { $0.count > 4 && $0[2].hasPrefix("0x") }.map
      {
        "\($0[2]) " + $0[(index == 0 ? 6 : index == 1 ? 4 : 5)...].joined(separator: " ")
      }
      let found = try binds(bytes, index)
      #expect(found == expected, "\(name) \(option)")
      #expect(!found.isEmpty || name == "objc.dylib")
    }
  }

  /// `0x00001000 _name (weak_import)`, a line for each pointer.
  private func binds(_ bytes: [UInt8], _ table: Int) throws -> [String] {
    let reader = ByteReader(bytes.span)
    let file = try MachOFile(reader)
    let segments = try file.segments(reader)
    var lines: [String] = []
    try MachOLoaderInfo(file, reader).allBinds(is64Bit: file.is64Bit)[table].forEach(reader) {
      (bind: MachOBind) throws(FormatError) in
      guard let pointers = bind.pointers else { return }
      for number in 0..<pointers.count {
        let address = segments[pointers.segment].address + pointers.offset + number * pointers.step
        let name = String(decoding: bytes[bind.name], as: UTF8.self)
        let digits = String(address, radix: 16, uppercase: true)
        let padding = String(repeating: "0", count: 8 - digits.count)
        lines.append("0x\(padding)\(digits) \(name)\(table == 0 && bind.isWeakReference ? " (weak_import)" : "")")
      }
    }
    return lines
  }
}
