// Program headers of an ELF file (System V gABI, chapter 5): what the loader maps and looks at.
//
//   Elf32_Phdr   type 4, offset 4, vaddr 4, paddr 4, filesz 4, memsz 4, flags 4, align 4                          32 bytes
//   Elf64_Phdr   type 4, flags 4, offset 8, vaddr 8, paddr 8, filesz 8, memsz 8, align 8                          56 bytes

/// A program header.
package struct ELFSegment: Hashable, Sendable {
  package var type: Kind
  package var flags: UInt32
  package var offset: UInt64
  package var address: UInt64
  package var fileSize: UInt64
  package var memorySize: UInt64
  /// A power of two, or 0 or 1 for none.
  package var alignment: UInt64

  /// `PT_…`: an open set.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let load = Kind(rawValue: 1)
    package static let dynamic = Kind(rawValue: 2)
  }
}

/// The program headers, in file order. A plain value.
package struct ELFSegments: Hashable, Sendable {
  package private(set) var all: [ELFSegment] = []

  package init(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) {
    var header = try reader.slice(reader.range, "ELF header")
    header.endianness = file.endianness
    try self.init(is64Bit: file.is64Bit, header)
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
      throw FormatError(
        offset: fields.offset - 4, field: "size of a program header", reason: .invalid("\(entrySize) is too small"))
    }
    let range = try header.claimed(
      start: table, size: UInt64(entrySize) * UInt64(count), at: place, "program headers")
    for index in 0..<Int(count) {
      try fields.seek(to: range.lowerBound + index * Int(entrySize), "program header \(index)")
      all.append(try ELFSegment(&fields, is64Bit: is64Bit, "program header \(index)"))
    }
  }

  /// Where an address is in the file, counted from the file's start, and how many bytes of its segment follow; nil if
  /// nothing of the file is loaded there.
  func place(of address: UInt64) -> (offset: UInt64, count: UInt64)? {
    for segment in all where segment.type == .load && address >= segment.address {
      let distance = address - segment.address
      guard distance < segment.fileSize else { continue }
      let (offset, overflow) = segment.offset.addingReportingOverflow(distance)
      if !overflow { return (offset, segment.fileSize - distance) }
    }
    return nil
  }
}

extension ELFSegment {
  fileprivate init(
    _ fields: inout ByteReader, is64Bit: Bool, _ field: @autoclosure () -> String
  ) throws(FormatError) {
    type = Kind(rawValue: try fields.read(field()))
    flags = 0
    if is64Bit { flags = try fields.read(field()) }
    offset = try fields.readAddress(is64Bit, field())
    address = try fields.readAddress(is64Bit, field())
    try fields.skip(is64Bit ? 8 : 4, field())
    fileSize = try fields.readAddress(is64Bit, field())
    memorySize = try fields.readAddress(is64Bit, field())
    if !is64Bit { flags = try fields.read(field()) }
    alignment = try fields.readAddress(is64Bit, field())
  }
}
