import CLibrary
package import SystemPackage

/// A file that is open for reading at given offsets, by any number of tasks, as long as there are references.
package final class PositionalFile: Sendable {
  package let path: FilePath
  /// In bytes, when it was opened.
  package var size: Int { Int(opened.size) }
  /// It is open as long as this object lives.
  package let descriptor: FileDescriptor
  private let opened: Stat

  package init(_ path: FilePath) throws(Errno) {
    self.path = path
    // Opening a pipe must not block: it is refused below.
    let descriptor = try system { try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) }
    self.descriptor = descriptor
    do throws(Errno) {
      opened = try descriptor.stat()
      guard opened.type == .regular else { throw Errno.invalidArgument }
    } catch {
      // `deinit` does not run for an object that was never finished.
      try? descriptor.close()
      throw error
    }
  }

  deinit {
    try? descriptor.close()
  }

  /// Appends `count` bytes from `offset` on; fewer at the end of the file.
  package func read(at offset: Int, count: Int, into output: inout OutputSpan<UInt8>) throws(Errno) {
    try system {
      try unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
        let end = min(buffer.count, initialized + count)
        var position = offset
        while initialized < end {
          let rest = unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized..<end])
          let read = try unsafe descriptor.read(fromAbsoluteOffset: Int64(position), into: rest)
          if read == 0 { return }
          initialized += read
          position += read
        }
      }
    }
  }

  /// `count` bytes from `offset` on; fewer at the end of the file.
  package func bytes(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    // The count may be a file's claim, so it is limited by the file's size.
    let count = max(0, min(count, size - offset))
    try system {
      try bytes.append(addingCapacity: count) { (room: inout OutputSpan<UInt8>) in
        try read(at: offset, count: count, into: &room)
      }
    }
    return bytes
  }

  /// Whether size and modification time are the same. (Other hard links would affect the change time.)
  package func isUnchanged() throws(Errno) -> Bool {
    let (stat, before) = (try descriptor.stat(), opened.st_mtim)
    return stat.size == opened.size && stat.st_mtim.tv_sec == before.tv_sec && stat.st_mtim.tv_nsec == before.tv_nsec
  }
}

func availableCores() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

/// SystemPackage throws only the system's numbers, but its functions do not say so.
func system<R>(_ body: () throws -> R) throws(Errno) -> R {
  do { return try body() } catch { throw (error as? Errno) ?? .ioError }
}
