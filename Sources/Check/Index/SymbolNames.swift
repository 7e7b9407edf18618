package import Artifacts
import ObjectFiles
import Store

/// The names that an artifact defines and those that it refers to and does not define, slice by slice, by their hashes: enough
/// to tell which artifacts have to do with each other. Of a hash of 64 bits the upper 48 count.
///
/// Defined are names that other files of a link see, and the methods of Objective-C classes and categories; one that is
/// defined twice is there twice.
///
/// As bytes (`RecordWriter`): whether nothing is for Android, the slices, of each its texts and how many names it defines and
/// refers to; then for each slice a table of the defined names and one of the others. A table: the number of the first hash
/// with each value of the uppermost 8 bits, and the end, 4 bytes each; of all hashes, ordered by these bits, bits 8 to 39,
/// 4 each; bits 0 to 7, 1 each. Numbers are little-endian.
package final class SymbolNames: Sendable {
  private let bytes: [UInt8]
  package let slices: [Slice]
  private let tables: [Tables]
  /// It has nothing for Android.
  package let isForApple: Bool

  struct Tables: Sendable {
    let slice: Slice
    var defined: Table
    var undefined: Table
  }

  struct Table: Sendable {
    var start = 0
    let count: Int

    var size: Int { 4 * 257 + 5 * count }
    fileprivate var middles: Int { start + 4 * 257 }
    fileprivate var lows: Int { middles + 4 * count }
  }

  package init(_ found: [FoundNames], isForApple: Bool) {
    var writer = RecordWriter()
    writer.add(isForApple)
    let sorted = found.map { names in
      // What the artifact defines itself it shares with whoever else defines it.
      let defined = Set(names.defined.lazy.map { $0 >> 16 })
      return (
        names.slice, SortedHashes(names.defined), SortedHashes(names.undefined.filter { !defined.contains($0 >> 16) })
      )
    }
    writer.add(sorted) { writer, part in
      writer.add(part.0)
      writer.add(part.1.hashes.count)
      writer.add(part.2.hashes.count)
    }
    var bytes = writer.bytes
    for (_, defined, undefined) in sorted {
      defined.append(to: &bytes)
      undefined.append(to: &bytes)
    }
    self.bytes = bytes
    self.isForApple = isForApple
    slices = found.map(\.slice)
    var place = writer.bytes.count
    tables = sorted.map { slice, defined, undefined in
      let tables = Tables(slice, defined.hashes.count, undefined.hashes.count, at: place)
      place += tables.defined.size + tables.undefined.size
      return tables
    }
  }

  /// Nil if these are other bytes.
  package init?(_ bytes: [UInt8]) {
    var reader = RecordReader(bytes[...])
    guard let isForApple = reader.flag(),
      let counts = reader.list({ reader -> (slice: Slice, defined: Int, undefined: Int)? in
        guard let slice = reader.slice(), let defined = reader.number(), let undefined = reader.number() else {
          return nil
        }
        return (slice, defined, undefined)
      })
    else { return nil }
    var place = bytes.count - reader.rest.count
    var tables: [Tables] = []
    for (slice, defined, undefined) in counts {
      let found = Tables(slice, defined, undefined, at: place)
      place += found.defined.size + found.undefined.size
      guard place <= bytes.count else { return nil }
      tables.append(found)
    }
    let view = ByteReader(bytes.span)
    guard place == bytes.count, tables.allSatisfy({ view.isSound($0.defined) && view.isSound($0.undefined) }) else {
      return nil
    }
    self.bytes = bytes
    self.isForApple = isForApple
    self.tables = tables
    slices = tables.map(\.slice)
  }

  package var record: [UInt8] { bytes }

  /// Of slices that go with this one.
  func tables(for slice: Slice) -> [Tables] { tables.filter { $0.slice.goes(with: slice) } }

  func withReader<R>(_ body: (borrowing ByteReader) -> R) -> R {
    let bytes = bytes
    let reader = ByteReader(bytes.span)
    return body(reader)
  }
}

extension SymbolNames.Tables {
  fileprivate init(_ slice: Slice, _ defined: Int, _ undefined: Int, at place: Int) {
    self.slice = slice
    self.defined = SymbolNames.Table(start: place, count: defined)
    self.undefined = SymbolNames.Table(start: place + self.defined.size, count: undefined)
  }
}

extension RecordWriter {
  mutating func add(_ slice: Slice) {
    add(optional: slice.platform) { $0.add(name: $1) }
    add(name: slice.architecture)
    add(optional: slice.variant) { $0.add(name: $1) }
  }
}

extension RecordReader {
  mutating func slice() -> Slice? {
    guard let platform = optional({ $0.name() }), let architecture = name(), let variant = optional({ $0.name() })
    else {
      return nil
    }
    return Slice(platform: platform, architecture: architecture, variant: variant)
  }
}

// MARK: - Reading a table

extension ByteReader {
  /// Whether the parts follow one another, which all that reads them relies on.
  fileprivate func isSound(_ table: SymbolNames.Table) -> Bool {
    (0..<256).allSatisfy { first($0, table) <= first($0 + 1, table) } && first(0, table) == 0
      && first(256, table) == table.count
  }

  /// The number of the first hash with such uppermost 8 bits.
  private func first(_ top: Int, _ table: SymbolNames.Table) -> Int {
    Int(UInt32(littleEndian: load(at: table.start + 4 * top)))
  }

  func names(_ top: Int, of table: SymbolNames.Table) -> Range<Int> { first(top, table)..<first(top + 1, table) }

  /// Appends bits 8 to 39 of the hashes with such uppermost 8 bits.
  func appendMiddles(_ top: Int, of table: SymbolNames.Table, to output: inout [UInt32]) {
    let names = names(top, of: table)
    append((table.middles + 4 * names.lowerBound)..<(table.middles + 4 * names.upperBound), to: &output)
  }

  /// The 48 bits of a hash, by its number.
  func hash(_ name: Int, _ top: Int, of table: SymbolNames.Table) -> UInt64 {
    let middle = UInt64(UInt32(littleEndian: load(at: table.middles + 4 * name)))
    return UInt64(top) << 40 | middle << 8 | UInt64(load(at: table.lows + name, as: UInt8.self))
  }
}

// MARK: - Writing it

/// Hashes ordered by their uppermost 8 bits.
private struct SortedHashes {
  let hashes: [UInt64]
  /// Of each value of these bits, and the end.
  private let starts: [Int]

  init(_ hashes: [UInt64]) {
    var starts = [Int](repeating: 0, count: 257)
    var counts = starts.mutableSpan
    for hash in hashes { counts[Int(truncatingIfNeeded: hash >> 56) + 1] += 1 }
    for part in 1...256 { counts[part] += counts[part - 1] }
    self.starts = starts
    var places = starts.mutableSpan
    var sorted = [UInt64](repeating: 0, count: hashes.count)
    var output = sorted.mutableSpan
    for hash in hashes {
      let part = Int(truncatingIfNeeded: hash >> 56)
      output[places[part]] = hash
      places[part] += 1
    }
    self.hashes = sorted
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: 4 * 257 + 5 * hashes.count) { room in
      for start in starts { room.append(littleEndian: UInt32(truncatingIfNeeded: start)) }
      for hash in hashes { room.append(littleEndian: UInt32(truncatingIfNeeded: hash >> 24)) }
      for hash in hashes { room.append(UInt8(truncatingIfNeeded: hash >> 16)) }
    }
  }
}

extension OutputSpan<UInt8> {
  @inline(__always)
  fileprivate mutating func append(littleEndian number: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
