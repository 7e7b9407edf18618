package import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that is open for reading at given offsets, by any number of tasks; closed when the last reference goes.
package final class PositionalFile: Sendable {
  package let path: FilePath
  /// In bytes, when it was opened.
  package let size: Int
  private let descriptor: FileDescriptor
  private let seconds: Int
  private let nanoseconds: Int

  package init(_ path: FilePath) throws(Errno) {
    self.path = path
    do {
      // Not blocking: a pipe is to be refused, not waited for.
      descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw (error as? Errno) ?? .ioError
    }
    do {
      let stat = try descriptor.stat()
      guard stat.type == .regular else { throw Errno.invalidArgument }
      size = Int(stat.size)
      seconds = Int(stat.st_mtim.tv_sec)
      nanoseconds = Int(stat.st_mtim.tv_nsec)
    } catch {
      // Not `deinit`: it does not run for an object that was never finished.
      try? descriptor.close()
      throw (error as? Errno) ?? .ioError
    }
  }

  /// For what reads a file from front to back by itself; good as long as this lives.
  var number: CInt { descriptor.rawValue }

  deinit {
    try? descriptor.close()
  }

  /// Appends up to `count` bytes from `offset` on: fewer only where the file ends.
  package func read(at offset: Int, count: Int, into output: inout OutputSpan<UInt8>) throws(Errno) {
    do {
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
    } catch {
      throw (error as? Errno) ?? .ioError
    }
  }

  /// Up to `count` bytes from `offset` on: fewer only where the file ends.
  package func bytes(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    // No more than there is: a count may be a file's claim.
    let count = max(0, min(count, size - offset))
    do {
      try bytes.append(addingCapacity: count) { (room: inout OutputSpan<UInt8>) in
        try read(at: offset, count: count, into: &room)
      }
    } catch {
      throw (error as? Errno) ?? .ioError
    }
    return bytes
  }

  /// Whether size and modification time still are what they were when the file was opened. (The change time is of no
  /// use here: making or removing another hard link moves it.)
  package func isUnchanged() throws(Errno) -> Bool {
    let stat = try descriptor.stat()
    return Int(stat.size) == size && Int(stat.st_mtim.tv_sec) == seconds && Int(stat.st_mtim.tv_nsec) == nanoseconds
  }
}
