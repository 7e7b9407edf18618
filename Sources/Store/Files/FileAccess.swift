package import SystemPackage

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Who may do what with a thing, and under how many names it is known.
package struct FileAccess: Hashable, Sendable {
  /// The owner's number.
  package let owner: UInt32
  /// The permission bits: `0o755`.
  package let mode: UInt16
  /// How many names it has; others than the one that it was found by may lie anywhere.
  package let names: Int

  init(_ stat: Stat) {
    owner = UInt32(truncatingIfNeeded: stat.rawValue.st_uid)
    mode = UInt16(truncatingIfNeeded: stat.rawValue.st_mode) & 0o777
    names = Int(clamping: stat.rawValue.st_nlink)
  }

  /// This user's own, and nobody else may change it.
  package var isOwn: Bool { owner == SystemCalls.userID && mode & 0o022 == 0 }
  /// Nobody else may so much as look at it.
  package var isPrivate: Bool { owner == SystemCalls.userID && mode & 0o077 == 0 }
}

extension FileSystem {
  /// Nil if nothing is there. A link is not followed unless that is asked for.
  package static func access(
    of path: FilePath, followingLinks: Bool = false
  ) throws(FileError) -> FileAccess? {
    do throws(Errno) { return FileAccess(try Stat(path, followTargetSymlink: followingLinks)) } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw FileError(path, doing: "look at", code: error)
    }
  }

  /// Of an open file.
  static func access(_ file: FileDescriptor, _ path: FilePath) throws(FileError) -> FileAccess {
    do throws(Errno) { return FileAccess(try Stat(file)) } catch {
      throw FileError(path, doing: "look at", code: error)
    }
  }
}
