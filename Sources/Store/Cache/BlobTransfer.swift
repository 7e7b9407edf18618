internal import Synchronization
package import SystemPackage

/// A blob that arrives piece by piece, in order. It gets its place in the store only if all of it is as its digest says.
package final class ArrivingBlob: Sendable {
  package let digest: Digest
  /// In bytes.
  package let size: Int64
  private let store: ContentStore
  private let state: Mutex<State>
  /// Is told the size of each piece.
  private let advance: @Sendable (Int) -> Void

  private struct State: ~Copyable {
    var output: OutputFile?
    var hash = DigestBuilder()
    var count: Int64 = 0
    var failure: FileError?
  }

  fileprivate init(
    _ digest: Digest, size: Int64, _ output: consuming OutputFile, _ store: ContentStore,
    _ advance: @escaping @Sendable (Int) -> Void
  ) {
    (self.digest, self.size, self.store, self.advance) = (digest, size, store, advance)
    state = Mutex(State(output: output))
  }

  /// False if no more is wanted: there is more than the blob has, or it cannot be written.
  package func take(_ bytes: RawSpan) -> Bool {
    take(bytes.byteCount) { state throws(FileError) in
      state.hash.update(bytes)
      try state.output?.write(bytes)
    }
  }

  package func take(_ bytes: [UInt8]) -> Bool {
    take(bytes.count) { state throws(FileError) in
      state.hash.update(bytes)
      try state.output?.write(bytes)
    }
  }

  private func take(_ count: Int, _ write: (inout State) throws(FileError) -> Void) -> Bool {
    advance(count)
    return state.withLock { state in
      state.count += Int64(count)
      guard state.count <= size, state.failure == nil else { return false }
      do throws(FileError) { try write(&state) } catch { state.failure = error }
      return state.failure == nil
    }
  }

  /// The bytes that have arrived.
  package var count: Int64 { state.withLock { $0.count } }

  /// Why it could not be written here.
  package var failure: FileError? { state.withLock { $0.failure } }

  /// Puts the blob in its place, to be called once; false if these are other bytes than the digest's. Throws if the store
  /// cannot be written.
  package func finish() throws(FileError) -> Bool {
    let (isRight, failure) = state.withLock { ($0.count == size && $0.hash.finish() == digest, $0.failure) }
    if let failure { throw failure }
    guard isRight, let output = state.withLock({ $0.output.take() }) else { return false }
    try store.place(output, at: store.path(.blobs, digest), size: size)
    return true
  }
}

/// A blob that is read from its start on, as often as asked.
package final class LeavingBlob: Sendable {
  /// In bytes.
  package let size: Int64
  private let content: Content

  private enum Content {
    case file(StoredFile)
    case bytes([UInt8])
  }

  fileprivate init(_ file: StoredFile) { (content, size) = (.file(file), file.size) }

  package init(_ bytes: [UInt8]) { (content, size) = (.bytes(bytes), Int64(bytes.count)) }

  /// A file of any folder; nil if it cannot be opened. Who gets it checks that it was not changed meanwhile.
  package convenience init?(_ path: FilePath) {
    guard let file = StoredFile.open(path) else { return nil }
    self.init(file)
  }

  deinit { if case .file(let file) = content { file.close() } }

  /// Nil if it cannot be read.
  package func read(at offset: Int64, atMost count: Int) -> [UInt8]? {
    let part = Int(offset)..<Int(max(offset, min(size, offset + Int64(count))))
    return switch content {
    case .file(let file): file.read(part)
    case .bytes(let bytes): part.upperBound <= bytes.count ? Array(bytes[part]) : nil
    }
  }
}

extension ContentStore {
  package func receive(
    _ digest: Digest, size: Int64, advance: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(FileError) -> ArrivingBlob {
    try checkRoom(for: size, path(.blobs, digest))
    return ArrivingBlob(digest, size: size, try newFile(), self, advance)
  }

  /// Keeps bytes that have this digest.
  package func keep(blob bytes: [UInt8], digest: Digest) throws(FileError) {
    let place = path(.blobs, digest)
    try checkRoom(for: Int64(bytes.count), place)
    let output = try newFile()
    try output.write(bytes)
    try self.place(output, at: place, size: Int64(bytes.count))
  }

  /// Nil if it is not there, or damaged, which is found out here: others would get it under a wrong name for ever.
  package func send(_ digest: Digest, size: Int64) -> LeavingBlob? {
    guard isOurs, let file = StoredFile.open(path(.blobs, digest)) else { return nil }
    guard file.size == size, (try? FileSystem.digest(of: file.file, path(.blobs, digest))) == digest else {
      file.close()
      return nil
    }
    return LeavingBlob(file)
  }
}
