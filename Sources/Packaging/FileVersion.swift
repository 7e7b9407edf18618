import ObjectFiles
import Store

/// What tells a file from what it was, and from others: whoever writes to it, or puts another in its place, changes this.
struct FileVersion: Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
  var size: Int64
  var modified: Int64
  var changed: Int64

  /// A file that was written to just now may be written to again without another time: in nanoseconds.
  private static let settling: Int64 = 2_000_000_000

  init(_ status: FileStatus) {
    (device, inode, size) = (status.device, status.inode, status.size)
    (modified, changed) = (status.modified, status.changed)
  }

  /// `now`: nanoseconds since 1970.
  func isSettled(_ now: Int64) -> Bool { now - max(modified, changed) > FileVersion.settling }
}

extension FileVersion: CustomStringConvertible {
  var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}

// As bytes: 8 for each number, little-endian.
extension FileVersion {
  init(_ reader: inout ByteReader) throws(FormatError) {
    device = try reader.read("device")
    inode = try reader.read("inode")
    size = try reader.read("size")
    modified = try reader.read("time")
    changed = try reader.read("time")
  }

  var numbers: [UInt64] { [device, inode] + [size, modified, changed].map { UInt64(bitPattern: $0) } }
}
