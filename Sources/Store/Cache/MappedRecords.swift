extension ContentStore {
  /// Keeps a record that is too large to be hashed each time it is wanted: `write` adds to it, up to so many bytes in all.
  /// Whoever maps it tells by what is in it whether it is damaged.
  package func keep(
    mapped key: Digest, atMost size: Int64, _ write: (inout OutputFile) throws(FileError) -> Void
  ) throws(FileError) {
    try checkRoom(for: size, folder)
    var output = try newFile()
    try write(&output)
    let count = output.position
    try place(output, at: path(.maps, key), size: count)
  }

  /// What was kept last with `keep(mapped:)`; nil if it is not there.
  package func mapped(_ key: Digest) -> MappedFile? {
    guard isOurs, let file = StoredFile.open(path(.maps, key)) else { return nil }
    defer { file.close() }
    guard file.size <= ContentStore.largestMapped else { return nil }
    file.use()
    return try? MappedFile.open(path(.maps, key))
  }

  /// In bytes. A file that holds nothing can claim to be of any size, and its sum would be asked for.
  private static let largestMapped: Int64 = 1 << 30

  /// As long as the system says the same of a record, nobody has written to it. Nil if it is not there.
  package func status(ofMapped key: Digest) -> FileStatus? { (try? FileSystem.status(of: path(.maps, key))) ?? nil }
}
