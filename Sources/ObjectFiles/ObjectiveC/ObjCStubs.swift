// Since Xcode 14 code calls a stub that the linker makes for each selector (`__objc_stubs`): the object file has no selector
// reference, only an undefined symbol that says which stub is meant. Clang 23 has one more:
//
//   _objc_msgSend$selector
//   _objc_msgSendClass$selector$_OBJC_CLASS_$_class
//
// In images the linker has made the references.

extension ObjCMetadata {
  /// Adds the selectors that an object file sends by stubs; their place is the symbol's.
  mutating func addStubs(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    guard let table = try MachOSymbolTable(file, reader) else { return }
    let size = table.is64Bit ? 16 : 12
    var names = NameBudget(reader)
    var place = table.range.lowerBound - size
    try table.forEach(reader) { (symbol: MachOSymbol) throws(FormatError) in
      place += size
      // Few symbols are stubs, so only the names of those are read as a whole.
      guard symbol.isUndefined,
        reader.starts(with: "_objc_msgSend", at: table.strings.lowerBound + Int(symbol.nameOffset)),
        let name = table.name(at: symbol.nameOffset, reader)
      else { return }
      try names.spend(name)
      if let selector = name.behind("_objc_msgSend$", reader) {
        selectors.append(ObjCSelector(place: place, name: selector))
      } else if let rest = name.behind("_objc_msgSendClass$", reader) {
        // A selector has no `$`, unless its author wrote one.
        guard let end = rest.first(where: { reader.starts(with: "$_OBJC_CLASS_$_", at: $0) }),
          let className = (end..<rest.upperBound).behind("$_OBJC_CLASS_$_", reader)
        else { return }
        selectors.append(ObjCSelector(place: place, name: rest.lowerBound..<end))
        classReferences.append(ObjCClassReference(place: place, className: ObjCClassName(range: className)))
      }
    }
  }
}

extension Range<Int> {
  /// The range behind `prefix`; nil if the bytes do not begin with it. A name may end with its table and not with a
  /// NUL, so its length is compared, too.
  func behind(_ prefix: StaticString, _ reader: borrowing ByteReader) -> Range<Int>? {
    guard count >= prefix.utf8CodeUnitCount, reader.starts(with: prefix, at: lowerBound) else { return nil }
    return (lowerBound + prefix.utf8CodeUnitCount)..<upperBound
  }
}
