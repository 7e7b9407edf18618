// ELF, the object file format of Android and Linux (System V gABI chapters 4 and 5; the machines in <elf.h>):
//
//   e_ident          7F 45 4C 46, class (1: 32 bits, 2: 64), data (1: little-endian, 2: big), version, ABI   16 bytes
//   Elf32_Ehdr       e_ident, type, machine, version, entry, phoff, shoff, flags, sizes and counts           52 bytes
//   Elf64_Ehdr       the same with addresses and offsets of 8 bytes                                           64 bytes
//   program headers  phnum of them at phoff, phentsize bytes each (32 or 56): type, offset, …, align
//
// Every integer is in the byte order that `data` says.

/// An ELF machine (`EM_…`): an open set.
package struct ELFMachine: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let i386 = ELFMachine(rawValue: 3)
  package static let mips = ELFMachine(rawValue: 8)
  package static let arm = ELFMachine(rawValue: 40)
  package static let x86_64 = ELFMachine(rawValue: 62)
  package static let aarch64 = ELFMachine(rawValue: 183)
  package static let riscv = ELFMachine(rawValue: 243)

  /// For the user: `ARM`, `AArch64`; `machine 7` if it has no name here.
  package var description: String { ELFMachine.names[rawValue] ?? "machine \(rawValue)" }

  private static let names: [UInt16: String] = [
    3: "x86", 8: "MIPS", 40: "ARM", 62: "x86-64", 183: "AArch64", 243: "RISC-V",
  ]
}

/// An ELF file's type (`ET_…`): an open set.
package struct ELFType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let relocatable = ELFType(rawValue: 1)
  package static let executable = ELFType(rawValue: 2)
  /// A shared library, or an executable that can be loaded anywhere.
  package static let shared = ELFType(rawValue: 3)

  /// For the user, with no article.
  package var description: String {
    switch self {
    case .relocatable: "object file"
    case .executable: "executable"
    case .shared: "shared library"
    default: "ELF file of type \(rawValue)"
    }
  }
}

/// The system whose extensions an ELF file uses (`ELFOSABI_…`): an open set.
package struct ELFSystem: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No extensions, as in Android's libraries.
  package static let none = ELFSystem(rawValue: 0)
  /// Linux, for files that use a feature of GNU's tools.
  package static let gnu = ELFSystem(rawValue: 3)

  /// Android is a Linux, so it accepts both.
  package var isAndroids: Bool { self == .none || self == .gnu }

  /// For the user: `FreeBSD`; `system 66` if it has no name here.
  package var description: String { ELFSystem.names[rawValue] ?? "system \(rawValue)" }

  private static let names: [UInt8: String] = [
    0: "System V", 2: "NetBSD", 3: "Linux", 6: "Solaris", 9: "FreeBSD", 12: "OpenBSD",
  ]
}

/// The header of one ELF file and how it is loaded. A plain value: it keeps no bytes.
package struct ELFFile: Hashable, Sendable {
  package var is64Bit: Bool
  package var endianness: Endianness
  package var type: ELFType
  package var machine: ELFMachine
  package var system = ELFSystem.none
  /// In file order.
  package var segments: [ELFSegment]

  /// The alignments of the loaded segments: powers of two, or 0 or 1 for none.
  package var loadAlignments: [UInt64] { segments.filter(\.isLoaded).map(\.alignment) }
}

extension ELFFile {
  /// Reads the header at the start of `reader`'s window and the program headers; the window is the file.
  package init(_ reader: borrowing ByteReader) throws(FormatError) {
    let start = reader.range.lowerBound
    var header = try reader.slice(reader.range, "ELF header")
    guard header.starts(with: "\u{7F}ELF") else { throw .invalid("magic number", at: start, "this is not an ELF file") }
    func isSecond(_ place: Int, _ field: String) throws(FormatError) -> Bool {
      let value: UInt8 = try reader.integer(at: place, field)
      if value == 1 || value == 2 { return value == 2 }
      throw .invalid(field, at: place, "\(value) is neither 1 nor 2")
    }
    is64Bit = try isSecond(start + 4, "ELF class")
    endianness = try isSecond(start + 5, "ELF data encoding") ? .big : .little
    header.endianness = endianness
    system = ELFSystem(rawValue: try reader.integer(at: start + 7, "ELF system"))
    try header.skip(16, "ELF header")
    type = ELFType(rawValue: try header.read("type"))
    machine = ELFMachine(rawValue: try header.read("machine"))
    segments = try ELFSegment.all(is64Bit: is64Bit, header)
  }
}

// Program headers of an ELF file (System V gABI, chapter 5): what the loader maps and looks at.
//
//   Elf32_Phdr   type 4, offset 4, vaddr 4, paddr 4, filesz 4, memsz 4, flags 4, align 4                          32 bytes
//   Elf64_Phdr   type 4, flags 4, offset 8, vaddr 8, paddr 8, filesz 8, memsz 8, align 8                          56 bytes

package struct ELFSegment: Hashable, Sendable {
  /// `PT_…`
  package var type: UInt32
  package var offset: UInt64
  package var fileSize: UInt64
  /// A power of two, or 0 or 1 for none.
  package var alignment: UInt64

  /// `PT_LOAD`
  package var isLoaded: Bool { type == 1 }
}

extension ELFSegment {
  /// `header` is a reader of the whole file, in its byte order.
  static func all(is64Bit: Bool, _ header: borrowing ByteReader) throws(FormatError) -> [ELFSegment] {
    var fields = try header.slice(header.range, "ELF header")
    try fields.skip(is64Bit ? 32 : 28, "ELF header")
    let place = fields.offset
    let table: UInt64 = try fields.readAddress(is64Bit, "offset of the program headers")
    try fields.skip((is64Bit ? 8 : 4) + 4 + 2, "ELF header")
    let entrySize: UInt16 = try fields.read("size of a program header")
    let count: UInt16 = try fields.read("number of program headers")
    guard count > 0 else { return [] }
    guard entrySize >= (is64Bit ? 56 : 32) else {
      throw .invalid("size of a program header", at: fields.offset - 4, "\(entrySize) is too small")
    }
    let range = try header.claimed(
      start: table, size: UInt64(entrySize) * UInt64(count), at: place, "program headers")
    var all: [ELFSegment] = []
    for index in 0..<Int(count) {
      try fields.seek(to: range.lowerBound + index * Int(entrySize), "program header \(index)")
      all.append(try ELFSegment(&fields, is64Bit: is64Bit, "program header \(index)"))
    }
    return all
  }

  private init(
    _ fields: inout ByteReader, is64Bit: Bool, _ field: @autoclosure () -> String
  ) throws(FormatError) {
    type = try fields.read(field())
    if is64Bit { try fields.skip(4, field()) }
    offset = try fields.readAddress(is64Bit, field())
    try fields.skip(is64Bit ? 16 : 8, field())
    fileSize = try fields.readAddress(is64Bit, field())
    // This skips the size in memory and, in the 32-bit form, the flags, which the 64-bit form has in front.
    try fields.skip(8, field())
    alignment = try fields.readAddress(is64Bit, field())
  }
}
