package import SystemPackage

/// A folder that stays open, for looking at many things below it. Names are relative to it or absolute; they stand in an
/// array, each with a zero byte at its end.
package final class OpenFolder: Sendable {
  package let path: FilePath
  private let file: FileDescriptor

  package init(_ path: FilePath) throws(FileError) {
    self.path = path
    do { file = try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec]) } catch {
      throw FileError(path, doing: "open", code: error as? Errno ?? .ioError)
    }
  }

  deinit { try? file.close() }

  /// As `FileSystem.status`.
  package func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStatus? {
    do throws(Errno) {
      return try SystemCalls.status(file, names, at: offset, followingLinks: followingLinks)
    } catch {
      if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
      throw FileError(path, doing: "look into", code: error)
    }
  }

  /// The names in a folder without `.` and `..`, in the order of the file system, each with a zero byte at its end.
  package func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8] {
    do throws(Errno) { return try SystemCalls.names(below: file, names, at: offset) } catch {
      throw FileError(path, doing: "look into", code: error)
    }
  }
}
