// The identifier that a linker writes into an image to name its content:
//
//   ELF      section .note.gnu.build-id   length of the name 4 (4), of the ID 4, type 4 (3), "GNU\0", the ID  (--build-id)
//   Mach-O   LC_UUID, 16 bytes            (always)

/// The linker's identifier of an image, which changes with the content.
package enum BuildID {
  package static func of(_ reader: borrowing ByteReader) throws(FormatError) -> [UInt8]? {
    switch FileKind(reader) {
    case .elf: return try elf(try ELFFile(reader), reader)
    case .machO: return try MachOLinkage(try MachOFile(reader), reader).uuid
    default: return nil
    }
  }

  private static func elf(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) -> [UInt8]? {
    let sections = try ELFSections(file, reader)
    let found = sections.all.first { sections.hasName($0, ".note.gnu.build-id\0", reader) }
    guard let section = found else { return nil }
    var note = try reader.slice(try sections.range(of: section, "build ID", reader), "build ID", file.endianness)
    let nameSize: UInt32 = try note.read("length of the note's name")
    let size: UInt32 = try note.read("length of the build ID")
    let type: UInt32 = try note.read("type of the note")
    guard type == 3, nameSize == 4, Int(size) <= note.remaining - 4 else { return nil }
    try note.skip(4, "name of the note")
    return size == 0 ? nil : try note.copy(note.offset..<(note.offset + Int(size)), "build ID")
  }
}
