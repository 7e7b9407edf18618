extension UniversalInput {
  /// Finds the slices of an input file, the whole of which is `reader`'s window.
  package init(name: String, _ reader: borrowing ByteReader) throws(LibraryError) {
    self.name = name
    switch FileKind(reader) {
    case .fat, .fat64: slices = try Self.fat(name, reader)
    default: slices = [try Self.slice(name, reader)]
    }
  }

  private static func slice(
    _ name: String, _ reader: borrowing ByteReader
  ) throws(LibraryError) -> FatFile.Slice {
    switch FileKind(reader) {
    case .machO:
      return try reading(name) { () throws(FormatError) in
        let file = try MachOFile(reader)
        return FatFile.Slice(
          architecture: file.architecture, rawSubtype: file.rawSubtype, range: file.range,
          alignment: try file.sliceAlignment(reader))
      }
    case .archive: return try archive(name, reader)
    case let kind:
      throw LibraryError(
        "\(name) is \(kind.named); a universal library is made of Mach-O files, static libraries and universal files")
    }
  }

  private static func reading<R>(
    _ name: String, _ body: () throws(FormatError) -> R
  ) throws(LibraryError) -> R {
    do throws(FormatError) { return try body() } catch { throw LibraryError("\(name): \(error)") }
  }

  private static func archive(_ name: String, _ reader: borrowing ByteReader) throws(LibraryError)
    -> FatFile.Slice
  {
    var first: (member: String, file: MachOFile)?
    let members = try reading(name) { () throws(FormatError) in
      let archive = try StaticArchive(reader)
      if let damage = archive.damage.first { throw damage }
      return archive.members
    }
    for member in members {
      let file = try object(member, of: name, reader)
      guard let (firstMember, firstFile) = first else {
        first = (member.name, file)
        continue
      }
      guard firstFile.architecture == file.architecture, firstFile.rawSubtype == file.rawSubtype else {
        throw LibraryError(
          "\(name) mixes architectures: \(member.name) is for \(file.architecture), \(firstMember) for "
            + "\(firstFile.architecture); make one static library for each architecture")
      }
    }
    guard let file = first?.file else {
      throw LibraryError("\(name) has no object files in it, so it is for no architecture")
    }
    return FatFile.Slice(
      architecture: file.architecture, rawSubtype: file.rawSubtype, range: reader.range, alignment: file.is64Bit ? 3 : 2
    )
  }

  private static func object(
    _ member: StaticArchive.Member, of name: String, _ reader: borrowing ByteReader
  ) throws(LibraryError) -> MachOFile {
    let (kind, file) = try reading("\(name)(\(member.name))") { () throws(FormatError) -> (FileKind, MachOFile?) in
      let content = try reader.slice(member.range, "archive member \(member.name)")
      let kind = FileKind(content)
      if case .machO = kind { return (kind, try MachOFile(content)) }
      return (kind, nil)
    }
    if let file { return file }
    throw LibraryError(
      "\(name): its member \(member.name) is no object file but \(kind.named); a universal library takes object files only"
    )
  }

  /// The slices of a fat file, each with the alignment of the table and the architecture of its own content.
  private static func fat(_ name: String, _ reader: borrowing ByteReader) throws(LibraryError) -> [FatFile
    .Slice]
  {
    var result: [FatFile.Slice] = []
    for entry in try reading(name, { () throws(FormatError) in try FatFile(reader).slices }) {
      let content: ByteReader
      do throws(FormatError) { content = try reader.slice(entry.range, "slice \(entry.architecture)") } catch {
        throw LibraryError("\(name): \(error)")
      }
      var slice = try slice("\(name)(\(entry.architecture))", content)
      slice.alignment = entry.alignment
      result.append(slice)
    }
    return result
  }
}

extension MachOFile {
  /// The exponent of the alignment that `lipo` gives a thin Mach-O file in a fat file.
  fileprivate func sliceAlignment(_ reader: borrowing ByteReader) throws(FormatError) -> Int {
    switch architecture.cpu {
    case .i386, .x86_64, .powerPC, .powerPC64: return 12
    case .arm, .arm64, .arm64_32: return 14
    default: break
    }
    // For other CPUs the sections of an object file say it (at least 2^2), else the lowest set bit of a segment's
    // address. The smallest one counts.
    var smallest = FatFile.maximumAlignment
    for segment in try segments(reader) {
      guard fileType == .object else {
        smallest = min(smallest, segment.address.trailingZeroBitCount)
        continue
      }
      let alignments = try sections(of: segment, reader).map { Int($0.alignment) }
      if let largest = alignments.max() { smallest = min(smallest, max(2, largest)) }
    }
    return max(2, smallest)
  }
}
