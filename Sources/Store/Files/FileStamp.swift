package import SystemPackage

extension FileType {
  private static let recorded: [FileType] = [
    .regular, .directory, .symbolicLink, .fifo, .socket, .characterSpecial, .blockSpecial,
  ]

  /// The number that stands for the type in records and keys; 0 for one that this machine alone knows.
  package var recordByte: UInt8 { UInt8((FileType.recorded.firstIndex(of: self) ?? -1) + 1) }

  package init?(recordByte: UInt8) {
    guard recordByte > 0, recordByte <= FileType.recorded.count else { return nil }
    self = FileType.recorded[Int(recordByte) - 1]
  }

  /// A device, socket or pipe: nothing that can be packed.
  package var isSpecial: Bool { self != .regular && self != .directory && self != .symbolicLink }
}

/// A path's metadata, read without opening it. Equal stamps mean an unchanged file, if the first one was not racy.
/// Every write to a file and every replacement changes its stamp; but the clock that stamps files ticks slowly, and a
/// file that is changed twice within one tick may have the same stamp both times.
package struct FileStamp: Hashable, Sendable, CustomStringConvertible {
  package var kind: FileType
  /// In bytes; for a link, the length of its target.
  package var size: Int64
  /// The owner's executable bit; the one part of the mode that counts.
  package var executable: Bool
  /// Last change of the content, in nanoseconds since 1970.
  package var modified: Int64
  /// Last change of content, mode, owner or name, in nanoseconds since 1970. It cannot be set back.
  package var changed: Int64
  package var inode: UInt64
  package var device: UInt64

  package var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}

extension FileStamp {
  init(_ stat: Stat) {
    kind = stat.type
    size = stat.size
    executable = stat.permissions.contains(.ownerExecute)
    modified = SystemCalls.nanoseconds(stat.st_mtim)
    changed = SystemCalls.nanoseconds(stat.st_ctim)
    inode = UInt64(truncatingIfNeeded: stat.inode.rawValue)
    device = UInt64(truncatingIfNeeded: stat.deviceID.rawValue)
  }

  /// Whether the file may change without changing its stamp. `time` is the disk's time before the file was read, in
  /// nanoseconds since 1970: later changes get that time or a later one.
  package func isRacy(disk time: Int64) -> Bool { max(modified, changed) >= time }

  /// The same by the machine's clock, in nanoseconds since 1970, for a disk whose clock cannot be asked.
  package func isRacy(machine now: Int64) -> Bool { max(modified, changed) >= now - FileStamp.coarsestTick }

  /// FAT counts in steps of two seconds; in nanoseconds.
  package static let coarsestTick: Int64 = 2_000_000_000
}

package struct FileAccess: Hashable, Sendable {
  package let owner: UInt32
  package let mode: UInt16
  /// The number of hard links; the others may lie anywhere.
  package let names: Int

  init(_ stat: Stat) {
    owner = stat.userID.rawValue
    mode = UInt16(truncatingIfNeeded: stat.mode.rawValue) & 0o777
    names = stat.linkCount
  }

  /// True if this user owns it, and no other user may write to it.
  package var isOwn: Bool { owner == SystemCalls.userID && mode & 0o022 == 0 }
  /// True if this user owns it, and no other user may read or write it.
  package var isPrivate: Bool { owner == SystemCalls.userID && mode & 0o077 == 0 }
}
