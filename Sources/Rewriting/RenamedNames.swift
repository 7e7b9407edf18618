import ObjectFiles

/// The names that change in one slice of a library, or of several that go into one link: those that one of its object files defines for the others, but for
/// the kept ones. References to them change alike, and other references stay.
package struct RenamedNames: Sendable {
  /// A defined name: its hash, its place among `bytes`, and how it changes.
  private struct Name: Sendable {
    var hash: UInt64
    var range: Range<Int>
    var change: NameChange?
  }

  let rewrite: SymbolRewrite
  let isApples: Bool
  private let seed = UInt64.random(in: 0 ... .max)
  private var bytes: [UInt8] = []
  private var names: [Name] = []
  /// Open addressing: the number of a name plus 1; 0 is free.
  private var slots = [UInt32](repeating: 0, count: 1 << 8)
  /// How many names change.
  private(set) var count = 0
  /// How many of them are mangled names of C++.
  package private(set) var mangledCount = 0
  /// Local symbols that only name groups of sections, of which linkers keep one of each name.
  private var signatures: Set<[UInt8]> = []
  /// Names of Objective-C and Swift that stay, and names that a system looks up.
  private(set) var left = LeftNames()
  /// The texts of the lists that some name matches.
  private(set) var matched: Set<String> = []

  init(_ rewrite: SymbolRewrite, isApples: Bool) {
    self.rewrite = rewrite
    self.isApples = isApples
  }

  /// Adds the definitions of one object file.
  mutating func add(_ symbols: ObjectSymbols, _ reader: borrowing ByteReader) throws(FormatError) {
    try symbols.forEach(reader, SymbolSelection(externalOnly: true, definedOnly: true)) {
      (symbol) throws(FormatError) in
      guard let range = symbol.name, !range.isEmpty else { return }
      let hash = reader.hash(of: range, seed: seed)
      let slot = slot(of: range, hash, reader)
      guard slots[slot] == 0 else { return }
      insert(range, hash, try choose(range, reader), reader, slot)
    }
  }

  private mutating func insert(
    _ range: Range<Int>, _ hash: UInt64, _ change: NameChange?, _ reader: borrowing ByteReader, _ slot: Int
  ) {
    if change != nil { count += 1 }
    let start = bytes.count
    reader.append(range, to: &bytes)
    names.append(Name(hash: hash, range: start..<bytes.count, change: change))
    slots[slot] = UInt32(truncatingIfNeeded: names.count)
    if names.count * 2 > slots.count { grow() }
  }

  /// Adds the name of a group of sections. Compilers name that of a constructor's variants by a local symbol; it changes
  /// as the variants do, or a linker would take the group for one of another copy and leave it out.
  mutating func add(signature name: [UInt8]) {
    guard !isListed(name, rewrite.keep), rewrite.change(of: name, at: 0) != nil else { return }
    signatures.insert(name)
  }

  /// The change of a local symbol; nil unless it names a group.
  func localChange(of range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) -> NameChange? {
    guard !signatures.isEmpty else { return nil }
    let name = try reader.copy(range, "name of a symbol")
    return signatures.contains(name) && (rewrite.only.isEmpty || changesVariant(of: name)) ? NameChange(start: 0) : nil
  }

  /// Whether a constructor or destructor changes whose variants a group has: `…C5…` is the group of `…C1…` and `…C2…`.
  private func changesVariant(of group: [UInt8]) -> Bool {
    for place in group.indices.dropFirst()
    where group[place] == UInt8(ascii: "5") && "CD".utf8.contains(group[place - 1]) {
      var variant = group
      for digit in "0123".utf8 {
        variant[place] = digit
        if change(of: variant) != nil { return true }
      }
    }
    return false
  }

  /// Adds the definitions of another library, which goes into the same link and changes in the same way.
  mutating func add(_ other: RenamedNames) {
    let reader = ByteReader(other.bytes.span)
    for name in other.names {
      let hash = reader.hash(of: name.range, seed: seed)
      let slot = slot(of: name.range, hash, reader)
      if slots[slot] == 0 { insert(name.range, hash, name.change, reader, slot) }
    }
    mangledCount += other.mangledCount
    signatures.formUnion(other.signatures)
  }

  private mutating func choose(_ range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) -> NameChange? {
    // Most names are plain ones of C, told by their first bytes.
    if rewrite.isForAll, rewrite.kind == .add,
      let start = SymbolNameKind.plainStart(range, reader, isApples: isApples),
      !LookedUpNames.mayContain(reader, at: range.lowerBound + start)
    {
      if reader.starts(with: "_Z", at: range.lowerBound + start) { mangledCount += 1 }
      return NameChange(start: start)
    }
    let name = try reader.copy(range, "name of a symbol")
    if isListed(name, rewrite.keep) { return nil }
    let kind = SymbolNameKind(name, isApples: isApples)
    // Whatever a list says: classes of Objective-C cannot change beside code in Swift.
    if kind == .swift, rewrite.kind != .hide {
      left.addSwift(name)
      return nil
    }
    guard let change = rewrite.change(of: name, at: kind.start), isChosen(name, kind) else { return nil }
    if rewrite.kind != .remove, LookedUpNames.contains(name[kind.start...]) {
      left.addLookedUp(name)
      return nil
    }
    if rewrite.kind == .hide { return change }
    switch kind {
    case .plain(let start):
      if name[start...].starts(with: "_Z".utf8) { mangledCount += 1 }
      return change
    case .objcClass(let start):
      let own = name[start...].prefix { $0 != UInt8(ascii: ".") }
      if !rewrite.classes {
        left.addClass(own)
      } else if !isListed(Self.classMarker + own, rewrite.keep) {
        return change
      }
    case .objcProtocol(let start):
      if rewrite.classes, isListed(Array(name[start...]), rewrite.protocols) { return change }
    case .swift: break
    }
    return nil
  }

  private static let classMarker = Array("_OBJC_CLASS_$_".utf8)

  /// Whether a name is one of those that change. Protocols have a list of their own.
  private mutating func isChosen(_ name: [UInt8], _ kind: SymbolNameKind) -> Bool {
    if rewrite.only.isEmpty { return true }
    return switch kind {
    case .objcClass(let start):
      isListed(Self.classMarker + name[start...].prefix { $0 != UInt8(ascii: ".") }, rewrite.only)
    case .objcProtocol: true
    case .plain, .swift: isListed(name, rewrite.only)
    }
  }

  /// The new name of a function or variable, as C spells it; nil if it stays.
  package func newName(ofSymbol name: [UInt8]) -> [UInt8]? {
    if rewrite.kind == .hide { return nil }
    let symbol = (isApples ? [UInt8(ascii: "_")] : []) + name
    return change(of: symbol).map { Array(rewrite.applied($0, to: symbol).dropFirst(isApples ? 1 : 0)) }
  }

  package func newName(ofClass name: [UInt8]) -> [UInt8]? {
    rewrite.kind == .hide ? nil : ObjCNames(names: self).className(name)
  }
  package func newName(ofProtocol name: [UInt8]) -> [UInt8]? {
    rewrite.kind == .hide ? nil : ObjCNames(names: self).protocolName(name)
  }

  private mutating func isListed(_ name: [UInt8], _ list: NameList) -> Bool {
    guard !list.isEmpty, let text = list.match(name) else { return false }
    matched.insert(text)
    return true
  }

  /// The change of a symbol's name that the slice defines or refers to; nil if it stays.
  func change(of range: Range<Int>, _ reader: borrowing ByteReader) -> NameChange? {
    range.isEmpty ? nil : find(range, reader)?.change
  }

  /// A renamed class that a text of any format names: nothing of a name stands before and behind it. In a binary property
  /// list the byte before a short text has the text's length.
  package func renamedClass(in text: [UInt8]) -> [UInt8]? {
    func isWord(_ byte: UInt8?) -> Bool { byte?.isInName ?? false }
    let marker = Self.classMarker
    let reader = ByteReader(text.span)
    for name in names where name.change != nil && bytes[name.range].starts(with: marker) {
      let own = Array(bytes[name.range].dropFirst(marker.count))
      let needle = ByteReader(own.span)
      for place in 0..<max(0, text.count - own.count + 1) where text[place] == own[0] {
        guard reader.equals(place..<place + own.count, needle, 0..<own.count) else { continue }
        let before = place > 0 ? text[place - 1] : nil
        let count = UInt8(truncatingIfNeeded: own.count)
        let isCounted = before == (own.count < 15 ? 0x50 | count : count)
        let end = place + own.count
        let isList = text.starts(with: "bplist".utf8)
        if isList ? isCounted || !isWord(before) : !isWord(before) && !isWord(end < text.count ? text[end] : nil) {
          return own
        }
      }
    }
    return nil
  }

  /// The same for a text that does not stand in the file.
  func change(of text: [UInt8]) -> NameChange? { change(of: 0..<text.count, ByteReader(text.span)) }

  /// Throws if a symbol that keeps its name has one that another symbol gets.
  func refuseRival(of range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) {
    // Almost no name has the prefix already.
    if rewrite.kind == .add, let start = SymbolNameKind.plainStart(range, reader, isApples: isApples) {
      let own = ByteReader(rewrite.prefix.span)
      let place = range.lowerBound + start
      let end = place + rewrite.prefix.count
      guard end <= range.upperBound, reader.equals(place..<end, own, own.range) else { return }
    }
    let name = try reader.copy(range, "name of a symbol")
    let kind = SymbolNameKind(name, isApples: isApples)
    let opposite = rewrite.opposite
    guard let change = opposite.change(of: name, at: kind.start) else { return }
    let old = opposite.applied(change, to: name)
    guard self.change(of: old) != nil else { return }
    throw .unsupported(
      "symbol \(String(decoding: name, as: UTF8.self))", at: range.lowerBound,
      "has the name that \(String(decoding: old, as: UTF8.self)) would get; choose another prefix, or keep that name")
  }

  private func find(_ range: Range<Int>, _ reader: borrowing ByteReader) -> Name? {
    let number = slots[slot(of: range, reader.hash(of: range, seed: seed), reader)]
    return number == 0 ? nil : names[Int(number) - 1]
  }

  /// The slot that has the name, or the free one that it belongs in.
  private func slot(of range: Range<Int>, _ hash: UInt64, _ reader: borrowing ByteReader) -> Int {
    let own = ByteReader(bytes.span)
    var slot = Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
    while slots[slot] != 0 {
      let name = names[Int(slots[slot]) - 1]
      if name.hash == hash, own.equals(name.range, reader, range) { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: 2 * slots.count)
    for (index, name) in names.enumerated() {
      var slot = Int(truncatingIfNeeded: name.hash >> 32) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }
  }
}

/// Names that no prefix changes, for the user: a few of them, and how many there are.
package struct LeftNames: Sendable {
  package private(set) var classes: Set<[UInt8]> = []
  package private(set) var lookedUp: Set<[UInt8]> = []
  package private(set) var swiftCount = 0
  package private(set) var swiftExample: [UInt8] = []

  package init() {}

  mutating func addClass(_ name: ArraySlice<UInt8>) { classes.insert(Array(name)) }

  mutating func addLookedUp(_ name: [UInt8]) { lookedUp.insert(name) }

  mutating func addSwift(_ name: [UInt8]) {
    if swiftCount == 0 { swiftExample = name }
    swiftCount += 1
  }

  package mutating func formUnion(_ other: LeftNames) {
    classes.formUnion(other.classes)
    lookedUp.formUnion(other.lookedUp)
    swiftCount = max(swiftCount, other.swiftCount)
    if swiftExample.isEmpty { swiftExample = other.swiftExample }
  }
}
