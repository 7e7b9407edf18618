package import ObjectFiles

/// Compares a renamed file, as it was written, with the old one: symbol by symbol, with the reader that every other
/// command uses.
package struct RenamingProof {
  /// Throws unless the new file has the symbols of the old one, and only the new names differ.
  package static func check(
    _ old: borrowing ByteReader, _ new: borrowing ByteReader, _ prefix: SymbolPrefix
  ) throws(LibraryError) {
    let (before, after) = (ObjectUnits(old), ObjectUnits(new))
    if let error = after.errors.first { throw LibraryError("it cannot be read back: \(error)") }
    guard before.units.count == after.units.count else {
      throw LibraryError("it has \(after.units.count) object files, and \(before.units.count) before")
    }
    do throws(FormatError) {
      var start = 0
      while start < before.units.count {
        let slice = before.units[start].slice
        let end = before.units[start...].firstIndex { $0.slice != slice } ?? before.units.count
        var names = RenamedNames(prefix, isApples: before.units[start].kind != .elf)
        for unit in before.units[start..<end] {
          let content = try old.slice(unit.range, "object file")
          if let symbols = try ObjectSymbols(content) { try names.add(symbols, content) }
        }
        for (first, second) in zip(before.units[start..<end], after.units[start..<end]) {
          if prefix.classes { try checkClasses(first, old, second, new, ObjCNames(names: names)) }
          let (a, b) = (try listed(first, old, names), try listed(second, new, nil))
          guard a != b else { continue }
          let different = zip(a, b).first { $0 != $1 }
          throw .invalid(
            "symbols", at: second.range.lowerBound,
            different.map { "\($1.text) stands where \($0.text) was expected" }
              ?? "there are \(b.count) symbols, and \(a.count) were expected")
        }
        start = end
      }
    } catch {
      throw LibraryError("\(error)")
    }
  }

  /// Throws unless the metadata has the new names of classes and protocols wherever it had the old ones.
  private static func checkClasses(
    _ first: ObjectUnit, _ old: borrowing ByteReader, _ second: ObjectUnit, _ new: borrowing ByteReader,
    _ objc: ObjCNames
  ) throws(FormatError) {
    func texts(_ unit: ObjectUnit, _ reader: borrowing ByteReader) throws(FormatError) -> [(ObjCText, [UInt8])] {
      var result: [(ObjCText, [UInt8])] = []
      let metadata = try ObjCMetadata(try reader.slice(unit.range, "object file"), [.entities, .members, .texts])
      for text in metadata.texts { result.append((text, try reader.copy(text.range, "name of a class"))) }
      return result
    }
    let (before, after) = (try texts(first, old), try texts(second, new))
    guard before.count == after.count else {
      throw .invalid("Objective-C data", at: second.range.lowerBound, "it has other classes than before")
    }
    for ((text, name), (place, changed)) in zip(before, after) where changed != objc.text(name, text.kind) ?? name {
      throw .invalid(
        "Objective-C data", at: place.place, "'\(String(decoding: changed, as: UTF8.self))' has not its new name")
    }
  }

  private struct Listed: Equatable {
    var name: [UInt8]
    var symbol: Symbol

    var text: String { String(decoding: name, as: UTF8.self) }
  }

  /// The symbols of an object file, with their new names if `names` is given. Places of names do not count.
  private static func listed(
    _ unit: ObjectUnit, _ reader: borrowing ByteReader, _ names: RenamedNames?
  ) throws(FormatError) -> [Listed] {
    let content = try reader.slice(unit.range, "object file")
    var result: [Listed] = []
    guard let symbols = try ObjectSymbols(content) else { return [] }
    try symbols.forEach(content, SymbolSelection()) { (symbol) throws(FormatError) in
      var symbol = symbol
      var name: [UInt8] = []
      if let range = symbol.name {
        name = try content.copy(range, "name of a symbol")
        if symbol.flags.contains(.external), let names, let change = names.change(of: range, content) {
          name = names.prefix.applied(change, to: name)
        }
      }
      symbol.name = nil
      // The value of another name for a symbol is the place of that name.
      if symbol.flags.contains(.indirect) { symbol.address = 0 }
      result.append(Listed(name: name, symbol: symbol))
    }
    return result
  }
}
