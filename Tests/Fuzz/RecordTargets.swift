import Artifacts
import BuildEngine
import Check
import Collisions
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
      guard let link = SliceLink(bytes) else { return true }
      return SliceLink(link.bytes)?.bytes == link.bytes
    case .plugins:
      guard let count = bytes.first.map(Int.init), let set = PluginSet(bytes, count: count) else { return true }
      return PluginSet(set.bytes, count: count) == set
    case .names:
      // With the right sum: without it nothing more is read.
      let sum = ByteReader(bytes.span).sum(of: 0..<bytes.count)
      let whole = bytes + (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(8 * $0)) }
      guard let names = SymbolNames(EntryBytes(whole)) else { return true }
      return SymbolNames(EntryBytes(names.record))?.slices == names.slices
    default: return true
    }
  }

  private static let outputs: [FilePath] = ["out", "dist/a.zip"]
}
