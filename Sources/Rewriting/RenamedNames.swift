import ObjectFiles

/// The names that change in one slice of a library: those that one of its object files defines for the others, but for
/// the kept ones. References to them change alike, and other references stay.
package struct RenamedNames: Sendable {
  /// Its place among `bytes`, and how it changes.
  private struct Name: Sendable {
    var range: Range<Int>
    var change: NameChange?
  }

  let prefix: SymbolPrefix
  let isApples: Bool
  private let seed = UInt64.random(in: 0 ... .max)
  private var bytes: [UInt8] = []
  /// By hash; a name whose hash is taken has the next one that is free.
  private var names: [UInt64: Name] = [:]
  /// How many names change.
  private(set) var count = 0
  /// How many of them are mangled names of C++.
  package private(set) var mangledCount = 0
  /// Names of Objective-C and Swift that stay.
  private(set) var left = LeftNames()
  /// The texts of the prefix's lists that some name matches.
  private(set) var matched: Set<String> = []

  init(_ prefix: SymbolPrefix, isApples: Bool) {
    self.prefix = prefix
    self.isApples = isApples
  }

  /// Adds the definitions of one object file.
  mutating func add(_ symbols: ObjectSymbols, _ reader: borrowing ByteReader) throws(FormatError) {
    try symbols.forEach(reader, SymbolSelection(externalOnly: true, definedOnly: true)) {
      (symbol) throws(FormatError) in
      guard let range = symbol.name, !range.isEmpty, find(range, reader) == nil else { return }
      let name = try reader.copy(range, "name of a symbol")
      let change = choose(name)
      if change != nil { count += 1 }
      insert(name, change)
    }
  }

  private mutating func choose(_ name: [UInt8]) -> NameChange? {
    if isListed(name, prefix.keep) { return nil }
    let kind = SymbolNameKind(name, isApples: isApples)
    guard let change = prefix.change(of: name, at: kind.start) else { return nil }
    switch kind {
    case .plain(let start):
      if name[start...].starts(with: "_Z".utf8) { mangledCount += 1 }
      return change
    case .objcClass(let start):
      let own = name[start...].prefix { $0 != UInt8(ascii: ".") }
      if !prefix.classes {
        left.addClass(own)
      } else if !isListed(Array("_OBJC_CLASS_$_".utf8) + own, prefix.keep) {
        return change
      }
    case .objcProtocol(let start):
      if prefix.classes, isListed(Array(name[start...]), prefix.protocols) { return change }
    case .swift: left.addSwift(name)
    }
    return nil
  }

  /// The new name of a function or variable, as C spells it; nil if it stays.
  package func newName(ofSymbol name: [UInt8]) -> [UInt8]? {
    let symbol = (isApples ? [UInt8(ascii: "_")] : []) + name
    return change(of: symbol).map { Array(prefix.applied($0, to: symbol).dropFirst(isApples ? 1 : 0)) }
  }

  package func newName(ofClass name: [UInt8]) -> [UInt8]? { ObjCNames(names: self).className(name) }
  package func newName(ofProtocol name: [UInt8]) -> [UInt8]? { ObjCNames(names: self).protocolName(name) }

  private mutating func isListed(_ name: [UInt8], _ list: NameList) -> Bool {
    guard !list.isEmpty, let text = list.match(name) else { return false }
    matched.insert(text)
    return true
  }

  /// The change of a symbol's name that the slice defines or refers to; nil if it stays.
  func change(of range: Range<Int>, _ reader: borrowing ByteReader) -> NameChange? {
    range.isEmpty ? nil : find(range, reader)?.change
  }

  /// The same for a text that does not stand in the file.
  func change(of text: [UInt8]) -> NameChange? { change(of: 0..<text.count, ByteReader(text.span)) }

  /// Throws if a symbol that keeps its name has one that another symbol gets.
  func refuseRival(of range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) {
    let name = try reader.copy(range, "name of a symbol")
    let kind = SymbolNameKind(name, isApples: isApples)
    let opposite = prefix.opposite
    guard let change = opposite.change(of: name, at: kind.start) else { return }
    let old = opposite.applied(change, to: name)
    guard self.change(of: old) != nil else { return }
    throw .unsupported(
      "symbol \(String(decoding: name, as: UTF8.self))", at: range.lowerBound,
      "has the name that \(String(decoding: old, as: UTF8.self)) would get; choose another prefix, or keep that name")
  }

  private func find(_ range: Range<Int>, _ reader: borrowing ByteReader) -> Name? {
    var hash = reader.hash(of: range, seed: seed)
    let own = ByteReader(bytes.span)
    while let name = names[hash] {
      if own.equals(name.range, reader, range) { return name }
      hash &+= 1
    }
    return nil
  }

  private mutating func insert(_ name: [UInt8], _ change: NameChange?) {
    var hash = ByteReader(name.span).hash(of: 0..<name.count, seed: seed)
    while names[hash] != nil { hash &+= 1 }
    names[hash] = Name(range: bytes.count..<bytes.count + name.count, change: change)
    bytes += name
  }
}

/// Names that no prefix changes, for the user: a few of them, and how many there are.
package struct LeftNames: Sendable {
  package private(set) var classes: Set<[UInt8]> = []
  package private(set) var swiftCount = 0
  package private(set) var swiftExample: [UInt8] = []

  package init() {}

  mutating func addClass(_ name: ArraySlice<UInt8>) { classes.insert(Array(name)) }

  mutating func addSwift(_ name: [UInt8]) {
    if swiftCount == 0 { swiftExample = name }
    swiftCount += 1
  }

  package mutating func formUnion(_ other: LeftNames) {
    classes.formUnion(other.classes)
    swiftCount = max(swiftCount, other.swiftCount)
    if swiftExample.isEmpty { swiftExample = other.swiftExample }
  }
}
