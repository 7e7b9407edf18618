package import Artifacts
import ObjectFiles
import Store

/// Hashes of the names that an artifact defines, and of those that it refers to without defining them, by slice: enough
/// to tell which artifacts are related. Of a hash of 64 bits the upper 48 count.
///
/// Defined names are those that other files of a link see, and Objective-C methods; one defined twice is there twice.
///
/// The stored form (`RecordWriter`): the size of everything before the tables; for each slice its texts, whether it is
/// misaligned, and the counts of its defined and undefined names; then for each slice a `HashTable` of the defined
/// names and one of the others; then a checksum of it all (`ByteReader.sum`).
package final class SymbolNames: Sendable {
  private let bytes: EntryBytes
  package let slices: [Slice]
  private let tables: [Tables]

  struct Tables: Sendable {
    let slice: Slice
    var defined: HashTable
    var undefined: HashTable
    let isMisaligned: Bool
  }

  package init(_ found: [FoundNames]) {
    var writer = RecordWriter()
    let parts = found.map { names in
      // Names that the artifact defines itself are shared by definition, and need not be kept as references. They are
      // few, so a filter looks for them first.
      var filter = BloomFilter(count: names.undefined.count)
      filter.insert(names.undefined)
      let own = Set(filter.positions(of: names.defined).map { names.defined[$0] })
      return (names: names, undefined: names.undefined.filter { !own.contains($0) })
    }
    writer.add(parts) { writer, part in
      writer.add(part.names.slice)
      writer.add(part.names.isMisaligned)
      writer.add(part.names.defined.count)
      writer.add(part.undefined.count)
    }
    var start = RecordWriter()
    start.add(bytes: writer.bytes)
    var bytes = start.bytes
    var tables: [Tables] = []
    for part in parts {
      let counts = (part.names.defined.count, part.undefined.count)
      tables.append(Tables(part.names.slice, counts, part.names.isMisaligned, at: bytes.count))
      HashTable.append(part.names.defined, to: &bytes)
      HashTable.append(part.undefined, to: &bytes)
    }
    var end = RecordWriter()
    end.add(wide: ByteReader(bytes.span).sum(of: 0..<bytes.count))
    bytes += end.bytes
    self.bytes = EntryBytes(bytes)
    self.tables = tables
    slices = found.map(\.slice)
  }

  /// Nil if the bytes are of another form.
  package init?(_ bytes: EntryBytes) {
    let end = bytes.count - 8
    guard end >= 0, bytes.record(end..<end + 8, { $0.wide() }) == bytes.withReader({ $0.sum(of: 0..<end) }),
      let size = bytes.record(0..<4, { $0.number() }), var head = bytes.record(4..<4 + size, { $0 }),
      let parts = head.list({ reader -> (slice: Slice, isMisaligned: Bool, counts: (Int, Int))? in
        guard let slice = reader.slice(), let isMisaligned = reader.flag(), let defined = reader.number(),
          let undefined = reader.number()
        else { return nil }
        return (slice, isMisaligned, (defined, undefined))
      }), head.rest.isEmpty
    else { return nil }
    var place = 4 + size
    var tables: [Tables] = []
    for (slice, isMisaligned, counts) in parts {
      let found = Tables(slice, counts, isMisaligned, at: place)
      place += found.defined.size + found.undefined.size
      guard place <= end else { return nil }
      tables.append(found)
    }
    let areSound = bytes.withReader { view in
      tables.allSatisfy { view.isSound($0.defined) && view.isSound($0.undefined) }
    }
    guard place == end, areSound else { return nil }
    self.bytes = bytes
    self.tables = tables
    slices = tables.map(\.slice)
  }

  package var record: [UInt8] { bytes.copy() }

  /// The tables of slices that are compatible with this one.
  func tables(for slice: Slice) -> [Tables] { tables.filter { $0.slice.goes(with: slice) } }

  /// Whether a library of such a slice has members that a linker may refuse for their alignment.
  func isMisaligned(for slice: Slice) -> Bool { tables(for: slice).contains(where: \.isMisaligned) }

  /// The hashes of all slices that are compatible with this one.
  func defined(for slice: Slice) -> [UInt64] { hashes(for: slice, \.defined) }

  /// The hashes that the filter may contain.
  func defined(for slice: Slice, in filter: BloomFilter) -> [UInt64] {
    bytes.withReader { reader in
      var hashes: [UInt64] = []
      for part in tables(for: slice) { reader.appendHashes(of: part.defined, in: filter, to: &hashes) }
      return hashes
    }
  }

  /// Whether any slice defines a name with one of these hashes.
  func defines(_ wanted: [UInt64]) -> Bool {
    let wanted = wanted.map { $0 >> 16 }
    var filter = BloomFilter(count: wanted.count)
    filter.insert(wanted)
    return tables.contains { part in
      var hashes: [UInt64] = []
      bytes.withReader { $0.appendHashes(of: part.defined, in: filter, to: &hashes) }
      return hashes.contains(where: wanted.contains)
    }
  }

  func undefined(for slice: Slice) -> [UInt64] { hashes(for: slice, \.undefined) }

  private func hashes(for slice: Slice, _ table: KeyPath<Tables, HashTable>) -> [UInt64] {
    var hashes: [UInt64] = []
    for part in tables(for: slice) { append(0..<256, of: part[keyPath: table], to: &hashes) }
    return hashes
  }

  /// Appends the hashes, of 48 bits, whose uppermost 8 bits are in a range.
  func append(_ tops: Range<Int>, of table: HashTable, to output: inout [UInt64]) {
    bytes.withReader { $0.appendHashes(tops, of: table, to: &output) }
  }
}

extension SymbolNames.Tables {
  fileprivate init(
    _ slice: Slice, _ counts: (defined: Int, undefined: Int), _ isMisaligned: Bool, at place: Int
  ) {
    self.slice = slice
    self.isMisaligned = isMisaligned
    defined = HashTable(start: place, count: counts.defined)
    undefined = HashTable(start: place + defined.size, count: counts.undefined)
  }
}

extension EntryBytes {
  /// Nil if the range is out of bounds.
  fileprivate func record<Part>(_ range: Range<Int>, _ read: (inout RecordReader) -> Part?) -> Part? {
    guard let part = part(range) else { return nil }
    var reader = RecordReader(part.copy()[...])
    return read(&reader)
  }
}
