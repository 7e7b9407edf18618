import ObjectFiles
import Store
import SystemPackage

/// What the last check of the same plugins knew: of each where its facts are, and which share names. With it, a check after
/// one plugin has changed compares that one with the others, and not all with all.
package struct PluginRoster: Equatable, Sendable {
  struct Item: Hashable, Sendable {
    var version: FileVersion
    var location: FactsLocation
  }

  /// Nil of a plugin that was not kept.
  var items: [Item?]
  /// Records as they were when they had been written or looked at: of those that are as they were nobody need look again.
  var sound: [Digest: FileVersion] = [:]
  /// By slice.
  var shared: [String: SharedNames] = [:]
}

// As bytes, numbers little-endian: number of plugins 4; for each its device, inode, size and times 8 each, its
// record's key 32, the number of its entry 4 (FFFF FFFF: it was not kept); number of records 4; for each its
// key 32, device, inode, size and times 8 each; number of slices 4; for each the length of its name 4, the name, number of rows
// 4; for each row its number 4 and a bit for each plugin, in words of 8 bytes.
extension PluginRoster {
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add<T: FixedWidthInteger>(_ number: T) {
      for shift in stride(from: 0, to: T.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> T(shift)))
      }
    }
    add(UInt32(items.count))
    for item in items {
      guard let item else {
        bytes += [UInt8](repeating: 0, count: 40 + Digest.byteCount)
        add(UInt32.max)
        continue
      }
      for number in item.version.numbers { add(number) }
      bytes += item.location.record.bytes
      add(UInt32(item.location.number))
    }
    add(UInt32(sound.count))
    for (record, version) in sound.sorted(by: { $0.key < $1.key }) {
      bytes += record.bytes
      for number in version.numbers { add(number) }
    }
    add(UInt32(shared.count))
    for (slice, names) in shared.sorted(by: { $0.key < $1.key }) {
      add(UInt32(slice.utf8.count))
      bytes += Array(slice.utf8)
      add(UInt32(names.rows.count))
      for (number, row) in names.rows.sorted(by: { $0.key < $1.key }) {
        add(UInt32(number))
        for word in row { add(word) }
      }
    }
    return bytes
  }

  /// Nil if these are not the bytes of a roster of so many plugins.
  package init?(_ bytes: [UInt8], count: Int) {
    do throws(FormatError) {
      var reader = ByteReader(bytes.span)
      try self.init(&reader)
    } catch {
      return nil
    }
    guard items.count == count else { return nil }
  }

  private init(_ reader: inout ByteReader) throws(FormatError) {
    let count: UInt32 = try reader.read("number of plugins")
    items = []
    for _ in 0..<count {
      let version = try FileVersion(&reader)
      let record = try PluginRoster.digest(&reader)
      let number: UInt32 = try reader.read("number of an entry")
      guard let record, number != .max else {
        items.append(nil)
        continue
      }
      items.append(Item(version: version, location: FactsLocation(record: record, number: Int(number))))
    }
    shared = [:]
    let records: UInt32 = try reader.read("number of records")
    for _ in 0..<records {
      let (record, version) = (try PluginRoster.digest(&reader), try FileVersion(&reader))
      if let record { sound[record] = version }
    }
    let slices: UInt32 = try reader.read("number of slices")
    for _ in 0..<slices {
      let length: UInt32 = try reader.read("name of a slice")
      let start = reader.offset
      try reader.skip(Int(length), "name of a slice")
      let slice = String(decoding: try reader.copy(start..<reader.offset, "name of a slice"), as: UTF8.self)
      var rows: [Int: [UInt64]] = [:]
      let rowCount: UInt32 = try reader.read("number of rows")
      for _ in 0..<rowCount {
        let number: UInt32 = try reader.read("row")
        let width = (Int(count) + 63) / 64
        rows[Int(number)] = try reader.integers(at: reader.offset, count: width, "row")
        try reader.skip(8 * width, "row")
      }
      shared[slice] = SharedNames(count: Int(count), rows: rows)
    }
  }
}

extension PluginRoster {
  private static func digest(_ reader: inout ByteReader) throws(FormatError) -> Digest? {
    let start = reader.offset
    try reader.skip(Digest.byteCount, "key")
    return Digest(bytes: try reader.copy(start..<reader.offset, "key")[...])
  }
}
