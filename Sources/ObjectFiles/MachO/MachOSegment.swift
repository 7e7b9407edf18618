// Segments of a Mach-O file (`<mach-o/loader.h>`): what is mapped as one piece, a load command each.
//
//   segment_command      cmd, cmdsize, segname 16, vmaddr, vmsize, fileoff, filesize, maxprot, initprot,
//                        nsects, flags                                               56 bytes (64-bit: 72)
//
// The four addresses and sizes have 8 bytes in the 64-bit form. The sections follow in the same command (`MachOSection`).

package struct MachOSegment: Hashable, Sendable {
  /// Empty in an object file, which has one segment for all its sections.
  package var name: FixedName
  package var address: UInt64
  package var size: UInt64
  /// From the start of the file or slice or member, not checked, as `fileSize` is not.
  package var offset: UInt64
  package var fileSize: UInt64
  /// Checked: the sections fit into the command.
  package var sectionCount: Int
  package var isWide: Bool
  /// The number of the load command.
  package var index: Int
  package var sectionRange: Range<Int>
}

extension MachOFile {
  /// Every segment, in the order in which the loader counts them.
  package func segments(_ reader: borrowing ByteReader) throws(FormatError) -> [MachOSegment] {
    var commands = try loadCommands(reader)
    var segments: [MachOSegment] = []
    while let command = try commands.next() {
      guard command.kind == .segment || command.kind == .segment64 else { continue }
      var fields = try commands.content(of: command)
      segments.append(try MachOSegment(&fields, command))
    }
    return segments
  }

  /// Every section, in the order in which symbols count them.
  package func sections(_ reader: borrowing ByteReader) throws(FormatError) -> [MachOSection] {
    var sections: [MachOSection] = []
    for segment in try segments(reader) { sections += try self.sections(of: segment, reader) }
    return sections
  }
}

extension MachOSegment {
  fileprivate init(_ fields: inout ByteReader, _ command: LoadCommand) throws(FormatError) {
    isWide = command.kind == .segment64
    index = command.index
    let field = "segment of load command \(index)"
    name = try FixedName(&fields, field)
    address = try fields.readAddress(isWide, field)
    size = try fields.readAddress(isWide, field)
    offset = try fields.readAddress(isWide, field)
    fileSize = try fields.readAddress(isWide, field)
    try fields.skip(8, field)
    let place = fields.offset
    let count: UInt32 = try fields.read("number of sections in load command \(index)")
    try fields.skip(4, "flags of load command \(index)")
    let bytes = UInt64(count) * (isWide ? 80 : 68)
    guard bytes <= UInt64(fields.remaining) else {
      throw .invalid(
        "number of sections in load command \(index)", at: place, "\(count) sections do not fit into the load command")
    }
    sectionCount = Int(count)
    sectionRange = fields.offset..<(fields.offset + Int(bytes))
  }

  /// Whether the header is mapped with it: offsets of the image count from its address.
  var holdsHeader: Bool { offset == 0 && fileSize != 0 }
}
