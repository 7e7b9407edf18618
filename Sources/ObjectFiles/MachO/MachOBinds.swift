// The names that dyld looks up for an image without chained fixups (`<mach-o/loader.h>`; see `MachOLoaderInfo`) are a
// program of opcodes, with the opcode in the upper half of a byte and an immediate value in the lower:
//
//   done (of lazy binds: the next begins)      library = value, ULEB128 or -value   flags = value, name up to a NUL
//   type = value                               addend = SLEB128                     segment = value, offset = ULEB128
//   offset += ULEB128                          bind, then offset += ULEB128         bind, then offset += value words
//   bind ULEB128 times, skipping ULEB128 each  threaded: 0 size of a table, ULEB128; 1 bind what pointers chain together
//
//   flags  1 the name may be missing, 8 (of weak binds) the image has a definition that is not weak

/// A name that dyld looks up, and where it writes the address.
package struct MachOBind: Hashable, Sendable {
  package var name: Range<Int>
  package var flags: UInt8
  /// Nil for threaded binds, which the pointers in the image name by their numbers.
  package var pointers: Pointers?

  /// The pointers that one opcode binds. All the numbers are claims.
  package struct Pointers: Hashable, Sendable {
    /// Counted from 0 over the load commands.
    package var segment: Int
    /// The offset of the first from the start of the segment.
    package var offset: UInt64
    package var count: UInt64
    /// The distance from one to the next.
    package var step: UInt64
  }

  /// dyld accepts that the name is missing.
  package var isWeakReference: Bool { flags & 1 != 0 }
}

/// One of the three tables of binds. A plain value: it keeps no bytes.
package struct MachOBinds: Hashable, Sendable {
  package let range: Range<Int>
  /// Each bind ends with the opcode that ends the other tables.
  package var isLazy = false
  let is64Bit: Bool

  /// `BIND_OPCODE_…`
  private enum Opcode: UInt8 {
    case done = 0
    case library = 0x10
    case libraryNumber = 0x20
    case specialLibrary = 0x30
    case name = 0x40
    case type = 0x50
    case addend = 0x60
    case segment = 0x70
    case skip = 0x80
    case bind = 0x90
    case bindAndSkip = 0xA0
    case bindAndSkipWords = 0xB0
    case bindMany = 0xC0
    case threaded = 0xD0
  }

  /// Calls `body` once for each opcode that binds.
  package func forEach(
    _ reader: borrowing ByteReader, _ body: (MachOBind) throws(FormatError) -> Void
  ) throws(FormatError) {
    var code = try reader.slice(range, "binds")
    var name: Range<Int>?
    var flags: UInt8 = 0
    var segment = 0
    var offset: UInt64 = 0
    var isThreaded = false
    let pointerSize: UInt64 = is64Bit ? 8 : 4
    while code.remaining > 0 {
      let place = code.offset
      let byte: UInt8 = try code.read("opcode of a bind")
      let value = byte & 0xF
      var count: UInt64 = 0
      var step = pointerSize
      switch Opcode(rawValue: byte & 0xF0) {
      case .done: if !isLazy { return }
      // The library's number and the type are not used.
      case .library, .specialLibrary, .type: break
      case .libraryNumber: _ = try code.readULEB128("library of a bind")
      case .name: (name, flags) = (try code.terminated("name of a bind"), value)
      case .addend: try code.skipLEB128("operand of a bind")
      case .segment: (segment, offset) = (Int(value), try code.readULEB128("offset of a bind"))
      case .skip: offset &+= try code.readULEB128("offset of a bind")
      case .bind: count = 1
      case .bindAndSkip: (count, step) = (1, pointerSize &+ (try code.readULEB128("offset of a bind")))
      case .bindAndSkipWords: (count, step) = (1, pointerSize * (UInt64(value) + 1))
      case .bindMany:
        count = try code.readULEB128("number of binds")
        step = pointerSize &+ (try code.readULEB128("offset of a bind"))
      case .threaded:
        isThreaded = true
        if value == 0 { try code.skipLEB128("operand of a bind") }
      case nil:
        throw .invalid("opcode of a bind", at: place, "there is no \(byte >> 4)")
      }
      guard count > 0 else { continue }
      guard let name else { throw .invalid("bind", at: place, "it comes before a name") }
      let pointers = MachOBind.Pointers(segment: segment, offset: offset, count: count, step: step)
      try body(MachOBind(name: name, flags: flags, pointers: isThreaded ? nil : pointers))
      offset &+= count &* step
    }
  }
}
