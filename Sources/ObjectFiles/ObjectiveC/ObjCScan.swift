/// Reads the lists of one file.
struct ObjCScan: ~Escapable {
  let reader: ByteReader
  let pointers: ObjCPointers
  /// The size of a pointer.
  let size: UInt64
  let parts: ObjCParts
  var names: NameBudget
  /// Counts the bytes of methods, ivars, properties and protocols, whose lists only a damaged file shares.
  private var members: NameBudget
  /// Counts the bytes of the lists, which sections do not share either.
  private var lists: NameBudget
  /// The offsets of the classes and categories with a `+load`.
  private(set) var nonLazy: Set<Int> = []
  private(set) var texts: [ObjCText] = []

  @_lifetime(copy reader)
  init(
    _ file: MachOFile, _ sections: [MachOSection], _ parts: ObjCParts, _ reader: borrowing ByteReader
  ) throws(FormatError) {
    let bytes = try reader.slice(file.range, "Mach-O file", file.endianness)
    pointers = try ObjCPointers(file, sections, bytes)
    size = file.is64Bit ? 8 : 4
    self.parts = parts
    names = NameBudget(bytes)
    members = NameBudget(bytes: 4096 + 4 * bytes.count, "members")
    lists = NameBudget(bytes: bytes.count, "lists")
    self.reader = bytes
  }

  @_lifetime(self: copy self)
  mutating func read(_ section: MachOSection, as list: ObjCList, into data: inout ObjCMetadata) throws(FormatError) {
    let place = try pointers.place(of: section.address, count: section.size, reader, "section \(section.name)")
    try lists.spend(Int(section.size), at: place, "section \(section.name)")
    for index in 0..<(section.size / size) {
      let address = section.address &+ index * size
      let target = try pointers.target(at: address, reader, "entry \(index) of \(section.name)")
      switch list {
      case _ where target.isNull: continue
      case .classes: data.classes.append(try objcClass(target))
      case .categories: data.categories.append(try category(target, data.hasCategoryClassProperties))
      case .protocols: data.protocols.append(try objcProtocol(target))
      case .selectors:
        data.selectors.append(ObjCSelector(place: target.place, name: try name(target, "selector")))
      case .classReferences: data.classReferences.append(try classReference(target, isSuper: false))
      case .superReferences: data.classReferences.append(try classReference(target, isSuper: true))
      case .nonLazy:
        // An entry that is in no other list is ignored, wherever it leads.
        if let start = target.address, let place = try? pointers.place(of: start, reader, "class") {
          nonLazy.insert(place)
        }
      }
    }
  }

  func imageFlags(_ section: MachOSection) throws(FormatError) -> UInt32 {
    try flags(section.address &+ 4, "section \(section.name)")
  }

  // MARK: Classes, categories and protocols

  @_lifetime(self: copy self)
  private mutating func objcClass(_ target: ObjCTarget) throws(FormatError) -> ObjCClass {
    let start = try address(target, "class")
    let content = try classData(start)
    let pointer = try dataField(.name, of: content.address, "name")
    let name = try name(pointer, "class")
    note(pointer, name, .className)
    let isRoot = try flags(content.address, "class data") & 2 != 0
    let superclass = try className(try field(1, of: start, "superclass"), "superclass")
    if superclass == nil, !isRoot {
      throw .unsupported("superclass", at: target.place, "the superclass is bound in a way that is not read")
    }
    var result = ObjCClass(
      place: try pointers.place(of: start, reader, "class"), name: name, superclass: superclass,
      isSwift: content.isSwift)
    try addMethods(dataField(.methods, of: content.address, "methods"), false, to: &result.methods)
    if parts.contains(.members) {
      try addProtocols(dataField(.protocols, of: content.address, "protocols"), to: &result.protocols)
      try addIvars(dataField(.ivars, of: content.address, "ivars"), to: &result.ivars)
      try addProperties(dataField(.properties, of: content.address, "properties"), false, to: &result.properties)
    }
    if let metaclass = try field(0, of: start, "metaclass").address {
      let data = try classData(metaclass).address
      if try flags(data, "metaclass data") & 1 != 0 {
        if parts.contains(.texts) {
          let pointer = try dataField(.name, of: data, "name of the metaclass")
          note(pointer, try self.name(pointer, "metaclass"), .className)
        }
        try addMethods(dataField(.methods, of: data, "class methods"), true, to: &result.methods)
        if parts.contains(.members) {
          try addProperties(dataField(.properties, of: data, "class properties"), true, to: &result.properties)
        }
      }
    }
    result.hasLoadMethod = hasLoad(result.methods)
    return result
  }

  @_lifetime(self: copy self)
  private mutating func category(
    _ target: ObjCTarget, _ hasClassProperties: Bool
  ) throws(FormatError) -> ObjCCategory {
    let start = try address(target, "category")
    let label = try name(try field(0, of: start, "name of the category"), "category")
    let extended = try field(1, of: start, "class of the category")
    guard let className = try className(extended, "class of the category") else {
      throw .unsupported("class of the category", at: extended.place, "the class is bound in a way that is not read")
    }
    var result = ObjCCategory(
      place: try pointers.place(of: start, reader, "category"), name: label, className: className,
      isSwift: className.isSwiftSymbol || reader.starts(with: "_Tt", at: className.range.lowerBound))
    try addMethods(field(2, of: start, "instance methods"), false, to: &result.methods)
    try addMethods(field(3, of: start, "class methods"), true, to: &result.methods)
    if parts.contains(.members) {
      try addProtocols(field(4, of: start, "protocols"), to: &result.protocols)
      try addProperties(field(5, of: start, "properties"), false, to: &result.properties)
      if hasClassProperties {
        try addProperties(field(6, of: start, "class properties"), true, to: &result.properties)
      }
    }
    result.hasLoadMethod = hasLoad(result.methods)
    return result
  }

  @_lifetime(self: copy self)
  private mutating func objcProtocol(_ target: ObjCTarget) throws(FormatError) -> ObjCProtocol {
    let start = try address(target, "protocol")
    let pointer = try field(1, of: start, "name of the protocol")
    let name = try name(pointer, "protocol")
    note(pointer, name, .protocolName)
    var result = ObjCProtocol(
      place: try pointers.place(of: start, reader, "protocol"), name: name,
      isSwift: reader.starts(with: "_Tt", at: name.lowerBound))
    for (index, isClass, isOptional) in [(3, false, false), (4, true, false), (5, false, true), (6, true, true)] {
      let list = try field(UInt64(index), of: start, "methods of the protocol")
      try addMethods(list, isClass, isOptional: isOptional, to: &result.methods)
    }
    if parts.contains(.members) {
      try addProtocols(field(2, of: start, "protocols"), to: &result.protocols)
      try addProperties(field(7, of: start, "properties"), false, to: &result.properties)
      // Older compilers leave them out.
      let end = 11 * size + 8
      if try flags(start &+ 8 * size, "size of the protocol") >= end {
        let list = try pointers.target(at: start &+ end &- size, reader, "class properties")
        try addProperties(list, true, to: &result.properties)
      }
    }
    if parts.contains(.texts) { try addTypes(of: start, count: result.methods.count) }
    result.hasLoadMethod = hasLoad(result.methods)
    return result
  }

  /// Notes the types of a protocol's methods, with the classes of their arguments, if the compiler has written them.
  @_lifetime(self: copy self)
  private mutating func addTypes(of start: UInt64, count: Int) throws(FormatError) {
    guard try flags(start &+ 8 * size, "size of the protocol") >= 9 * size + 8 else { return }
    let list = try pointers.target(at: start &+ 8 * size &+ 8, reader, "types of the protocol's methods")
    guard !list.isNull else { return }
    let types = try address(list, "types of the protocol's methods")
    for index in 0..<UInt64(count) {
      let pointer = try field(index, of: types, "type of a method")
      if !pointer.isNull { note(pointer, try name(pointer, "type of a method"), .type) }
    }
  }

  @_lifetime(self: copy self)
  mutating func note(_ pointer: ObjCTarget, _ text: Range<Int>, _ kind: ObjCText.Kind) {
    if parts.contains(.texts) { texts.append(ObjCText(place: pointer.place, range: text, kind: kind)) }
  }

  @_lifetime(self: copy self)
  private mutating func classReference(_ target: ObjCTarget, isSuper: Bool) throws(FormatError) -> ObjCClassReference {
    guard let className = try className(target, "class reference") else {
      throw .unsupported("class reference", at: target.place, "the class is bound in a way that is not read")
    }
    var result = ObjCClassReference(place: target.place, className: className, isSuper: isSuper)
    if let start = target.address {
      result.isMetaclass = try flags(classData(start).address, "class data") & 1 != 0
    } else if let symbol = target.symbol {
      result.isMetaclass = symbol.behind("_OBJC_METACLASS_$_", reader) != nil
    }
    return result
  }

  // MARK: Fields

  /// The pointers of a class's data, in their order behind the numbers and the layout of ivars.
  private enum DataField: UInt64 {
    case name, methods, protocols, ivars, weakLayout, properties
  }

  private func dataField(
    _ field: DataField, of data: UInt64, _ name: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    try pointers.target(at: data &+ (size == 8 ? 24 : 16) &+ field.rawValue * size, reader, name())
  }

  func field(_ index: UInt64, of start: UInt64, _ name: @autoclosure () -> String) throws(FormatError) -> ObjCTarget {
    try pointers.target(at: start &+ index * size, reader, name())
  }

  func flags(_ address: UInt64, _ field: @autoclosure () -> String) throws(FormatError) -> UInt32 {
    try reader.integer(at: pointers.place(of: address, count: 4, reader, field()), field())
  }

  private func classData(_ start: UInt64) throws(FormatError) -> (address: UInt64, isSwift: Bool) {
    let pointer = try address(try field(4, of: start, "class data"), "class data")
    let mask: UInt64 = size == 8 ? 7 : 3
    return (pointer & ~mask, pointer & 3 != 0)
  }

  func address(_ target: ObjCTarget, _ field: @autoclosure () -> String) throws(FormatError) -> UInt64 {
    guard let address = target.address else {
      throw .invalid(field(), at: target.place, "the pointer leads out of the file")
    }
    return address
  }

  @_lifetime(self: copy self)
  mutating func name(_ target: ObjCTarget, _ field: @autoclosure () -> String) throws(FormatError) -> Range<Int> {
    let address = try address(target, "name of the \(field())")
    let name = try pointers.text(at: address, reader, "name of the \(field())")
    try names.spend(name)
    return name
  }

  /// As `name`, but the range is empty where the pointer is null.
  @_lifetime(self: copy self)
  mutating func text(_ target: ObjCTarget, _ field: @autoclosure () -> String) throws(FormatError) -> Range<Int> {
    if target.isNull { return target.place..<target.place }
    return try name(target, field())
  }

  /// The offset of a list's entries, which begin `head` bytes behind its address. Throws unless the whole list lies
  /// in a section, so that callers read no more than there is.
  @_lifetime(self: copy self)
  mutating func claim(
    _ count: UInt64, of entry: UInt64, behind head: UInt64, at start: UInt64, _ list: @autoclosure () -> String
  ) throws(FormatError) -> Int {
    let (bytes, overflow) = entry.multipliedReportingOverflow(by: count)
    // No section has as many bytes as there are addresses.
    let isPossible = !overflow && bytes < .max - head
    let place = try pointers.place(of: start, count: isPossible ? bytes + head : .max, reader, list()) + Int(head)
    // An entry takes 16 bytes and more in memory, however small it is in the file.
    try members.spend(Int(max(bytes, 16 * count)), at: place, list())
    return place
  }

  /// Nil if there is none. A class of another file has a symbol; one of this file may have lost its symbol.
  @_lifetime(self: copy self)
  private mutating func className(
    _ target: ObjCTarget, _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCClassName? {
    if let symbol = target.symbol,
      let name = symbol.behind("_OBJC_CLASS_$_", reader) ?? symbol.behind("_OBJC_METACLASS_$_", reader)
    {
      try names.spend(symbol)
      return ObjCClassName(range: name)
    }
    if let address = target.address {
      let data = try classData(address).address
      return ObjCClassName(range: try name(try dataField(.name, of: data, "name"), field()))
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
