// What dyld does to an image's pointers: `LC_DYLD_INFO` (`MachOBinds`), since iOS 14 `ObjCChains`.

/// What the load commands of an image say about its pointers.
struct ObjCImage {
  private(set) var chainedFixups: Range<Int>?
  private let bindings: MachOBinds
  /// Their addresses.
  private let segments: [UInt64]
  /// Of the segment that holds the header.
  let base: UInt64

  init(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    let info = try MachOLoaderInfo(file, reader)
    (bindings, base) = (MachOBinds(range: info.binds, is64Bit: file.is64Bit), info.baseAddress)
    segments = try file.segments(reader).map(\.address)
    var commands = try file.loadCommands(reader)
    while let command = try commands.next() {
      var fields = try commands.content(of: command)
      switch command.kind {
      case .chainedFixups: chainedFixups = try reader.table(&fields, "chained fixups")
      case .encryption, .encryption64:
        try fields.skip(8, "encryption")
        let place = fields.offset
        guard try fields.read("encryption", as: UInt32.self) == 0 else {
          throw .unsupported("encryption", at: place, "the names of encrypted files are not read")
        }
      default: break
      }
    }
  }

  /// The name that each pointer is bound to, by the pointer's address; or the names in the order in which pointers that
  /// are threaded together count them.
  func binds(
    _ reader: borrowing ByteReader
  ) throws(FormatError) -> (symbols: [UInt64: Range<Int>], threaded: [Range<Int>]) {
    var symbols: [UInt64: Range<Int>] = [:]
    var threaded: [Range<Int>] = []
    // No file has more pointers than bytes, whatever the opcodes say.
    var left = reader.count
    try bindings.forEach(reader) { (bind: MachOBind) throws(FormatError) in
      let place = bind.name.lowerBound
      guard let pointers = bind.pointers else {
        threaded.append(bind.name)
        return
      }
      guard pointers.segment < segments.count else {
        throw .invalid("bind", at: place, "there is no segment \(pointers.segment)")
      }
      guard pointers.count <= UInt64(left) else {
        throw .invalid("bind", at: place, "it binds more pointers than there are")
      }
      left -= Int(pointers.count)
      var address = segments[pointers.segment] &+ pointers.offset
      for _ in 0..<pointers.count {
        symbols[address] = bind.name
        address &+= pointers.step
      }
    }
    return (symbols, threaded)
  }
}

extension LoadCommandKind {
  fileprivate static let chainedFixups = LoadCommandKind(rawValue: 0x8000_0034)
  fileprivate static let encryption = LoadCommandKind(rawValue: 0x21)
  fileprivate static let encryption64 = LoadCommandKind(rawValue: 0x2C)
}
