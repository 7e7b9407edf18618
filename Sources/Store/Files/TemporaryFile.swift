package import SystemPackage

/// A file without a name, whose disk space is released with this value, or when the process ends in any way.
package struct TemporaryFile: ~Copyable {
  /// Open for reading and writing; valid as long as this is kept.
  package let file: FileDescriptor
  let folder: FilePath

  package init(in folder: OpenFolder) throws(FileError) {
    self.folder = folder.path
    let name: FilePath
    (file, name) = try folder.createNew(
      .append, permissions: FileSystem.privateFile, doing: "make a temporary file in", folder.path
    ) { "\(SystemCalls.processID)-\($0).npi-tmp" }
    try? SystemCalls.remove(name, in: folder.file)
  }

  package func size() throws(FileError) -> Int64 { try FileSystem.status(file, folder).size }

  package func append(_ bytes: RawSpan) throws(FileError) {
    try FileError.wrap(folder, doing: "write a temporary file in", try SystemCalls.write(file, bytes, at: nil))
  }

  package func append(_ bytes: [UInt8]) throws(FileError) {
    try FileError.wrap(folder, doing: "write a temporary file in", try SystemCalls.write(file, bytes, at: nil))
  }

  /// `count` bytes from `offset` on, fewer at the end.
  package func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    try FileSystem.read(file, folder, at: offset, count: count)
  }

  deinit { try? file.close() }
}
