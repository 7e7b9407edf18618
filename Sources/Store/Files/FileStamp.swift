internal import SystemPackage

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What kind of thing a path names.
package enum FileKind: UInt8, Sendable, Hashable {
  case file = 1
  case folder = 2
  case symlink = 3
  /// A device, socket or pipe: nothing that can be packed.
  case other = 4
}

/// What the system says about a path without opening it. Equal stamps: the same file as then, if it was not racy then. Whoever
/// writes to a file, or puts another in its place, changes its stamp; but the clock that stamps files ticks only now and
/// then, and a file that is changed twice within one tick may look the same both times.
package struct FileStamp: Hashable, Sendable {
  package var kind: FileKind
  /// In bytes; of a link: the length of its target.
  package var size: Int64
  /// The owner's executable bit; the one part of the mode that counts.
  package var executable: Bool
  /// Last change of the content, in nanoseconds since 1970.
  package var modified: Int64
  /// Last change of content, mode, owner or name, in nanoseconds since 1970. Nobody can set it back.
  package var changed: Int64
  package var inode: UInt64
  package var device: UInt64

  package init(
    kind: FileKind, size: Int64, executable: Bool, modified: Int64, changed: Int64, inode: UInt64, device: UInt64
  ) {
    self.kind = kind
    self.size = size
    self.executable = executable
    self.modified = modified
    self.changed = changed
    self.inode = inode
    self.device = device
  }

  init(_ stat: Stat) {
    kind =
      switch stat.type {
      case .regular: .file
      case .directory: .folder
      case .symbolicLink: .symlink
      default: .other
      }
    size = stat.size
    executable = stat.permissions.contains(.ownerExecute)
    modified = FileStamp.nanoseconds(Int64(stat.st_mtim.tv_sec), Int64(stat.st_mtim.tv_nsec))
    changed = FileStamp.nanoseconds(Int64(stat.st_ctim.tv_sec), Int64(stat.st_ctim.tv_nsec))
    inode = UInt64(truncatingIfNeeded: stat.rawValue.st_ino)
    device = UInt64(truncatingIfNeeded: stat.rawValue.st_dev)
  }

  /// Wraps around instead of trapping: a file system may claim any time.
  private static func nanoseconds(_ seconds: Int64, _ rest: Int64) -> Int64 { seconds &* 1_000_000_000 &+ rest }
}

extension FileStamp {
  /// Whether it may be changed without another stamp, told by a time that the disk gave before the file was read, in
  /// nanoseconds since 1970: whatever is changed afterwards gets that time or a later one.
  package func isRacy(disk time: Int64) -> Bool { max(modified, changed) >= time }

  /// The same for a disk whose clock cannot be asked, by the machine's: nanoseconds since 1970.
  package func isRacy(machine now: Int64) -> Bool { max(modified, changed) >= now - FileStamp.coarsestTick }

  /// In nanoseconds: that of FAT, which counts in steps of two seconds.
  private static let coarsestTick: Int64 = 2_000_000_000
}

extension FileStamp: CustomStringConvertible {
  package var description: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}
