import Check
import BuildEngine
import ObjectFiles
import Store
import SystemPackage

// What is kept in a store. What could be read is written and read again, and is the same.
extension FuzzTarget {
  func isSoundRecord(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .result:
      guard let result = StoredResult(bytes, outputs: FuzzTarget.outputs) else { return true }
      return StoredResult(result.bytes, outputs: FuzzTarget.outputs) == result
    case .outcome:
      guard let outcome = SliceOutcome(bytes) else { return true }
      return SliceOutcome(outcome.bytes)?.bytes == outcome.bytes
    case .roster:
      guard let count = bytes.first.map(Int.init), let roster = PluginRoster(bytes, count: count) else { return true }
      return PluginRoster(roster.bytes, count: count) == roster
    case .names: return names(bytes)
    default: return true
    }
  }

  private static let outputs: [FilePath] = ["out", "dist/a.zip"]

  /// With the right checksum: without it nothing more is read.
  private func names(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12 else { return true }
    var bytes = bytes
    let sum = ByteReader(bytes.span).sum(of: 12..<bytes.count)
    for index in 0..<8 { bytes[4 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
    guard let record = NameRecord(MappedFile(bytes, path: "x"), isSound: false) else { return true }
    guard record.facts.count == record.count else { return false }
    _ = record.nameCounts(of: Array(0..<min(record.count, 4)))
    return record.slices.indices.prefix(4).allSatisfy { slice in
      let count = record.nameCount(slice: slice)
      let some = record.names(of: [Bool](repeating: true, count: record.count), slice: slice)
      guard some.count <= count, some.allSatisfy({ $0.owner < record.count }) else { return false }
      return record.find(some.map(\.hash)[...], slice: slice).allSatisfy { $0.owner < record.count }
    }
  }
}
