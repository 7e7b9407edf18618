import ObjectFiles

/// A section with the places of its header and of its segment's load command.
struct PlacedSection {
  var section: MachOSection
  var place: Int
  var segmentPlace: Int
  var isWide: Bool

  /// The bytes of its content.
  func content(_ reader: borrowing ByteReader) throws(FormatError) -> Range<Int> {
    try reader.claimed(
      start: UInt64(section.isZeroFill ? 0 : section.offset), size: section.isZeroFill ? 0 : section.size, at: place,
      "section \(section.segment),\(section.name)")
  }
}

extension MachOFile {
  func placedSections(_ reader: borrowing ByteReader) throws(FormatError) -> [PlacedSection] {
    var result: [PlacedSection] = []
    for segment in try segments(reader) {
      var place = segment.sectionRange.lowerBound
      let header = place - (segment.isWide ? 72 : 56)
      for section in try sections(of: segment, reader) {
        result.append(PlacedSection(section: section, place: place, segmentPlace: header, isWide: segment.isWide))
        place += segment.isWide ? 80 : 68
      }
    }
    return result
  }
}

/// The offsets into the file that load commands have (`<mach-o/loader.h>`). A file with a load command of another kind
/// is not rewritten, because it may have more of them.
struct MachOOffsets {
  let file: MachOFile
  private(set) var commands: EditedBytes

  init(_ file: MachOFile, _ commands: EditedBytes) { (self.file, self.commands) = (file, commands) }

  /// The places of offsets from the start of each command, by its kind; their fields have 4 bytes.
  private static let offsets: [UInt32: [Int]] = [
    0x2: [8, 16],  // LC_SYMTAB
    0xB: [32, 40, 48, 56, 64, 72],  // LC_DYSYMTAB
    0x1D: [8], 0x1E: [8], 0x26: [8], 0x29: [8], 0x2B: [8], 0x2E: [8], 0x36: [8],  // tables beside the symbols
    0x8000_0033: [8], 0x8000_0034: [8],
    0x22: [8, 16, 24, 32, 40], 0x8000_0022: [8, 16, 24, 32, 40],  // LC_DYLD_INFO
    // Without offsets: libraries, versions, names of linker options, identifiers.
    0xC: [], 0xD: [], 0x1B: [], 0x20: [], 0x24: [], 0x25: [], 0x2A: [], 0x2D: [], 0x2F: [], 0x30: [], 0x32: [],
    0x12: [], 0x13: [], 0x14: [], 0x15: [], 0x8000_0018: [], 0x8000_001C: [], 0x8000_001F: [], 0x8000_0023: [],
  ]

  /// - Parameter moved: the new offset of an old one, both from the start of the file.
  mutating func move(_ reader: borrowing ByteReader, _ moved: (Int) -> Int) throws(FormatError) {
    let window = try reader.slice(file.range, "Mach-O file", file.endianness)
    var list = try file.loadCommands(reader)
    while let command = try list.next() {
      let start = command.range.lowerBound
      let kind: UInt32 = try window.integer(at: start, "load command \(command.index)")
      if kind == 0x1 || kind == 0x19 { continue }
      guard let offsets = MachOOffsets.offsets[kind] else {
        throw .unsupported(
          "load command \(command.index)", at: start,
          "its kind 0x\(String(kind, radix: 16)) is not known, so that its offsets cannot be changed")
      }
      for offset in offsets where offset + 4 <= command.range.count {
        try move(start + offset, bytes: 4, window, moved)
      }
    }
    for segment in try file.segments(reader) {
      let header = segment.sectionRange.lowerBound
      let width = segment.isWide ? 8 : 4
      let place = header - (segment.isWide ? 72 : 56) + 24 + 2 * width
      let (end, overflow) = segment.offset.addingReportingOverflow(segment.fileSize)
      guard !overflow, end <= UInt64(file.range.count) else {
        throw .outOfBounds("segment of load command \(segment.index)", at: place)
      }
      let (first, last) = (moved(Int(segment.offset)), moved(Int(end)))
      if segment.offset > 0 { commands.put(UInt64(first), at: place, bytes: width) }
      commands.put(
        UInt64(segment.offset == 0 && segment.fileSize == 0 ? 0 : last - first), at: place + width, bytes: width)
    }
    for placed in try file.placedSections(reader) {
      let offset = placed.place + 32 + (placed.isWide ? 16 : 8)
      if !placed.section.isZeroFill { try move(offset, bytes: 4, window, moved) }
      try move(offset + 8, bytes: 4, window, moved)
    }
  }

  mutating func put(sizeOfCommands size: Int) {
    commands.put(UInt64(size), at: file.range.lowerBound + 20, bytes: 4)
  }

  private mutating func move(
    _ place: Int, bytes: Int, _ window: borrowing ByteReader, _ moved: (Int) -> Int
  ) throws(FormatError) {
    let old: UInt32 = try window.integer(at: place, "offset in a load command")
    guard old > 0, Int(old) <= file.range.count else { return }
    let new = moved(Int(old))
    guard let field = UInt32(exactly: new) else {
      throw .unsupported("load commands", at: place, "the file would have more than 4 GiB")
    }
    commands.put(UInt64(field), at: place, bytes: 4)
  }
}
