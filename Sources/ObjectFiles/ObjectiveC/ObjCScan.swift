/// Reads the lists of one file.
struct ObjCScan: ~Escapable {
  private let reader: ByteReader
  private let pointers: ObjCPointers
  private let size: UInt64
  private var names: NameBudget
  /// In bytes of methods: lists are not shared, but a damaged file can say so.
  private var methodsLeft: Int
  /// In bytes of lists: sections do not share them either.
  private var listsLeft: Int
  /// Where the classes and categories with a `+load` begin, as their lists have it.
  private(set) var nonLazy: Set<Int> = []

  @_lifetime(copy reader)
  init(_ file: MachOFile, _ sections: [MachOSection], _ reader: borrowing ByteReader) throws(FormatError) {
    let bytes = try reader.slice(file.range, "Mach-O file", file.endianness)
    pointers = try ObjCPointers(file, sections, bytes)
    size = file.is64Bit ? 8 : 4
    names = NameBudget(bytes)
    methodsLeft = 4096 + 4 * bytes.count
    listsLeft = bytes.count
    self.reader = bytes
  }

  @_lifetime(self: copy self)
  mutating func read(_ section: MachOSection, as list: ObjCList, into data: inout ObjCMetadata) throws(FormatError) {
    let place = try pointers.place(of: section.address, count: section.size, reader, "section \(section.name)")
    listsLeft -= Int(section.size)
    guard listsLeft >= 0 else {
      throw .invalid(
        "section \(section.name)", at: place, "more than any real file has: it is damaged, or made to fill the memory")
    }
    for index in 0..<(section.size / size) {
      let address = section.address &+ index * size
      let target = try pointers.target(at: address, reader, "entry \(index) of \(section.name)")
      if target.isNull { continue }
      switch list {
      case .classes: data.classes.append(try objcClass(target))
      case .categories: data.categories.append(try category(target))
      case .protocols: data.protocols.append(try objcProtocol(target))
      case .selectors:
        let place = try pointers.place(of: address, reader, "selector reference")
        data.selectors.append(ObjCSelector(place: place, name: try name(target, "selector")))
      case .nonLazy:
        // One that is in no other list is nothing to anybody, wherever it is.
        if let start = target.address, let place = try? pointers.place(of: start, reader, "class") {
          nonLazy.insert(place)
        }
      }
    }
  }

  func imageFlags(_ section: MachOSection) throws(FormatError) -> UInt32 {
    try flags(section.address &+ 4, "section \(section.name)")
  }

  // MARK: What the lists point to

  @_lifetime(self: copy self)
  private mutating func objcClass(_ target: ObjCTarget) throws(FormatError) -> ObjCClass {
    let start = try address(target, "class")
    let content = try classData(start)
    let name = try name(try pointers.target(at: content.address &+ (size == 8 ? 24 : 16), reader, "name"), "class")
    let isRoot = try flags(content.address, "class data") & 2 != 0
    let superclass = try className(try field(1, of: start, "superclass"), "superclass")
    if superclass == nil, !isRoot {
      throw .unsupported("superclass", at: target.place, "the superclass is bound in a way that is not read")
    }
    var result = ObjCClass(
      place: try pointers.place(of: start, reader, "class"), name: name, superclass: superclass, methods: [],
      isSwift: content.isSwift, hasLoadMethod: false)
    let methods = size == 8 ? UInt64(32) : 20
    try add(pointers.target(at: content.address &+ methods, reader, "methods"), false, to: &result.methods)
    if let metaclass = try field(0, of: start, "metaclass").address {
      let data = try classData(metaclass)
      if try flags(data.address, "metaclass data") & 1 != 0 {
        try add(pointers.target(at: data.address &+ methods, reader, "class methods"), true, to: &result.methods)
      }
    }
    result.hasLoadMethod = hasLoad(result.methods)
    return result
  }

  @_lifetime(self: copy self)
  private mutating func category(_ target: ObjCTarget) throws(FormatError) -> ObjCCategory {
    let start = try address(target, "category")
    let label = try name(try field(0, of: start, "name of the category"), "category")
    let extended = try field(1, of: start, "class of the category")
    guard let className = try className(extended, "class of the category") else {
      throw .unsupported("class of the category", at: extended.place, "the class is bound in a way that is not read")
    }
    var methods: [ObjCMethod] = []
    try add(field(2, of: start, "instance methods"), false, to: &methods)
    try add(field(3, of: start, "class methods"), true, to: &methods)
    return ObjCCategory(
      place: try pointers.place(of: start, reader, "category"), name: label, className: className, methods: methods,
      isSwift: className.isSwiftSymbol || reader.starts(with: "_Tt", at: className.range.lowerBound),
      hasLoadMethod: hasLoad(methods))
  }

  @_lifetime(self: copy self)
  private mutating func objcProtocol(_ target: ObjCTarget) throws(FormatError) -> ObjCProtocol {
    let start = try address(target, "protocol")
    let name = try name(try field(1, of: start, "name of the protocol"), "protocol")
    var methods: [ObjCMethod] = []
    for (index, isClass, isOptional) in [(3, false, false), (4, true, false), (5, false, true), (6, true, true)] {
      try add(
        field(UInt64(index), of: start, "methods of the protocol"), isClass, isOptional: isOptional, to: &methods)
    }
    return ObjCProtocol(
      place: try pointers.place(of: start, reader, "protocol"), name: name, methods: methods,
      isSwift: reader.starts(with: "_Tt", at: name.lowerBound), hasLoadMethod: hasLoad(methods))
  }

  @_lifetime(self: copy self)
  private mutating func add(
    _ list: ObjCTarget, _ isClassMethod: Bool, isOptional: Bool = false, to methods: inout [ObjCMethod]
  ) throws(FormatError) {
    if list.isNull { return }
    let start = try address(list, "method list")
    let head = try flags(start, "method list")
    let count = try flags(start &+ 4, "number of methods")
    let isSmall = head & 0x8000_0000 != 0
    let entry = UInt64(head & 0xFFFC)
    guard count > 0 else { return }
    guard entry >= (isSmall ? 12 : 3 * size) else {
      throw .invalid("method list", at: list.place, "entries of \(entry) bytes are too small")
    }
    // The whole list lies in a section, so that nothing below is longer than the file.
    let place = try pointers.place(of: start, count: entry * UInt64(count) + 8, reader, "method list") + 8
    methodsLeft -= Int(entry) * Int(count)
    guard methodsLeft >= 0 else {
      throw .invalid("method list", at: place, "more than any real file has: it is damaged, or made to fill the memory")
    }
    for index in 0..<UInt64(count) {
      let address = start &+ 8 &+ index * entry
      var target: ObjCTarget
      if isSmall {
        target = try pointers.relative(at: address, reader, "method")
        if head & 0x4000_0000 == 0, let reference = target.address {
          target = try pointers.target(at: reference, reader, "selector of the method")
        }
      } else {
        target = try pointers.target(at: address, reader, "method")
      }
      methods.append(
        ObjCMethod(
          place: place + Int(index * entry), selector: try name(target, "method"), isClassMethod: isClassMethod,
          isOptional: isOptional))
    }
  }

  // MARK: Fields

  private func field(_ index: UInt64, of start: UInt64, _ name: String) throws(FormatError) -> ObjCTarget {
    try pointers.target(at: start &+ index * size, reader, name)
  }

  private func flags(_ address: UInt64, _ field: String) throws(FormatError) -> UInt32 {
    try reader.integer(at: pointers.place(of: address, count: 4, reader, field), field)
  }

  /// Where a class's data is, and whether Swift made it.
  private func classData(_ start: UInt64) throws(FormatError) -> (address: UInt64, isSwift: Bool) {
    let pointer = try address(try field(4, of: start, "class data"), "class data")
    let mask: UInt64 = size == 8 ? 7 : 3
    return (pointer & ~mask, pointer & 3 != 0)
  }

  private func address(_ target: ObjCTarget, _ field: String) throws(FormatError) -> UInt64 {
    guard let address = target.address else {
      throw .invalid(field, at: target.place, "the pointer leads out of the file")
    }
    return address
  }

  @_lifetime(self: copy self)
  private mutating func name(_ target: ObjCTarget, _ field: String) throws(FormatError) -> Range<Int> {
    let address = try address(target, "name of the \(field)")
    let name = try pointers.text(at: address, reader, "name of the \(field)")
    try names.spend(name)
    return name
  }

  /// Nil if there is none. A symbol says it for a class of another file; one of this file may have no symbol any more.
  @_lifetime(self: copy self)
  private mutating func className(_ target: ObjCTarget, _ field: String) throws(FormatError) -> ObjCClassName? {
    // A name may end with its table and not with a NUL: what follows is not part of it.
    if let symbol = target.symbol, symbol.count >= 14, reader.starts(with: "_OBJC_CLASS_$_", at: symbol.lowerBound) {
      try names.spend(symbol)
      return ObjCClassName(range: (symbol.lowerBound + 14)..<symbol.upperBound)
    }
    if let address = target.address {
      let data = try classData(address).address
      return ObjCClassName(
        range: try name(try pointers.target(at: data &+ (size == 8 ? 24 : 16), reader, "name"), field))
    }
    guard let symbol = target.symbol, !symbol.isEmpty else { return nil }
    try names.spend(symbol)
    return ObjCClassName(range: (symbol.lowerBound + 1)..<symbol.upperBound, isSwiftSymbol: true)
  }

  private func hasLoad(_ methods: [ObjCMethod]) -> Bool {
    methods.contains {
      $0.isClassMethod && $0.selector.count == 4 && reader.starts(with: "load", at: $0.selector.lowerBound)
    }
  }
}
