import ObjectFiles

/// Reads a binary property list. Foundation's reader is not used, because it ends the process on false counts.
///
/// A file has `bplist0x`, objects, a table of their offsets, and 32 bytes: 6 unused, the size of an offset (1), the
/// size of a reference (1), the number of objects (8), the number of the top object (8), the place of the table (8).
/// Numbers are big endian. An object begins with a byte: its type and count (15: an integer with the count follows). A
/// dictionary has the references of its keys, then those of its values. Source: CoreFoundation, `CFBinaryPList.c`.
struct BinaryPropertyList {
  private let offsetSize: Int
  private let referenceSize: Int
  private let objects: Int
  private let table: Int
  /// The objects read so far, with the number of values in each. Several containers may refer to one object.
  private var known: [Int: (value: PropertyList, count: Int)] = [:]
  /// The objects that are being read. A reference to one of them is a cycle.
  private var open: Set<Int> = []

  static func read(_ file: borrowing ByteReader) throws(FormatError) -> PropertyList {
    let trailer = file.count - 32
    guard trailer >= 8 else { throw error(0, "is too short") }
    var list = try BinaryPropertyList(file, trailer)
    return try list.value(file, try number(file, at: trailer + 16, size: 8)).value
  }

  private init(_ file: borrowing ByteReader, _ trailer: Int) throws(FormatError) {
    offsetSize = Int(try file.integer(at: trailer + 6, "size of an offset", as: UInt8.self))
    referenceSize = Int(try file.integer(at: trailer + 7, "size of a reference", as: UInt8.self))
    objects = try Self.number(file, at: trailer + 8, size: 8)
    table = try Self.number(file, at: trailer + 24, size: 8)
    guard objects > 0, table >= 9, table + objects * offsetSize == trailer else {
      throw Self.error(trailer, "has no table of its objects at its end")
    }
  }

  private static func error(_ offset: Int, _ what: String) -> FormatError {
    FormatError(offset: offset, field: "property list", reason: .invalid(what))
  }

  /// A count or an offset, which cannot be larger than the file.
  private static func number(_ file: borrowing ByteReader, at offset: Int, size: Int) throws(FormatError) -> Int {
    guard (1...8).contains(size) else { throw error(offset, "has numbers of \(size) bytes") }
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(try file.integer(at: offset + index, "number", as: UInt8.self))
    }
    guard value <= UInt64(file.count) else { throw error(offset, "points outside of the file") }
    return Int(value)
  }

  private func object(
    _ file: borrowing ByteReader, _ number: Int
  ) throws(FormatError) -> (kind: UInt8, count: Int, content: Int) {
    guard number < objects else { throw Self.error(table, "names an object that is not there") }
    let start = try Self.number(file, at: table + number * offsetSize, size: offsetSize)
    guard (8..<table).contains(start) else { throw Self.error(start, "has an object outside of its objects") }
    let marker = try file.integer(at: start, "object", as: UInt8.self)
    let (kind, count) = (marker >> 4, Int(marker & 15))
    // Only these types have a count in the low bits.
    guard count == 15, [0x4, 0x5, 0x6, 0xA, 0xC, 0xD].contains(kind) else { return (kind, count, start + 1) }
    let size = try file.integer(at: start + 1, "count", as: UInt8.self)
    guard size & 0xF0 == 0x10, size & 15 <= 3 else { throw Self.error(start + 1, "has a count that is no number") }
    return (kind, try Self.number(file, at: start + 2, size: 1 << Int(size & 15)), start + 2 + 1 << Int(size & 15))
  }

  private mutating func value(
    _ file: borrowing ByteReader, _ number: Int
  ) throws(FormatError) -> (value: PropertyList, count: Int) {
    if let value = known[number] { return value }
    let (kind, count, start) = try object(file, number)
    guard open.count < PropertyList.deepest, open.insert(number).inserted else {
      throw Self.error(start - 1, open.contains(number) ? "contains itself" : "is too deep")
    }
    defer { open.remove(number) }
    var result: (value: PropertyList, count: Int)
    switch kind {
    case 0xA, 0xC, 0xD: result = try container(file, isMap: kind == 0xD, count, at: start)
    default: result = (try simple(file, kind, count, at: start), 1)
    }
    guard result.count <= PropertyList.maxValues else {
      throw Self.error(start - 1, "has more than \(PropertyList.maxValues) values")
    }
    known[number] = result
    return result
  }

  /// A set is read as a list.
  private mutating func container(
    _ file: borrowing ByteReader, isMap: Bool, _ count: Int, at start: Int
  ) throws(FormatError) -> (PropertyList, Int) {
    var all = 1
    func reference(_ index: Int) throws(FormatError) -> Int {
      try Self.number(file, at: start + index * referenceSize, size: referenceSize)
    }
    var list: [PropertyList] = []
    var map: [String: PropertyList] = [:]
    for index in 0..<count {
      let (item, values) = try value(file, try reference(isMap ? count + index : index))
      all += values
      guard all <= PropertyList.maxValues else { break }
      guard isMap else {
        list.append(item)
        continue
      }
      guard case .text(let key) = try value(file, try reference(index)).value else {
        throw Self.error(start, "has a key that is no text")
      }
      map[key] = item
    }
    return (isMap ? .map(map) : .list(list), all)
  }

  private func simple(
    _ file: borrowing ByteReader, _ kind: UInt8, _ count: Int, at start: Int
  ) throws(FormatError) -> PropertyList {
    func copy(_ count: Int) throws(FormatError) -> [UInt8] {
      guard start + count <= table else { throw Self.error(start, "has an object that reaches into its table") }
      return try file.copy(start..<start + count, "content of a property list")
    }
    func bits(_ size: Int) throws(FormatError) -> UInt64 { try copy(size).reduce(0) { $0 << 8 | UInt64($1) } }
    switch (kind, count) {
    // Null, which only keyed archives have.
    case (0x0, 0x0): return .text("")
    case (0x0, 0x8), (0x0, 0x9): return .flag(count == 9)
    // Only integers of 8 bytes and more are signed.
    case (0x1, 0...2): return .integer(Int(try bits(1 << count)))
    case (0x1, 3): return .integer(Int(Int64(bitPattern: try bits(8))))
    case (0x1, 4):
      let high = try bits(8)
      let low = try copy(16).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if high == 0 { return low > UInt64(Int.max) ? .large(low) : .integer(Int(low)) }
      guard high == .max, Int64(bitPattern: low) < 0 else { break }
      return .integer(Int(Int64(bitPattern: low)))
    case (0x2, 2): return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try bits(4)))))
    case (0x2, 3): return .real(Double(bitPattern: try bits(8)))
    case (0x3, 3): return .date(Double(bitPattern: try bits(8)))
    case (0x4, _): return .data(try copy(count))
    // ASCII; other bytes are read as Latin-1, as Apple does.
    case (0x5, _): return .text(String(decoding: try copy(count).map { UInt16($0) }, as: UTF16.self))
    case (0x6, _):
      let bytes = try copy(2 * count)
      let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return .text(String(decoding: units, as: UTF16.self))
    // A reference in a keyed archive, which the XML form also writes as a dictionary.
    case (0x8, 0...7):
      let number = try bits(count + 1)
      return .map(["CF$UID": number > UInt64(Int.max) ? .large(number) : .integer(Int(number))])
    default: break
    }
    throw Self.error(start - 1, "has an object of an unknown kind")
  }
}

/// Writes a binary property list with each simple value once. Python's plistlib with sorted keys writes the same bytes.
struct BinaryPropertyListWriter {
  private var objects: [Object] = []
  private var simple: [PropertyList: Int] = [:]

  private enum Object {
    case simple(PropertyList)
    case list([Int])
    case map(keys: [Int], values: [Int])
  }

  static func bytes(_ list: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(list)
    return writer.finished()
  }

  private mutating func add(_ value: PropertyList) -> Int {
    let number = objects.count
    switch value {
    case .list(let list):
      objects.append(.list([]))
      objects[number] = .list(list.map { add($0) })
    case .map(let map):
      objects.append(.map(keys: [], values: []))
      let sorted = PropertyList.sorted(map)
      let keys = sorted.map { add(.text($0.key)) }
      objects[number] = .map(keys: keys, values: sorted.map { add($0.value) })
    default:
      if let known = simple[value] { return known }
      simple[value] = number
      objects.append(.simple(value))
    }
    return number
  }

  private func finished() -> [UInt8] {
    let referenceSize = Self.size(objects.count)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    func add(_ number: some FixedWidthInteger, _ size: Int) {
      for index in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
    func head(_ kind: UInt8, _ count: Int) {
      guard count >= 15 else { return bytes.append(kind | UInt8(count)) }
      let size = Self.size(count) == 8 ? 3 : Self.size(count) / 2
      bytes += [kind | 15, 0x10 | UInt8(size)]
      add(count, 1 << size)
    }
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .list(let items):
        head(0xA0, items.count)
        for item in items { add(item, referenceSize) }
      case .map(let keys, let values):
        head(0xD0, keys.count)
        for item in keys + values { add(item, referenceSize) }
      case .simple(.text(let text)):
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
          head(0x50, text.utf8.count)
          bytes += text.utf8
        } else {
          head(0x60, text.utf16.count)
          for unit in text.utf16 { add(unit, 2) }
        }
      case .simple(.data(let data)):
        head(0x40, data.count)
        bytes += data
      case .simple(.flag(let flag)): bytes.append(flag ? 9 : 8)
      case .simple(.integer(let number)):
        let size = number < 0 ? 3 : Self.size(number) == 8 ? 3 : Self.size(number) / 2
        bytes.append(0x10 | UInt8(size))
        add(number, 1 << size)
      case .simple(.large(let number)):
        bytes.append(0x14)
        add(UInt64(0), 8)
        add(number, 8)
      case .simple(.real(let number)):
        bytes.append(0x23)
        add(number.bitPattern, 8)
      case .simple(.date(let seconds)):
        bytes.append(0x33)
        add(seconds.bitPattern, 8)
      case .simple: break
      }
    }
    let table = bytes.count
    let offsetSize = Self.size(table)
    for offset in offsets { add(offset, offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, 0, table] { add(number, 8) }
    return bytes
  }

  /// The number of bytes for a number that is not negative.
  private static func size(_ number: Int) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}
