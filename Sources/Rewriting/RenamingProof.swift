package import ObjectFiles

/// Compares a renamed file, as it was written, with the old one: symbol by symbol, with the reader that every other
/// command uses.
package struct RenamingProof: Sendable {
  private let renaming: SymbolRenaming
  /// The object files of the new file.
  private let units: [ObjectUnit]

  /// Throws if the new file has not as many object files as the old one.
  package init(_ renaming: SymbolRenaming, new: borrowing ByteReader) throws(LibraryError) {
    let all = ObjectUnits(new)
    if let error = all.errors.first { throw LibraryError("it cannot be read back: \(error)") }
    guard all.units.count == renaming.units.count else {
      throw LibraryError("it has \(all.units.count) object files, and \(renaming.units.count) before")
    }
    (self.renaming, units) = (renaming, all.units)
  }

  /// Throws unless some object files have the symbols that they had, and only the new names differ.
  package func check(
    _ range: Range<Int>, _ old: borrowing ByteReader, _ new: borrowing ByteReader
  ) throws(LibraryError) {
    do throws(FormatError) {
      let names = renaming.names
      var before: [Symbol] = []
      for index in range {
        let (first, second) = (renaming.units[index], units[index])
        let own = names[first.slice]
        if own.rewrite.classes, own.rewrite.kind != .hide {
          try Self.checkClasses(first, old, second, new, ObjCNames(names: own))
        }
        if own.rewrite.kind == .hide {
          try Self.checkHidden(first, old, second, new, own)
        } else {
          try Self.checkSymbols(first, old, second, new, own, &before)
        }
      }
    } catch {
      throw LibraryError("\(error)")
    }
  }

  private static func checkSymbols(
    _ first: SymbolRenaming.Unit, _ old: borrowing ByteReader, _ second: ObjectUnit, _ new: borrowing ByteReader,
    _ names: RenamedNames, _ before: inout [Symbol]
  ) throws(FormatError) {
    let (old, new) = (try old.slice(first.range, "object file"), try new.slice(second.range, "object file"))
    // One array for all object files.
    before.removeAll(keepingCapacity: true)
    try ObjectSymbols(old)?.forEach(old, SymbolSelection()) { (symbol) throws(FormatError) in before.append(symbol) }
    var count = 0
    try ObjectSymbols(new)?.forEach(new, SymbolSelection()) { (found) throws(FormatError) in
      defer { count += 1 }
      guard count < before.count else { return }
      let expected = before[count]
      var change: NameChange?
      if let name = expected.name {
        change =
          expected.flags.contains(.external) ? names.change(of: name, old) : try names.localChange(of: name, old)
      }
      if expected.isSame(as: found), isName(found.name, new, expected.name, old, change, names.rewrite) { return }
      let name = try found.name.map { range throws(FormatError) in try new.copy(range, "name of a symbol") } ?? []
      throw .invalid(
        "symbol \(String(decoding: name, as: UTF8.self))", at: found.name?.lowerBound ?? second.range.lowerBound,
        "is not what was expected there")
    }
    guard before.count == count else {
      throw .invalid("symbols", at: second.range.lowerBound, "there are \(count), and \(before.count) were expected")
    }
  }

  /// Throws unless every name is the old one, and exactly those are hidden that should be.
  private static func checkHidden(
    _ first: SymbolRenaming.Unit, _ old: borrowing ByteReader, _ second: ObjectUnit, _ new: borrowing ByteReader,
    _ names: RenamedNames
  ) throws(FormatError) {
    let (old, new) = (try old.slice(first.range, "object file"), try new.slice(second.range, "object file"))
    let (before, after) = (try listed(old), try listed(new))
    let kept = try SymbolHiding.exportsThatStay(new, names)
    for (expected, found) in zip(before, after) where before.count == after.count {
      var wanted = expected
      if let name = expected.name, expected.flags.isSuperset(of: .external), !expected.flags.contains(.undefined),
        names.change(of: name, old) != nil, try !kept.contains(old.copy(name, "name of a symbol"))
      {
        wanted.flags = expected.flags.subtracting(.protected).union(.hidden)
      }
      if wanted == found { continue }
      throw .invalid("symbols", at: second.range.lowerBound, "one is not hidden that should be, or another one is")
    }
    guard before.count == after.count else {
      throw .invalid("symbols", at: second.range.lowerBound, "there are other symbols than before")
    }
  }

  private static func listed(_ reader: borrowing ByteReader) throws(FormatError) -> [Symbol] {
    var result: [Symbol] = []
    try ObjectSymbols(reader)?.forEach(reader, SymbolSelection()) { (symbol) throws(FormatError) in
      result.append(symbol)
    }
    return result
  }

  /// Whether a name is the old one with its change.
  private static func isName(
    _ name: Range<Int>?, _ new: borrowing ByteReader, _ before: Range<Int>?, _ old: borrowing ByteReader,
    _ change: NameChange?, _ rewrite: SymbolRewrite
  ) -> Bool {
    guard let name, let before else { return name == nil && before == nil }
    guard let change else { return new.equals(name, old, before) }
    // The one of the two that has the prefix is the longer one.
    let isAdded = rewrite.kind == .add
    let longer = isAdded ? name : before
    let start = longer.lowerBound + change.start
    let end = start + rewrite.prefix.count
    guard end <= longer.upperBound, (isAdded ? before : name).count == longer.count - rewrite.prefix.count else {
      return false
    }
    let own = ByteReader(rewrite.prefix.span)
    let all = 0..<rewrite.prefix.count
    if isAdded {
      return new.equals(start..<end, own, all)
        && new.equals(name.lowerBound..<start, old, before.lowerBound..<before.lowerBound + change.start)
        && new.equals(end..<name.upperBound, old, before.lowerBound + change.start..<before.upperBound)
    }
    return old.equals(start..<end, own, all)
      && old.equals(before.lowerBound..<start, new, name.lowerBound..<name.lowerBound + change.start)
      && old.equals(end..<before.upperBound, new, name.lowerBound + change.start..<name.upperBound)
  }

  /// Throws unless the metadata has the new names of classes and protocols wherever it had the old ones.
  private static func checkClasses(
    _ first: SymbolRenaming.Unit, _ old: borrowing ByteReader, _ second: ObjectUnit, _ new: borrowing ByteReader,
    _ objc: ObjCNames
  ) throws(FormatError) {
    func texts(_ range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) -> [(ObjCText, [UInt8])] {
      var result: [(ObjCText, [UInt8])] = []
      let metadata = try ObjCMetadata(try reader.slice(range, "object file"), [.entities, .members, .texts])
      for text in metadata.texts { result.append((text, try reader.copy(text.range, "name of a class"))) }
      return result
    }
    let (before, after) = (try texts(first.range, old), try texts(second.range, new))
    guard before.count == after.count else {
      throw .invalid("Objective-C data", at: second.range.lowerBound, "it has other classes than before")
    }
    for ((text, name), (place, changed)) in zip(before, after) where changed != objc.text(name, text.kind) ?? name {
      throw .invalid(
        "Objective-C data", at: place.place, "'\(String(decoding: changed, as: UTF8.self))' has not its new name")
    }
  }
}

extension Symbol {
  /// Whether two symbols are alike but for their names. The value of another name for a symbol is the place of that name.
  fileprivate func isSame(as other: Symbol) -> Bool {
    letter == other.letter && size == other.size && flags == other.flags
      && (address == other.address || flags.contains(.indirect))
  }
}
