package import Store
import Synchronization
package import SystemPackage

/// A cache that spares a build with nothing to do from reading files: digests of files by their stamps, and the whole
/// decision of a build that had nothing to do. Without it every file is read, with the same result.
///
/// A stamp is remembered only if it was not racy when its file was read (`FileStamp.isRacy(disk:)`). Times are compared
/// with each other and with the disk's, never with this machine's clock, which may be set back.
///
/// `.npi/state`: a line that names the format, then two records under the folder's seal (`RecordWriter`). The first is
/// the decision: the digest of the question, the answer, then all it followed from (`Observation`), by path; empty if
/// there was work. The second has path, stamp and digest of each file. A damaged file, or another user's, counts as
/// missing.
package final class TreeState: Sendable {
  /// The decision that is remembered if the build has nothing to do.
  package struct Conclusion: Sendable {
    /// Everything besides the disk that the decision depends on.
    let question: Digest
    let answer: String
    /// The files that were read besides steps' inputs: the manifest, what it extends, the program itself.
    let sources: [FilePath]
    /// The sources that were used before the disk was asked for its time, with the digests of what was read then.
    let read: [(path: FilePath, digest: Digest)]

    package init(
      question: Digest, answer: String, sources: [FilePath], read: [(path: FilePath, digest: Digest)]
    ) {
      self.question = question
      self.answer = answer
      self.sources = sources
      self.read = read
    }
  }

  private let disk: any Disk
  private let seal: Seal
  private let writes: Bool
  private let conclusion: Conclusion?
  private let memory: Mutex<Memory>

  private struct Memory {
    var files: [FilePath: (stamp: FileStamp, digest: Digest)] = [:]
    var decision = RecordWriter()
    var isChanged = false
    /// The disk's times before the run, and before it read the first file, in nanoseconds since 1970.
    var began: Int64?
    var read: Int64?
    var hasRead = false
  }

  private static let header = Array("npi-pack state 1\n".utf8)

  private static func file(_ disk: any Disk) -> FilePath { disk.root.pushing(Graph.stateFolder).appending("state") }

  /// - Parameters:
  ///   - writes: false for a run that changes no files; nothing new is remembered then.
  ///   - conclusion: if nil, the decision is not remembered.
  package init(_ disk: any Disk, seal: Seal, writes: Bool, conclusion: Conclusion? = nil) {
    self.disk = disk
    self.seal = seal
    self.writes = writes
    self.conclusion = conclusion
    memory = Mutex(Memory(files: TreeState.files(disk, seal) ?? [:]))
  }

  private static func files(_ disk: any Disk, _ seal: Seal) -> [FilePath: (stamp: FileStamp, digest: Digest)]? {
    // A state that cannot be read counts as empty.
    guard (try? disk.status(file(disk), followingLinks: false))?.kind == .regular,
      let bytes = try? disk.read(file(disk)),
      bytes.starts(with: header)
    else { return nil }
    var reader = RecordReader(bytes[header.count...])
    guard let decision = reader.number(), reader.take(Seal.size + decision) != nil,
      var entries = reader.record(under: seal)
    else { return nil }
    var files: [FilePath: (stamp: FileStamp, digest: Digest)] = [:]
    while !entries.isAtEnd {
      guard let path = entries.path(), let stamp = entries.stamp(), let digest = entries.digest() else { return nil }
      files[path] = (stamp, digest)
    }
    return files
  }

  /// Called when a run begins, before it looks at anything.
  func begin() {
    if conclusion != nil { memory.withLock { $0.began = time() } }
  }

  /// Nil if nothing new is remembered.
  private func time() -> Int64? {
    writes ? try? disk.time(disk.root.pushing(Graph.stateFolder).appending("clock")) : nil
  }

  /// The digest of the file that is known as `path` and lies at `place`. The stamp was taken before this call.
  package func digest(of path: FilePath, at place: FilePath, _ stamp: FileStamp) throws(FileError) -> Digest {
    if let known = memory.withLock({ $0.files[path] }), known.stamp == stamp { return known.digest }
    let time = memory.withLock { memory in
      if !memory.hasRead { memory.read = self.time() }
      memory.hasRead = true
      return memory.read
    }
    let digest = try disk.digest(place)
    if let time, stamp.kind == .regular, !stamp.isRacy(disk: time) {
      memory.withLock {
        $0.files[path] = (stamp, digest)
        $0.isChanged = true
      }
    }
    return digest
  }

  /// Remembers the conclusion with the view's observations, all of which were made after the run began.
  func conclude(_ view: DiskView) throws(FileError) {
    guard let conclusion, let began = memory.withLock({ $0.began }) else { return }
    // A run touches these before it decides, so they must be as it leaves them.
    let state = Graph.stateFolder
    _ = try view.status(state.appending(".gitignore"))
    _ = try view.status(state.appending("log"))
    _ = try view.status(state.appending("aside"))
    _ = try view.list(state.appending("tmp"))
    for path in conclusion.sources { _ = try view.target(path) }
    for (path, digest) in conclusion.read {
      // The digest was taken before the beginning, so the file is checked again.
      _ = try view.target(path)
      guard try disk.digest(view.absolute(path)) == digest else { return }
    }
    var decision = RecordWriter()
    decision.add(conclusion.question)
    decision.add(conclusion.answer)
    for observation in Observation.inOrder(view.observations) {
      guard try observation.write(to: &decision, since: began, disk) else { return }
    }
    memory.withLock { [decision] in
      $0.decision = decision
      $0.isChanged = true
    }
  }

  /// Writes the state, if it has changed.
  func save() throws(FileError) {
    let memory = memory.withLock { memory in
      defer { memory.isChanged = false }
      return memory
    }
    guard writes, memory.isChanged else { return }
    var files = RecordWriter()
    for (path, known) in memory.files {
      files.add(path)
      files.add(known.stamp)
      files.add(known.digest)
    }
    var writer = RecordWriter()
    writer.add(memory.decision, under: seal)
    writer.add(files, under: seal)
    try disk.write(TreeState.file(disk), TreeState.header + writer.bytes)
  }
}

extension TreeState {
  /// A remembered decision, to be checked before it is used.
  package struct Decision: Sendable {
    private let bytes: [UInt8]
    private let observations: RecordReader
    private let answer: String

    /// Nil if no decision on this question is remembered. Only the state file is read.
    package init?(on question: Digest, _ disk: any Disk, _ seal: Seal) {
      guard let bytes = try? disk.read(TreeState.file(disk)), bytes.starts(with: TreeState.header) else { return nil }
      var reader = RecordReader(bytes[TreeState.header.count...])
      guard var record = reader.record(under: seal), record.digest() == question, let answer = record.text() else {
        return nil
      }
      self.bytes = bytes
      self.answer = answer
      observations = record
    }

    /// The answer if all observations still hold; else nil. The caller keeps other builds out of the tree.
    package func answerIfSame(_ disk: any Disk) -> String? {
      var observations = observations
      while !observations.isAtEnd {
        guard (try? Observation.isSame(&observations, of: bytes, disk)) ?? false else { return nil }
      }
      return answer
    }
  }
}
