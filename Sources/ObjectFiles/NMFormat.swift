/// Symbols as `nm` prints them in its BSD format: a label for each object of a container, then a line for each symbol:
/// address, letter, name. The bytes are those of `llvm-nm -p --no-llvm-bc --arch=all`.
package struct NMFormat: Sendable {
  package var selection: SymbolSelection
  /// `-A`: each line begins with the names of file and member; then there are no labels.
  package var namesFiles: Bool
  /// Each file then has its name above it.
  package var hasSeveralFiles: Bool
  /// Returns the name to print in place of a symbol's own, as a file of that format has it; nil to keep the symbol's
  /// own.
  package var naming: (@Sendable (_ name: [UInt8], ObjectSymbols) -> [UInt8]?)?

  package init(_ selection: SymbolSelection, namesFiles: Bool = false, hasSeveralFiles: Bool = false) {
    self.selection = selection
    self.namesFiles = namesFiles
    self.hasSeveralFiles = hasSeveralFiles
  }

  /// `reader` reads the whole file.
  package func append(
    _ unit: ObjectUnit, of file: ObjectUnits, named name: String, _ reader: borrowing ByteReader,
    to output: inout ListedText
  ) throws(FormatError) {
    let content = try reader.slice(unit.range, "object file")
    // `--no-llvm-bc` skips bitcode in libraries and fat files.
    if unit.kind == .bitcode, unit.member != nil || file.sliceCount > 0 { return }
    guard let symbols = try ObjectSymbols(content) else { return }
    output.begin(prefix(unit, of: file, named: name, reader))
    if !namesFiles {
      appendLabel(unit, slice(unit, of: file), isInFatFile: file.sliceCount > 0, name, reader, to: &output.bytes)
    }
    try append(symbols, content, to: &output)
  }

  /// Only Mach-O slices are named, and only if there are several. Nil also for an architecture without a name.
  private func slice(_ unit: ObjectUnit, of file: ObjectUnits) -> String? {
    if case .machO = unit.kind, file.sliceCount > 1 { unit.slice?.headingName } else { nil }
  }

  /// The beginning of each line, if lines name their file.
  package func prefix(
    _ unit: ObjectUnit, of file: ObjectUnits, named name: String, _ reader: borrowing ByteReader
  ) -> [UInt8] {
    guard namesFiles else { return [] }
    var prefix = slice(unit, of: file).map { Array("(for architecture \($0)):".utf8) } ?? []
    prefix += Array("\(name):".utf8)
    if let member = unit.member {
      reader.append(member, to: &prefix)
      prefix.append(UInt8(ascii: ":"))
    }
    prefix.append(UInt8(ascii: " "))
    return prefix
  }

  private func appendLabel(
    _ unit: ObjectUnit, _ slice: String?, isInFatFile: Bool, _ name: String, _ reader: borrowing ByteReader,
    to output: inout [UInt8]
  ) {
    guard unit.member != nil || isInFatFile || hasSeveralFiles else { return }
    output.append(UInt8(ascii: "\n"))
    if unit.member == nil || isInFatFile { output += Array(name.utf8) }
    if let member = unit.member {
      if isInFatFile { output.append(UInt8(ascii: "(")) }
      reader.append(member, to: &output)
      if isInFatFile { output.append(UInt8(ascii: ")")) }
    }
    if let slice { output += Array(" (for architecture \(slice))".utf8) }
    output += Array(":\n".utf8)
  }

  private func append(
    _ symbols: ObjectSymbols, _ reader: borrowing ByteReader, to output: inout ListedText
  ) throws(FormatError) {
    let naming = naming.map { naming in { (name: [UInt8]) in naming(name, symbols) } }
    var lines = NMLines(is64Bit: symbols.is64Bit, naming: naming, budget: NameBudget(reader), text: output)
    output = ListedText()
    defer { output = lines.text }
    switch symbols {
    case .machO(let symbols):
      if let table = symbols.table, !selection.definedOnly, !selection.undefinedOnly {
        lines.text.reserve(20 * table.count + table.strings.count)
      }
      try symbols.forEach(reader, selection) { (symbol: Symbol) throws(FormatError) in
        if selection.undefinedOnly {
          // With `-u` nm prints only the names.
          lines.addLine(nil, try lines.text(of: symbol.name, reader))
        } else if symbol.letter == UInt8(ascii: "I") {
          var other: [UInt8] = []
          let target = symbols.table?.name(at: UInt32(truncatingIfNeeded: symbol.address), reader)
          if let target { reader.append(target, to: &other) } else { other.append(UInt8(ascii: "?")) }
          lines.addLine(symbol, try lines.text(of: symbol.name, reader), other)
        } else {
          try lines.add(symbol, reader)
        }
      }
      if symbols.file.flags.contains(.symbolsOutOfSync) {
        for symbol in try MachOLoaderSymbols(symbols, reader, withFunctions: true).all
        where selection.takes(symbol.symbol) {
          try lines.add(symbol, nameOnly: selection.undefinedOnly, at: reader.range.lowerBound)
        }
      }
    case .elf(let symbols):
      try symbols.forEach(reader, selection) { (symbol: Symbol) throws(FormatError) in try lines.add(symbol, reader) }
    case .bitcode(let symbols):
      lines.hasAddresses = false
      try symbols.forEach(selection) { (symbol: Symbol) throws(FormatError) in try lines.add(symbol, reader) }
    }
  }

  /// Appends the table of contents of a static library that is not in a fat file (`--print-armap`).
  package func appendMap(
    of file: ObjectUnits, _ reader: borrowing ByteReader, to output: inout [UInt8]
  ) throws(FormatError) {
    guard file.sliceCount == 0, let archive = file.archives.first?.archive else { return }
    let map = try ArchiveMap(archive, reader)
    if map.entries.isEmpty { return }
    output += Array("Archive map\n".utf8)
    var budget = NameBudget(reader)
    for entry in map.entries {
      let member = map.member(of: entry).map { archive.members[$0].nameRange }
      try budget.spend(entry.name)
      try budget.spend(member)
      reader.append(entry.name, to: &output)
      output += Array(" in ".utf8)
      if let member { reader.append(member, to: &output) }
      output.append(UInt8(ascii: "\n"))
    }
    output.append(UInt8(ascii: "\n"))
  }
}

private struct NMLines {
  let is64Bit: Bool
  let naming: (([UInt8]) -> [UInt8]?)?
  var hasAddresses = true
  /// Limits the texts from `naming`: a short name may stand for a long one, and a million symbols may have it.
  var budget: NameBudget
  var text: ListedText

  private static let noName = Array("bad string index".utf8)

  @inline(__always)
  mutating func add(_ symbol: Symbol, _ reader: borrowing ByteReader) throws(FormatError) {
    guard let name = symbol.name, naming == nil else { return addLine(symbol, try text(of: symbol.name, reader)) }
    let head = head
    text.beginLine()
    // Room is made once for the whole line, and not for each digit.
    text.bytes.append(addingCapacity: 20 + name.count) { (line: inout OutputSpan<UInt8>) in
      head.append(symbol, to: &line)
      reader.append(name, to: &line)
      line.append(UInt8(ascii: "\n"))
    }
  }

  mutating func add(_ symbol: LoaderSymbol, nameOnly: Bool, at place: Int) throws(FormatError) {
    let name = try text(of: symbol.name, at: place)
    addLine(nameOnly ? nil : symbol.symbol, name, nameOnly ? nil : symbol.target)
  }

  /// Without a symbol the line has only the name. `target` is the name of the symbol that this one is an alias of.
  mutating func addLine(_ symbol: Symbol?, _ name: [UInt8], _ target: [UInt8]? = nil) {
    let head = head
    text.beginLine()
    if let symbol {
      text.bytes.append(addingCapacity: 20) { (line: inout OutputSpan<UInt8>) in head.append(symbol, to: &line) }
    }
    text.bytes += name
    if let target { text.bytes += Array(" (indirect for ".utf8) + target + [UInt8(ascii: ")")] }
    text.bytes.append(UInt8(ascii: "\n"))
  }

  mutating func text(of name: Range<Int>?, _ reader: borrowing ByteReader) throws(FormatError) -> [UInt8] {
    guard let name else { return NMLines.noName }
    var own: [UInt8] = []
    reader.append(name, to: &own)
    return try text(of: own, at: name.lowerBound)
  }

  private mutating func text(of name: [UInt8], at place: Int) throws(FormatError) -> [UInt8] {
    guard let text = naming?(name) else { return name }
    try budget.spend(text.count, at: place)
    return text
  }

  private var head: NMHead { NMHead(width: is64Bit ? 16 : 8, hasAddresses: hasAddresses) }
}

/// The beginning of a line: the address, or blanks or dashes in its place, and the letter.
private struct NMHead {
  let width: UInt64
  let hasAddresses: Bool

  /// Appends at most 19 bytes.
  @inline(__always)
  func append(_ symbol: Symbol, to line: inout OutputSpan<UInt8>) {
    switch symbol.letter {
    case UInt8(ascii: "U"), UInt8(ascii: "w"), UInt8(ascii: "v"), UInt8(ascii: "I"):
      for _ in 0..<width { line.append(UInt8(ascii: " ")) }
    default:
      if hasAddresses {
        // A common symbol has no address: an ELF file has the alignment in that field.
        let value = symbol.flags.contains(.common) ? symbol.size : symbol.address
        if width == 16 { NMHead.append(NMHead.digits(UInt32(truncatingIfNeeded: value >> 32)), to: &line) }
        NMHead.append(NMHead.digits(UInt32(truncatingIfNeeded: value)), to: &line)
      } else {
        for _ in 0..<width { line.append(UInt8(ascii: "-")) }
      }
    }
    line.append(UInt8(ascii: " "))
    line.append(symbol.letter)
    line.append(UInt8(ascii: " "))
  }

  /// The eight hexadecimal digits, the first in the lowest byte: each byte gets four bits, then all become characters
  /// at once.
  private static func digits(_ value: UInt32) -> UInt64 {
    var bits = UInt64(value)
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (bits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (bits &+ 0x3030_3030_3030_3030 &+ isLetter &* 0x27).byteSwapped
  }

  @inline(__always)
  private static func append(_ digits: UInt64, to line: inout OutputSpan<UInt8>) {
    for byte in 0..<8 { line.append(UInt8(truncatingIfNeeded: digits >> (8 * byte))) }
  }
}
