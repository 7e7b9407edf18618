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

/// The header of one ELF file and how it is loaded. A plain value: it keeps no bytes.
package struct ELFFile: Hashable, Sendable {
  package var is64Bit: Bool
  package var endianness: Endianness
  package var type: ELFType
  package var machine: ELFMachine
  /// `p_align` of each `PT_LOAD` program header, in file order: a power of two, or 0 or 1 for no alignment.
  package var loadAlignments: [UInt64]

  package init(
    is64Bit: Bool, endianness: Endianness, type: ELFType, machine: ELFMachine, loadAlignments: [UInt64]
  ) {
    self.is64Bit = is64Bit
    self.endianness = endianness
    self.type = type
    self.machine = machine
    self.loadAlignments = loadAlignments
  }
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
    try header.skip(16, "ELF header")
    type = ELFType(rawValue: try header.read("type"))
    machine = ELFMachine(rawValue: try header.read("machine"))
    loadAlignments = try ELFSegments(is64Bit: is64Bit, header).all.filter(\.isLoaded).map(\.alignment)
  }
}
