extension ObjCScan {
  @_lifetime(self: copy self)
  mutating func addMethods(
    _ list: ObjCTarget, _ isClassMethod: Bool, isOptional: Bool = false, to methods: inout [ObjCMethod]
  ) throws(FormatError) {
    if list.isNull || !parts.contains(.methods) { return }
    let head = try flags(try address(list, "method list"), "method list")
    let isSmall = head & 0x8000_0000 != 0
    guard let entries = try entries(list, atLeast: isSmall ? 12 : 3 * size, mask: 0xFFFC, "method list") else { return }
    for index in 0..<entries.count {
      let address = entries.address &+ index * entries.size
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
          place: entries.place + Int(index * entries.size), selector: try name(target, "method"),
          isClassMethod: isClassMethod, isOptional: isOptional))
    }
  }

  @_lifetime(self: copy self)
  mutating func addIvars(_ list: ObjCTarget, to ivars: inout [ObjCIvar]) throws(FormatError) {
    guard let entries = try entries(list, atLeast: 3 * size + 8, "ivar list") else { return }
    for index in 0..<entries.count {
      let address = entries.address &+ index * entries.size
      let name = try field(1, of: address, "ivar")
      // An unnamed bit field has no name.
      if name.isNull { continue }
      let type = try field(2, of: address, "type of the ivar")
      let ivar = ObjCIvar(
        place: entries.place + Int(index * entries.size), name: try self.name(name, "ivar"),
        type: try text(type, "type of the ivar"))
      if !type.isNull { note(type, ivar.type, .type) }
      ivars.append(ivar)
    }
  }

  @_lifetime(self: copy self)
  mutating func addProperties(
    _ list: ObjCTarget, _ isClassProperty: Bool, to properties: inout [ObjCProperty]
  ) throws(FormatError) {
    guard let entries = try entries(list, atLeast: 2 * size, "property list") else { return }
    for index in 0..<entries.count {
      let address = entries.address &+ index * entries.size
      let name = try name(try field(0, of: address, "property"), "property")
      let pointer = try field(1, of: address, "attributes")
      let attributes = try text(pointer, "attributes")
      if !pointer.isNull { note(pointer, attributes, .type) }
      properties.append(
        ObjCProperty(
          place: entries.place + Int(index * entries.size), name: name, attributes: attributes,
          isClassProperty: isClassProperty))
    }
  }

  @_lifetime(self: copy self)
  mutating func addProtocols(_ list: ObjCTarget, to protocols: inout [Range<Int>]) throws(FormatError) {
    if list.isNull { return }
    let start = try address(list, "protocol list")
    let place = try pointers.place(of: start, count: size, reader, "protocol list")
    let count = try reader.address(at: place, is64Bit: size == 8, "number of protocols")
    _ = try claim(count, of: size, behind: size, at: start, "protocol list")
    for index in 0..<count {
      let target = try field(index + 1, of: start, "protocol")
      if !target.isNull { protocols.append(try protocolName(target)) }
    }
  }

  @_lifetime(self: copy self)
  private mutating func protocolName(_ target: ObjCTarget) throws(FormatError) -> Range<Int> {
    if let start = target.address { return try name(try field(1, of: start, "name of the protocol"), "protocol") }
    // The compiler has seen only a forward declaration of the protocol.
    guard let symbol = target.symbol?.behind("__OBJC_PROTOCOL_$_", reader) else {
      throw .unsupported("protocol list", at: target.place, "the protocol is bound in a way that is not read")
    }
    try names.spend(symbol)
    return symbol
  }

  /// The entries of a list that begins with their size, in the bits of `mask`, and their number; nil if it has none.
  @_lifetime(self: copy self)
  private mutating func entries(
    _ list: ObjCTarget, atLeast least: UInt64, mask: UInt32 = .max, _ field: String
  ) throws(FormatError) -> (address: UInt64, place: Int, size: UInt64, count: UInt64)? {
    if list.isNull { return nil }
    let start = try address(list, field)
    let entry = UInt64(try flags(start, field) & mask)
    let count = UInt64(try flags(start &+ 4, field))
    guard count > 0 else { return nil }
    guard entry >= least else { throw .invalid(field, at: list.place, "entries of \(entry) bytes are too small") }
    return (start &+ 8, try claim(count, of: entry, behind: 8, at: start, field), entry, count)
  }
}
