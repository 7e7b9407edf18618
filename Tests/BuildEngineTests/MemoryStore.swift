import BuildEngine
import Store
import Synchronization
import SystemPackage

/// A store in memory for the files of a `MemoryDisk`.
final class MemoryStore: OutputStore {
  private struct State {
    var results: [Digest: [UInt8]] = [:]
    var blobs: [Digest: [UInt8]] = [:]
    /// Blobs that turn out to be damaged when they are read.
    var damaged: Set<Digest> = []
  }

  private let disk: MemoryDisk
  private let state = Mutex(State())

  init(_ disk: MemoryDisk) { self.disk = disk }

  // MARK: What tests do

  var resultCount: Int { state.withLock { $0.results.count } }

  func lose(_ text: String) { state.withLock { $0.blobs[Digest(of: Array(text.utf8))] = nil } }

  func damage(_ text: String) { state.withLock { _ = $0.damaged.insert(Digest(of: Array(text.utf8))) } }

  func changeResults(_ change: ([UInt8]) -> [UInt8]) {
    state.withLock { $0.results = $0.results.mapValues(change) }
  }

  // MARK: OutputStore

  func lookUp(_ key: Digest, isHint: Bool) -> StoredRecord? {
    state.withLock { $0.results[key].map { StoredRecord($0) } }
  }

  func keep(_ record: [UInt8], of key: Digest) throws(FileError) { state.withLock { $0.results[key] = record } }

  func flush() throws(FileError) {}

  func obtainBlobs(
    _ blobs: [Digest: Int64], of record: StoredRecord, advance: @escaping @Sendable (Int64, Int64) -> Void
  ) -> Bool {
    state.withLock { state in blobs.allSatisfy { state.blobs[$0].map { Int64($0.count) } == $1 } }
  }

  func keep(file: FilePath, digest: Digest) throws(FileError) {
    guard let bytes = disk.raw(file), Digest(of: bytes) == digest else {
      throw FileError(file, doing: "keep", code: .noSuchFileOrDirectory)
    }
    state.withLock { $0.blobs[digest] = bytes }
  }

  func restore(many files: [RestoredFile], below root: FilePath) async throws -> [Digest] {
    var missing: [Digest] = []
    for file in files {
      if let content = file.content {
        disk.put(file.path, raw: content, executable: file.mode & 0o100 != 0)
        continue
      }
      let blob = state.withLock { $0.damaged.contains(file.digest) ? nil : $0.blobs[file.digest] }
      guard let blob else {
        missing.append(file.digest)
        continue
      }
      disk.put(file.path, raw: blob, executable: file.mode & 0o100 != 0)
    }
    return missing
  }
}
