// Program headers of an ELF file (System V gABI, chapter 5): what the loader maps and looks at.
//
//   Elf32_Phdr   type 4, offset 4, vaddr 4, paddr 4, filesz 4, memsz 4, flags 4, align 4                          32 bytes
//   Elf64_Phdr   type 4, flags 4, offset 8, vaddr 8, paddr 8, filesz 8, memsz 8, align 8                          56 bytes

/// A program header.
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

/// The program headers, in file order. A plain value.
package struct ELFSegments: Hashable, Sendable {
  package private(set) var all: [ELFSegment] = []

  package init(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) {
    try self.init(is64Bit: file.is64Bit, try reader.slice(reader.range, "ELF header", file.endianness))
  }

  /// `header` is a reader of the whole file, in its byte order.
  init(is64Bit: Bool, _ header: borrowing ByteReader) throws(FormatError) {
    var fields = try header.slice(header.range, "ELF header")
    try fields.skip(is64Bit ? 32 : 28, "ELF header")
    let place = fields.offset
    let table: UInt64 = try fields.readAddress(is64Bit, "offset of the program headers")
    try fields.skip((is64Bit ? 8 : 4) + 4 + 2, "ELF header")
    let entrySize: UInt16 = try fields.read("size of a program header")
    let count: UInt16 = try fields.read("number of program headers")
    guard count > 0 else { return }
    guard entrySize >= (is64Bit ? 56 : 32) else {
      throw .invalid("size of a program header", at: fields.offset - 4, "\(entrySize) is too small")
    }
    let range = try header.claimed(
      start: table, size: UInt64(entrySize) * UInt64(count), at: place, "program headers")
    for index in 0..<Int(count) {
      try fields.seek(to: range.lowerBound + index * Int(entrySize), "program header \(index)")
      all.append(try ELFSegment(&fields, is64Bit: is64Bit, "program header \(index)"))
    }
  }
}

extension ELFSegment {
  fileprivate init(
    _ fields: inout ByteReader, is64Bit: Bool, _ field: @autoclosure () -> String
  ) throws(FormatError) {
    type = try fields.read(field())
    if is64Bit { try fields.skip(4, field()) }
    offset = try fields.readAddress(is64Bit, field())
    try fields.skip(is64Bit ? 16 : 8, field())
    fileSize = try fields.readAddress(is64Bit, field())
    // The size in memory; the flags, which stand in front in the 64-bit form.
    try fields.skip(8, field())
    alignment = try fields.readAddress(is64Bit, field())
  }
}
