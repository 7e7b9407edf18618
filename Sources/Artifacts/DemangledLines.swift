import ObjectFiles

/// Lines of `nm` with the names as their author wrote them.
struct DemangledLines {
  let names: DemangledNames
  let selection: SymbolSelection

  /// Writes the names anew in the lines of one unit, with which `text` ends. Each symbol has one line, in order: a head
  /// of a fixed length, the name, and for an indirect symbol another name.
  func rewrite(
    _ unit: ObjectUnit, from start: Int, prefixCount: Int, _ reader: borrowing ByteReader, in text: inout [UInt8]
  ) throws(FormatError) {
    let content = try reader.slice(unit.range, "object file")
    guard text.count > start, let symbols = try ObjectSymbols(content) else { return }
    var head = prefixCount + (symbols.is64Bit ? 19 : 11)
    var table: MachOSymbolTable?
    if case .machO(let machO) = symbols {
      table = machO.table
      if selection.undefinedOnly { head = prefixCount }
    }
    var replacements: [(offset: Int, count: Int, text: [UInt8])] = []
    var offset = 0
    try symbols.forEach(content, selection) { (symbol: Symbol) throws(FormatError) in
      let count = symbol.name?.count ?? DemangledLines.noName
      if let name = symbol.name, let text = names.text(name, symbols, content) {
        replacements.append((offset + head, count, text))
      }
      offset += head + count + 1
      if symbol.letter == UInt8(ascii: "I"), let table, !selection.undefinedOnly {
        offset += 16 + (table.name(at: UInt32(truncatingIfNeeded: symbol.address), content)?.count ?? 1)
      }
    }
    // Before the lines there may be a label.
    let lines = text.count - offset
    guard lines >= start, !replacements.isEmpty else { return }
    let old = text[lines...]
    text.removeSubrange(lines...)
    var copied = old.startIndex
    for replacement in replacements {
      let place = old.startIndex + replacement.offset
      text += old[copied..<place]
      text += replacement.text
      copied = place + replacement.count
    }
    text += old[copied...]
  }

  /// `bad string index`
  private static let noName = 16
}
