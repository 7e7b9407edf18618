/// Everything that an ELF image says about others. A plain value: it keeps no bytes of the file.
package struct ELFLinkage: Hashable, Sendable {
  /// The libraries that it needs, in order, as bytes.
  package private(set) var libraries: [[UInt8]] = []
  /// What it is called where others need it (`DT_SONAME`).
  package private(set) var name: [UInt8]?
  /// `DT_RUNPATH`: folders, with colons between them.
  package private(set) var runPath: [UInt8]?
  /// `DT_RPATH`, which Android does not look at.
  package private(set) var oldRunPath: [UInt8]?

  /// Of a file that nothing loads (an object file) all is empty.
  package init(_ file: ELFFile, _ reader: borrowing ByteReader) throws(FormatError) {
    guard let dynamic = try ELFDynamic(file, reader) else { return }
    let wanted = dynamic.entries.filter { [1, 0xE, 0xF, 0x1D].contains($0.tag) }
    guard let first = wanted.first else { return }
    guard let strings = try dynamic.strings(reader) else {
      throw FormatError(
        offset: first.place, field: "name in the dynamic section", reason: .invalid("there is no table of names"))
    }
    var budget = NameBudget(reader)
    for entry in wanted {
      guard entry.value < UInt64(strings.count),
        let text = reader.terminatedRange(at: strings.lowerBound + Int(entry.value), in: strings)
      else { throw FormatError(offset: entry.place, field: "name in the dynamic section", reason: .outOfBounds) }
      try budget.spend(text)
      let bytes = try reader.copy(text, "name in the dynamic section")
      switch entry.tag {
      case 1: libraries.append(bytes)
      case 0xE: name = bytes
      case 0xF: oldRunPath = bytes
      default: runPath = bytes
      }
    }
  }
}
