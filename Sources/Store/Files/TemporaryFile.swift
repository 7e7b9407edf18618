internal import Synchronization
package import SystemPackage

/// A file without a name: room on the disk that is given back when it is dropped or the process ends in any way.
package struct TemporaryFile: ~Copyable {
  /// Open for reading and writing; valid as long as this is kept.
  package let file: FileDescriptor
  let folder: FilePath

  package static func create(in folder: OpenFolder) throws(FileError) -> TemporaryFile {
    while true {
      let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
      guard let name = FilePath.Component("\(SystemCalls.processID)-\(number).npi-tmp") else { continue }
      do throws(Errno) {
        let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate, .append]
        let file = try SystemCalls.open(
          folder.file, name, FileDescriptor.AccessMode.readWrite.rawValue | options.rawValue, mode: 0o600)
        try? SystemCalls.remove(folder.file, name, isFolder: false)
        return TemporaryFile(file: file, folder: folder.path)
      } catch {
        if error == .fileExists { continue }
        throw FileError(folder.path, doing: "make a temporary file in", code: error)
      }
    }
  }

  package func size() throws(FileError) -> Int64 { try FileSystem.status(file, folder).size }

  /// Where it lies as long as this is kept, for one that reads files by their paths. One at a time: some systems have one
  /// position in it for all.
  package func path() throws(FileError) -> FilePath {
    do { try file.seek(offset: 0, from: .start) } catch {
      throw FileError(folder, doing: "read a temporary file in", code: error as? Errno ?? .ioError)
    }
    return FilePath("/dev/fd/\(file.rawValue)")
  }

  /// Adds to the end.
  package func append(_ bytes: RawSpan) throws(FileError) {
    try FileError.wrap(folder, doing: "write a temporary file in", try SystemCalls.write(file, bytes, at: nil))
  }

  /// Adds to the end.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    try FileError.wrap(folder, doing: "write a temporary file in", try SystemCalls.write(file, bytes, at: nil))
  }

  /// `count` bytes from `offset` on, fewer at the end.
  package func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    try FileSystem.read(file, folder, at: offset, count: count)
  }

  deinit { try? file.close() }

  private static let counter = Atomic<Int>(0)
}
