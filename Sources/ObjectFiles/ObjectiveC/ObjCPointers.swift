/// The target of a pointer: an address of the file, a symbol, or both (a symbol that the file defines).
struct ObjCTarget {
  /// The offset of the pointer itself in the file.
  var place: Int
  var address: UInt64?
  var symbol: Range<Int>?

  var isNull: Bool { address == nil && symbol == nil }
}

/// The addresses of one Mach-O file, and the meaning of its pointers.
struct ObjCPointers {
  private enum Meaning {
    /// An object file, where a relocation gives a pointer's target.
    case relocations(ObjCRelocations)
    /// An image, where a pointer is an address, or a symbol if `symbols` has one for the pointer's own address.
    case addresses(symbols: [UInt64: Range<Int>])
    case chains(ObjCChains)
  }

  private struct Region {
    var addresses: Range<UInt64>
    var bytes: Range<Int>
    /// The section's number.
    var number: Int

    func place(of address: UInt64) -> Int { bytes.lowerBound + Int(address - addresses.lowerBound) }
  }

  /// Sorted by address.
  private let regions: [Region]
  /// By section; nil for those without relocations. Empty in images.
  private let references: [MachOReferenceIndex?]
  private let meaning: Meaning
  private let is64Bit: Bool

  init(_ file: MachOFile, _ sections: [MachOSection], _ reader: borrowing ByteReader) throws(FormatError) {
    is64Bit = file.is64Bit
    let isObject = file.fileType == .object
    references = try isObject ? file.referenceIndices(of: sections, where: \.mayHoldObjC, reader) : []
    var regions: [Region] = []
    for (number, section) in sections.enumerated() where section.size > 0 && !section.isZeroFill {
      let (end, overflow) = section.address.addingReportingOverflow(section.size)
      guard !overflow else { throw .outOfBounds("address of section \(section.name)", at: file.range.lowerBound) }
      let bytes = try reader.claimed(
        start: UInt64(section.offset), size: section.size, at: file.range.lowerBound, "section \(section.name)")
      regions.append(Region(addresses: section.address..<end, bytes: bytes, number: number))
    }
    self.regions = regions.sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
    if isObject {
      meaning = .relocations(try ObjCRelocations(file, reader))
    } else {
      meaning = try Self.meaning(file, reader)
    }
  }

  /// dyld reads the pointers of an image by `ObjCChains` since iOS 14, before that by `LC_DYLD_INFO` (`MachOBinds`).
  private static func meaning(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) -> Meaning {
    let info = try MachOLoaderInfo(file, reader)
    var fixups: Range<Int>?
    var commands = try file.loadCommands(reader)
    while let command = try commands.next() {
      var fields = try commands.content(of: command)
      switch command.kind {
      case .chainedFixups: fixups = try reader.table(&fields, "chained fixups")
      case .encryption, .encryption64:
        try fields.skip(8, "encryption")
        let place = fields.offset
        guard try fields.read("encryption", as: UInt32.self) == 0 else {
          throw .unsupported("encryption", at: place, "the names of encrypted files are not read")
        }
      default: break
      }
    }
    if let fixups { return .chains(try ObjCChains(fixups, base: info.baseAddress, reader)) }
    let segments = try file.segments(reader)
    var symbols: [UInt64: Range<Int>] = [:]
    // The names in the order in which threaded pointers count them.
    var threaded: [Range<Int>] = []
    // No file has more pointers than bytes, whatever the opcodes say.
    var left = reader.count
    let binds = MachOBinds(range: info.binds, is64Bit: file.is64Bit)
    try binds.forEach(reader) { (bind: MachOBind) throws(FormatError) in
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
      var address = segments[pointers.segment].address &+ pointers.offset
      for _ in 0..<pointers.count {
        symbols[address] = bind.name
        address &+= pointers.step
      }
    }
    return threaded.isEmpty ? .addresses(symbols: symbols) : .chains(ObjCChains(threaded, base: info.baseAddress))
  }

  /// The offset in the file of `count` bytes at an address.
  func place(
    of address: UInt64, count: UInt64 = 1, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> Int {
    try region(of: address, count: count, reader, field()).place(of: address)
  }

  func text(
    at address: UInt64, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> Range<Int> {
    let region = try region(of: address, reader, field())
    let start = region.place(of: address)
    guard let text = reader.terminatedRange(at: start, in: region.bytes),
      text.upperBound < region.bytes.upperBound
    else { throw .invalid(field(), at: start, "it has no end") }
    return text
  }

  func target(
    at address: UInt64, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    let region = try region(of: address, count: is64Bit ? 8 : 4, reader, field())
    let place = region.place(of: address)
    let value = try reader.address(at: place, is64Bit: is64Bit, field())
    switch meaning {
    case .relocations(let relocations):
      return try relocations.target(
        of: value, at: address, place: place, in: references[region.number], reader, field())
    case .addresses(let symbols):
      if let symbol = symbols[address] { return ObjCTarget(place: place, address: nil, symbol: symbol) }
      return ObjCTarget(place: place, address: value == 0 ? nil : value, symbol: nil)
    case .chains(let chains): return try chains.target(of: value, place: place, reader, field())
    }
  }

  /// The target of a 4-byte offset, which counts from its own address.
  func relative(
    at address: UInt64, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> ObjCTarget {
    let region = try region(of: address, count: 4, reader, field())
    let place = region.place(of: address)
    let offset: Int32 = try reader.integer(at: place, field())
    if case .relocations(let relocations) = meaning {
      return try relocations.difference(
        offset, at: address, place: place, in: references[region.number], reader, field())
    }
    return ObjCTarget(place: place, address: address &+ UInt64(bitPattern: Int64(offset)), symbol: nil)
  }

  private func region(
    of address: UInt64, count: UInt64 = 1, _ reader: borrowing ByteReader, _ field: @autoclosure () -> String
  ) throws(FormatError) -> Region {
    let next = sortedIndex(below: regions.count) { regions[$0].addresses.lowerBound > address }
    guard next > 0, regions[next - 1].addresses.contains(address),
      count <= regions[next - 1].addresses.upperBound - address
    else {
      throw .invalid(field(), at: reader.range.lowerBound, "0x\(String(address, radix: 16)) is no address of a section")
    }
    return regions[next - 1]
  }
}
