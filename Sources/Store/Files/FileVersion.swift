/// What tells a file from what it was, and from others: whoever writes to it, or puts another in its place, changes this.
package struct FileVersion: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  package var modified: Int64
  package var changed: Int64

  /// A file that was written to just now may be written to again without another time: in nanoseconds.
  private static let settling: Int64 = 2_000_000_000

  package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, changed: Int64) {
    (self.device, self.inode, self.size, self.modified, self.changed) = (device, inode, size, modified, changed)
  }

  package init(_ status: FileStatus) {
    (device, inode, size) = (status.device, status.inode, status.size)
    (modified, changed) = (status.modified, status.changed)
  }

  /// `now`: nanoseconds since 1970.
  package func isSettled(_ now: Int64) -> Bool { now - max(modified, changed) > FileVersion.settling }
}

extension FileVersion: CustomStringConvertible {
  package var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}
