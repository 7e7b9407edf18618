import ObjectFiles

/// Groups of sections in ELF object files (`SHT_GROUP`; System V gABI, chapter 4): flags 4 (1: linkers keep one group of
/// each name), numbers of sections 4 each. The header's `link` is the symbol table, `info` the symbol that names the group.
enum ELFGroups {
  /// The names of groups whose symbols are local ones.
  static func localSignatures(_ reader: borrowing ByteReader) throws(FormatError) -> [[UInt8]] {
    let file = try ELFFile(reader)
    let sections = try ELFSections(file, reader)
    let window = try reader.slice(reader.range, "ELF file", file.endianness)
    let size = file.is64Bit ? 24 : 16
    var names: [[UInt8]] = []
    for section in sections.all where section.type == 17 {
      guard Int(section.link) < sections.all.count else { continue }
      let table = sections.all[Int(section.link)]
      guard table.kind == .symbolTable, Int(table.link) < sections.all.count else { continue }
      let entries = try sections.range(of: table, "symbol table", reader)
      guard Int(section.info) < entries.count / size else { continue }
      let entry = try ELFSymbol(window, at: entries.lowerBound + Int(section.info) * size, is64Bit: file.is64Bit)
      guard entry.binding == .local, entry.type != .section else { continue }
      let strings = try sections.range(of: sections.all[Int(table.link)], "string table", reader)
      let place = strings.lowerBound + Int(entry.nameOffset)
      guard let name = window.terminatedRange(at: place, in: strings), !name.isEmpty else { continue }
      let text = try window.copy(name, "name of a group")
      // A number is the digest of a type in debugging information, the same in every copy.
      if !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[0]) { names.append(text) }
    }
    return names
  }
}
