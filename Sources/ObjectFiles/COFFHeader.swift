// COFF, the object file format of Windows (Microsoft PE/COFF specification, 3.3, 4 and 7):
//
//   object          machine 2, number of sections 2, time 4, offset of the symbols 4, number of symbols 4, size of the
//                   optional header 2 (0 in an object), characteristics 2; then 40 bytes a section: name 8, virtual size
//                   and address 4 each, size and offset of the content, offsets of relocations and line numbers 4 each,
//                   their numbers 2 each, characteristics 4
//   /bigobj         0000, FFFF, version 2 (2 or more), machine 2, time 4, a class id of 16 bytes, …: more than 65,279 sections
//   /GL             the same with version 1: the compiler's own form, for code that is made while linking
//   import object   0000, FFFF, version 2 (0), machine 2, …: one name of a DLL, in import libraries
//
// The content is not read: the format is recognized, so that reports can name it.

/// Recognizes a COFF object by the fields of its header, which has no magic number.
enum COFFHeader {
  /// Whether the bytes, or the first `FileKind.prefixLength` of them, are a COFF object of any form.
  static func begins(_ reader: borrowing ByteReader) -> Bool {
    do throws(FormatError) {
      var fields = try reader.slice(reader.range, "COFF header", .little)
      let first: UInt16 = try fields.read("machine")
      let second: UInt16 = try fields.read("number of sections")
      if first == 0, second == 0xFFFF { return try isAnonymous(&fields) }
      guard machines.contains(first) else { return false }
      return try isObject(&fields, sections: Int(second))
    } catch {
      return false
    }
  }

  /// `IMAGE_FILE_MACHINE_…`: 386, x86-64, ARM, Thumb, ARMv7, ARM64 with its two ABIs for code that was x86-64, Itanium, MIPS,
  /// PowerPC, SuperH, EFI byte code, RISC-V, LoongArch.
  private static let machines: Set<UInt16> = [
    0x014C, 0x8664, 0x01C0, 0x01C2, 0x01C4, 0xAA64, 0xA641, 0xA64E, 0x0200, 0x0166, 0x0169, 0x0266, 0x0366, 0x0466,
    0x01F0, 0x01F1, 0x01A2, 0x01A3, 0x01A6, 0x01A8, 0x0EBC, 0x5032, 0x5064, 0x6232, 0x6264,
  ]

  /// Whether data that begins with 0000, FFFF is an object or import object.
  private static func isAnonymous(_ fields: inout ByteReader) throws(FormatError) -> Bool {
    let version: UInt16 = try fields.read("version")
    let machine: UInt16 = try fields.read("machine")
    guard machine == 0 || machines.contains(machine) else { return false }
    switch version {
    case 0: return machine != 0
    case 1: return true
    default:
      let id: [UInt8] = [
        0xC7, 0xA1, 0xBA, 0xD1, 0xEE, 0xBA, 0xA9, 0x4B, 0xAF, 0x20, 0xFA, 0xF6, 0x6A, 0xA4, 0xDC, 0xB8,
      ]
      try fields.skip(4, "time")
      return try fields.copy(fields.offset..<(fields.offset + id.count), "class id") == id
    }
  }

  /// Whether the other fields can be an object's: the two bytes of a machine alone are found in any data.
  private static func isObject(_ fields: inout ByteReader, sections: Int) throws(FormatError) -> Bool {
    try fields.skip(4, "time")
    let symbols: UInt32 = try fields.read("offset of the symbol table")
    let count: UInt32 = try fields.read("number of symbols")
    let optional: UInt16 = try fields.read("size of the optional header")
    let flags: UInt16 = try fields.read("characteristics")
    let end = 20 + 40 * sections
    // This leaves out executables and DLLs, which have optional headers.
    guard optional == 0, flags & 0x2002 == 0 else { return false }
    guard symbols == 0 ? count == 0 : Int(symbols) >= end else { return false }
    guard sections > 0 else { return Int(symbols) == end }
    let name = try fields.copy(fields.offset..<(fields.offset + 8), "name of a section")
    let letters = name.prefix { $0 != 0 }
    guard !letters.isEmpty, letters.allSatisfy({ (0x21...0x7E).contains($0) }),
      name.dropFirst(letters.count).allSatisfy({ $0 == 0 })
    else { return false }
    try fields.skip(20, "section")
    for field in ["content", "relocations", "line numbers"] {
      let place: UInt32 = try fields.read(field)
      guard place == 0 || Int(place) >= end else { return false }
    }
    return true
  }
}
