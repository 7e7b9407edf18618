package import Store
package import SystemPackage

/// Where outputs are kept by what they were made of: in memory in tests, `ContentStore` else. It may lose anything at any
/// time, and is called from several tasks at once.
package protocol OutputStore: Sendable {
  /// The record that was kept last under this key.
  func result(of key: Digest) -> [UInt8]?
  func keep(result record: [UInt8], of key: Digest) throws(FileError)

  /// As these, for results of no more than `largestSmallResult` bytes, at less cost.
  func smallResult(of key: Digest) -> [UInt8]?
  func keep(small record: [UInt8], of key: Digest) throws(FileError)
  static var largestSmallResult: Int { get }
  /// Nothing more is kept for now: what still is on its way is written.
  func flush() throws(FileError)

  func contains(_ blob: Digest, size: Int64) -> Bool
  /// Keeps a file's content, which has this digest; `isFresh`: it was digested just now.
  func keep(file: FilePath, digest: Digest, isFresh: Bool) throws(FileError)
  /// Writes blobs to their places below a folder, each in one go, and makes the folders above them. Gives those that are not there:
  /// then some files are in their places and some are not.
  func restore(many files: [RestoredFile], below root: FilePath) async throws -> [Digest]
}

extension ContentStore: OutputStore {}
