// What dyld does to the pointers of an image. Before iOS 14: `LC_DYLD_INFO` with a program of opcodes of one byte, the
// operation in its upper half, a number in its lower, LEB128 numbers and names behind it:
//
//   00 done   10 20 30 library   40 name, NUL   50 type   60 addend   70 segment and offset   80 add to the address
//   90 bind   A0 … and add       B0 … and add the number in pointers   C0 … as many times, skipping as many bytes
//
// What is not bound is an address already. Since then: `LC_DYLD_CHAINED_FIXUPS` (`ObjCChains`).

/// What the load commands of an image say about its pointers.
struct ObjCImage {
  private(set) var chainedFixups: Range<Int>?
  private let bindings: Range<Int>
  /// Their addresses.
  private var segments: [UInt64] = []
  private let pointerSize: UInt64
  /// Of the segment that holds the header.
  let base: UInt64

  init(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    pointerSize = file.is64Bit ? 8 : 4
    let info = try MachOLoaderInfo(file, reader)
    (bindings, base) = (info.binds, info.baseAddress)
    var commands = try file.loadCommands(reader)
    while let command = try commands.next() {
      var fields = try commands.content(of: command)
      switch command.kind {
      case .segment, .segment64:
        let isWide = command.kind == .segment64
        try fields.skip(16, "name of the segment")
        let address = try fields.readAddress(isWide, "address of the segment")
        segments.append(address)
      case .chainedFixups: chainedFixups = try reader.table(&fields, "chained fixups")
      case .encryption, .encryption64:
        try fields.skip(8, "encryption")
        let place = fields.offset
        guard try fields.read("encryption", as: UInt32.self) == 0 else {
          throw FormatError(
            offset: place, field: "encryption", reason: .unsupported("the names of encrypted files are not read"))
        }
      default: break
      }
    }
  }

  /// The name that each pointer is bound to, by the pointer's address.
  func binds(_ reader: borrowing ByteReader) throws(FormatError) -> [UInt64: Range<Int>] {
    var program = try reader.slice(bindings, "bind opcodes")
    var result: [UInt64: Range<Int>] = [:]
    var address: UInt64 = 0
    var name: Range<Int>?
    // No file has more pointers than bytes, whatever the opcodes say.
    var left = reader.count
    while program.remaining > 0 {
      let place = program.offset
      let opcode: UInt8 = try program.read("bind opcode")
      let number = UInt64(opcode & 0xF)
      var times: UInt64 = 0
      var step: UInt64 = pointerSize
      switch opcode & 0xF0 {
      case 0x00, 0x10, 0x30, 0x50: break
      case 0x20, 0x60: try program.skipLEB128("bind opcode")
      case 0x40:
        name = reader.terminatedRange(at: program.offset, in: program.offset..<bindings.upperBound)
        try program.skip((name?.count ?? 0) + 1, "name of a bind opcode")
      case 0x70:
        guard number < segments.count else {
          throw FormatError(offset: place, field: "bind opcode", reason: .invalid("there is no segment \(number)"))
        }
        address = segments[Int(number)] &+ (try program.readULEB128("bind opcode"))
      case 0x80: address = address &+ (try program.readULEB128("bind opcode"))
      case 0x90: times = 1
      case 0xA0: (times, step) = (1, pointerSize &+ (try program.readULEB128("bind opcode")))
      case 0xB0: (times, step) = (1, pointerSize * (number + 1))
      case 0xC0:
        times = try program.readULEB128("bind opcode")
        step = pointerSize &+ (try program.readULEB128("bind opcode"))
      default:
        throw FormatError(
          offset: place, field: "bind opcode", reason: .unsupported("threaded binding is not read"))
      }
      guard times <= UInt64(left) else {
        throw FormatError(
          offset: place, field: "bind opcode", reason: .invalid("it binds more pointers than there are"))
      }
      left -= Int(times)
      for _ in 0..<times {
        if let name { result[address] = name }
        address = address &+ step
      }
    }
    return result
  }
}

extension LoadCommandKind {
  fileprivate static let chainedFixups = LoadCommandKind(rawValue: 0x8000_0034)
  fileprivate static let encryption = LoadCommandKind(rawValue: 0x21)
  fileprivate static let encryption64 = LoadCommandKind(rawValue: 0x2C)
}
