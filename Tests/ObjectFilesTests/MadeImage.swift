import ObjectFiles

/// An image made of an object file as a linker would make it, for what no linker here makes: the whole file is one segment,
/// pointers of data are what the fixups of an image have, relocations are gone.
struct MadeImage {
  enum Fixups: CustomStringConvertible {
    case binds
    /// Pointers of format 1 and threaded binds.
    case threaded
    case chains(pointers: UInt16, imports: UInt32)

    var description: String {
      switch self {
      case .binds: "binds"
      case .threaded: "threaded"
      case .chains(let pointers, let imports): "chains \(pointers), imports \(imports)"
      }
    }
  }

  private(set) var bytes: [UInt8]
  private let is64Bit: Bool
  private let base: UInt64
  private let fixups: Fixups
  private var names: [[UInt8]] = []
  private var binds: [(offset: Int, name: Int)] = []

  init(_ object: [UInt8], _ fixups: Fixups) throws {
    bytes = object
    self.fixups = fixups
    let reader = ByteReader(object.span)
    let file = try MachOFile(reader)
    is64Bit = file.is64Bit
    base = is64Bit ? 0x1_0000_0000 : 0x40_0000
    let sections = try file.sections(reader)
    var symbols: [MachOSymbol] = []
    let table = try MachOSymbolTable(file, reader)
    try table?.forEach(reader) { symbols.append($0) }
    /// Where an address of the object file is in the image.
    func moved(_ address: UInt64, _ section: Int) -> UInt64 {
      base + UInt64(sections[section].offset) + address - sections[section].address
    }
    for section in sections where section.segment == "__DATA" && !section.isZeroFill {
      try MachORelocations(section, file, reader).forEach(reader) { (relocation: MachORelocation) throws(FormatError) in
        guard !relocation.isRelative, relocation.type == 0 || relocation.type == 11 else { return }
        let place = Int(section.offset) + Int(relocation.address)
        var content = UInt64(try reader.integer(at: place, "pointer", as: UInt32.self))
        if is64Bit, relocation.type == 0 { content = try reader.integer(at: place, "pointer") }
        switch relocation.target {
        case .section(let number): put(moved(content, Int(number) - 1), at: place, relocation.type == 11)
        case .address(let address):
          let owner = sections.firstIndex { UInt64(address) >= $0.address && UInt64(address) < $0.address + $0.size }
          put(moved(content, owner ?? 0), at: place, false)
        case .symbol(let number):
          let symbol = symbols[Int(number)]
          if symbol.kind == .section {
            put(moved(symbol.value &+ content, Int(symbol.section) - 1), at: place, relocation.type == 11)
          } else if let name = table?.name(at: symbol.nameOffset, reader) {
            bind(Array(object[name]), at: place, relocation.type == 11)
          }
        }
      }
    }
    // The header, the segment, its sections; the table of dynamic symbols gives its room to the fixups.
    set(6 as UInt32, at: 12)
    let width = is64Bit ? 8 : 4
    var commands = try file.loadCommands(reader)
    while let command = try commands.next() {
      let start = command.range.lowerBound
      if command.kind == .dynamicSymbolTable {
        try writeFixups(at: start)
      } else if command.kind == .segment || command.kind == .segment64 {
        for (index, value) in [base, UInt64(object.count), 0, UInt64(object.count)].enumerated() {
          setAddress(value, at: start + 24 + index * width)
        }
        for (index, section) in sections.enumerated() {
          let entry = start + 40 + 4 * width + index * (is64Bit ? 80 : 68)
          setAddress(base + (section.isZeroFill ? 0x10_0000 : UInt64(section.offset)), at: entry + 32)
          // Its relocations.
          for field in [8, 12] { set(0 as UInt32, at: entry + 32 + 2 * width + field) }
        }
      }
    }
  }

  // MARK: Pointers

  private mutating func put(_ address: UInt64, at place: Int, _ isSigned: Bool) {
    let signed: UInt64 = isSigned ? 1 << 63 | 0x1234 << 32 : 0
    switch fixups {
    case .binds: setAddress(address, at: place)
    case .threaded, .chains(1, _): setAddress(isSigned ? signed | (address - base) : address | 3 << 51, at: place)
    case .chains(2, _): setAddress(address | 3 << 51, at: place)
    case .chains(3, _): setAddress(address | 3 << 26, at: place)
    case .chains(6, _): setAddress(address - base | 3 << 51, at: place)
    case .chains: setAddress(signed | (address - base) | 3 << 51, at: place)
    }
  }

  private mutating func bind(_ name: [UInt8], at place: Int, _ isSigned: Bool) {
    let number = names.firstIndex(of: name) ?? names.count
    if number == names.count { names.append(name) }
    let ordinal = UInt64(number)
    switch fixups {
    case .binds:
      binds.append((place, number))
      setAddress(0, at: place)
    case .chains(2, _), .chains(6, _): setAddress(1 << 63 | ordinal | 3 << 51, at: place)
    case .chains(3, _): setAddress(1 << 31 | ordinal | 3 << 26, at: place)
    default: setAddress(1 << 62 | (isSigned ? 1 << 63 | 0x1234 << 32 : 0) | ordinal | 3 << 51, at: place)
    }
  }

  // MARK: Tables

  private mutating func writeFixups(at command: Int) throws {
    let start = bytes.count
    switch fixups {
    case .binds:
      for (offset, name) in binds {
        bytes += [0x40] + names[name]
        bytes += [0, 0x51, 0x70] + number(offset)
        bytes.append(0x90)
      }
      bytes.append(0)
    case .threaded:
      bytes += [0xD0] + number(names.count)
      for name in names {
        bytes += [0x40] + name
        bytes += [0, 0x51, 0x90]
      }
      bytes += [0x70, 0, 0xD1, 0]
    case .chains(let pointers, let imports):
      // Header, starts of one segment, imports, names.
      let size = imports == 1 ? 4 : imports == 2 ? 8 : 16
      let (starts, table) = (32, 32 + 8 + 24)
      let text = table + size * names.count
      for value in [0, starts, table, text, names.count, Int(imports), 0, 0] { add(UInt32(value)) }
      for value in [1, 8, 24] { add(UInt32(value)) }
      bytes += [0, 0x40, UInt8(pointers), 0] + [UInt8](repeating: 0, count: 16)
      var offset: UInt64 = 0
      for name in names {
        if imports == 3 { add(UInt64(1) | offset << 32) } else { add(UInt32(1 | offset << 9)) }
        if imports == 2 { add(0 as UInt32) } else if imports == 3 { add(0 as UInt64) }
        offset += UInt64(name.count + 1)
      }
      for name in names { bytes += name + [0] }
    }
    if case .chains = fixups {
      set(0x8000_0034 as UInt32, at: command)
      for (index, value) in [start, bytes.count - start].enumerated() {
        set(UInt32(value), at: command + 8 + 4 * index)
      }
    } else {
      set(0x8000_0022 as UInt32, at: command)
      for field in 2..<20 { set(0 as UInt32, at: command + 4 * field) }
      for (index, value) in [start, bytes.count - start].enumerated() {
        set(UInt32(value), at: command + 16 + 4 * index)
      }
    }
  }

  /// ULEB128
  private func number(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + number(value >> 7)
  }

  private mutating func add<T: FixedWidthInteger>(_ value: T) {
    for byte in 0..<(T.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> T(8 * byte))) }
  }

  private mutating func set<T: FixedWidthInteger>(_ value: T, at place: Int) {
    for byte in 0..<(T.bitWidth / 8) { bytes[place + byte] = UInt8(truncatingIfNeeded: value >> T(8 * byte)) }
  }

  private mutating func setAddress(_ value: UInt64, at place: Int) {
    if is64Bit { set(value, at: place) } else { set(UInt32(truncatingIfNeeded: value), at: place) }
  }
}
