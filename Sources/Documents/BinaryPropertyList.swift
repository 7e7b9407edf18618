import ObjectFiles

/// The top level of a binary property list that is a dictionary: texts, truth values and whole numbers as text, anything
/// else as `<value>`. Our own, because Foundation's reader ends the process on counts that lie.
///
/// `bplist0x`, objects, a table of their offsets, and 32 bytes at the end: 6 unused, the size of an offset (1), the size
/// of a reference (1), the number of objects (8), the number of the top object (8), the place of the table (8). Big
/// endian. An object begins with a byte: what it is, and its count (15: an integer object with the count follows). A
/// dictionary has the references of its keys, then those of its values. Source: CoreFoundation, `CFBinaryPList.c`.
struct BinaryPropertyList {
  /// Nil if the top level is something else.
  private(set) var values: [String: String]?

  private let offsetSize: Int
  private let referenceSize: Int
  private let objects: Int
  private let table: Int
  /// Many references may name one long text: no more is copied than the file is long.
  private var budget: Int

  /// Longer texts than this are content, not settings.
  private static let longestText = 4096

  init(_ file: borrowing ByteReader) throws(FormatError) {
    let trailer = file.count - 32
    guard trailer >= 8 else { throw Self.error(0, "is too short") }
    offsetSize = Int(try file.integer(at: trailer + 6, "size of an offset", as: UInt8.self))
    referenceSize = Int(try file.integer(at: trailer + 7, "size of a reference", as: UInt8.self))
    objects = try Self.number(file, at: trailer + 8, size: 8)
    table = try Self.number(file, at: trailer + 24, size: 8)
    budget = file.count
    let top = try object(file, try Self.number(file, at: trailer + 16, size: 8))
    guard top.kind == 0xD else {
      guard [0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x8, 0xA, 0xC].contains(top.kind) else {
        throw Self.error(top.content - 1, "has an object of an unknown kind at the top")
      }
      return
    }
    var values: [String: String] = [:]
    for index in 0..<top.count {
      let key = try reference(file, at: top.content, index)
      let value = try reference(file, at: top.content, top.count + index)
      if let name = try text(file, key) { values[name] = try text(file, value) ?? "<value>" }
    }
    self.values = values
  }

  private static func error(_ offset: Int, _ what: String) -> FormatError {
    FormatError(offset: offset, field: "property list", reason: .invalid(what))
  }

  /// A number that counts or places something in the file, and so cannot be larger than it.
  private static func number(_ file: borrowing ByteReader, at offset: Int, size: Int) throws(FormatError) -> Int {
    guard (1...8).contains(size) else { throw error(offset, "has numbers of \(size) bytes") }
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(try file.integer(at: offset + index, "number", as: UInt8.self))
    }
    guard value <= UInt64(file.count) else { throw error(offset, "points outside of the file") }
    return Int(value)
  }

  private func reference(_ file: borrowing ByteReader, at start: Int, _ index: Int) throws(FormatError) -> Int {
    try Self.number(file, at: start + index * referenceSize, size: referenceSize)
  }

  private func object(
    _ file: borrowing ByteReader, _ number: Int
  ) throws(FormatError) -> (kind: UInt8, count: Int, content: Int) {
    guard number < objects else { throw Self.error(table, "names an object that is not there") }
    let start = try Self.number(file, at: table + number * offsetSize, size: offsetSize)
    let marker = try file.integer(at: start, "object", as: UInt8.self)
    let (kind, count) = (marker >> 4, Int(marker & 15))
    // Only of these the low bits are a count.
    guard count == 15, [0x4, 0x5, 0x6, 0xA, 0xD].contains(kind) else { return (kind, count, start + 1) }
    let size = 1 << Int(try file.integer(at: start + 1, "count", as: UInt8.self) & 15)
    return (kind, try Self.number(file, at: start + 2, size: size), start + 2 + size)
  }

  /// Nil if it is neither a text nor a simple value.
  private mutating func text(_ file: borrowing ByteReader, _ number: Int) throws(FormatError) -> String? {
    let (kind, count, start) = try object(file, number)
    switch kind {
    case 0x0 where count == 8 || count == 9: return count == 9 ? "true" : "false"
    case 0x1 where count <= 3:
      let bytes = try file.copy(start..<start + (1 << count), "integer")
      let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      // Only integers of 8 bytes are signed.
      return count == 3 ? String(Int64(bitPattern: value)) : String(value)
    case 0x5, 0x6:
      let length = kind == 0x5 ? count : 2 * count
      guard length <= Self.longestText else { return nil }
      budget -= length
      guard budget >= 0 else { throw Self.error(start, "repeats its texts") }
      let bytes = try file.copy(start..<start + length, "text")
      if kind == 0x5 { return String(decoding: bytes, as: UTF8.self) }
      let units = stride(from: 0, to: length, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }
}
