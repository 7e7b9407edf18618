package import Store
package import SystemPackage

/// The whole decision of a run in which nothing was to be done, kept with all that it followed from: the question (what
/// was asked, of whom, in which environment) and everything that the run looked at. If all of that is the same again,
/// so is the answer, and neither the manifest nor the log need be read. It is a short cut only: without it the same is
/// decided.
///
/// A file is the same if its status is (`StatCache` says why that is enough, and the rule about the clock's ticks holds
/// here for all files together); of a folder the names are read again, because not every file system gives a folder a
/// new time with each name.
///
/// In `.npi/settled`: a line that names the format, the seal of all that follows, the digest of the question, the answer
/// (length in 8 bytes), then sights (`SightWriter`). A file that is damaged, or somebody else's, is no file.
package struct NothingToDo: Sendable {
  private let root: FilePath
  private let disk: any Disk
  private let seal: Seal
  /// Everything besides the disk that the answer depends on.
  private let question: Digest
  private let answer: String
  /// What was read besides what a step reads: the manifest, what it extends, the program itself.
  private let sources: [FilePath]
  /// Those whose content was used before the disk was asked for its time, with the digest of what was read then.
  private let read: [(path: FilePath, digest: Digest)]

  package init(
    root: FilePath, question: Digest, answer: String, sources: [FilePath], read: [(path: FilePath, digest: Digest)],
    seal: Seal, disk: any Disk
  ) {
    self.root = root
    self.question = question
    self.answer = answer
    self.sources = sources
    self.read = read
    self.seal = seal
    self.disk = disk
  }

  fileprivate static let header = Array("npi-pack settled 2\n".utf8)

  static func file(_ root: FilePath) -> FilePath { root.pushing(Graph.stateFolder).appending("settled") }

  /// The disk's time before a run looks at anything, in nanoseconds. The folder of the state must be there.
  func stamp() -> Int64? {
    let folder = root.pushing(Graph.stateFolder).appending("clock")
    do {
      try disk.makeFolders(folder)
      let time = try disk.status(folder, followingLinks: false)?.changed
      try disk.remove(folder)
      return time
    } catch {
      // Then nothing is kept.
      return nil
    }
  }

  /// Keeps the answer of a run that looked at what the view has seen, all of it after the stamp.
  func save(_ view: DiskView, stamp: Int64) throws(FileError) {
    // What a run does before it decides: these must be as it leaves them.
    let state = Graph.stateFolder
    _ = try view.status(state.appending(".gitignore"))
    _ = try view.status(state.appending("log"))
    _ = try view.status(state.appending("aside"))
    _ = try view.list(state.appending("tmp"))
    for path in sources { _ = try view.target(path) }
    for (path, digest) in read {
      // Known only now to be of the file as it was after the stamp.
      _ = try view.target(path)
      guard try disk.digest(view.absolute(path)) == digest else { return }
    }
    let glance = try disk.glance(at: root)
    var writer = SightWriter()
    // Neighbours are found quickly one after the other.
    let sights = view.sights.map { (sight: $0, bytes: $0.path.pathBytes) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    for (sight, _) in sights {
      guard try writer.add(sight, stamp: stamp, glance) else { return }
    }
    let text = Array(answer.utf8)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
    let payload = question.bytes + length + text + writer.bytes
    try disk.write(NothingToDo.file(root), NothingToDo.header + seal(payload) + payload)
  }

  /// An answer that was kept, to be looked over.
  package struct Kept: Sendable {
    private let root: FilePath
    private let disk: any Disk
    private let bytes: [UInt8]
    /// Where the sights begin.
    private let sights: Int
    private let answer: String

    /// Nil if there is none to this question. Changes nothing on the disk.
    package init?(_ question: Digest, root: FilePath, seal: Seal, disk: any Disk) {
      guard let bytes = try? disk.read(NothingToDo.file(root)) else { return nil }
      let start = NothingToDo.header.count + Seal.size
      let head = start + Digest.byteCount + 8
      guard bytes.starts(with: NothingToDo.header), bytes.count >= head,
        seal(Array(bytes[start...])).elementsEqual(bytes[NothingToDo.header.count..<start]),
        Digest(bytes: bytes[start..<(start + Digest.byteCount)]) == question
      else { return nil }
      let length = bytes[(head - 8)..<head].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard length <= UInt64(bytes.count - head) else { return nil }
      self.root = root
      self.disk = disk
      self.bytes = bytes
      sights = head + Int(length)
      answer = String(decoding: bytes[head..<sights], as: UTF8.self)
    }

    /// The answer, if all is as it was; else nil. Whoever asks keeps everybody out of the tree.
    package func answerIfSame() -> String? {
      guard let glance = try? disk.glance(at: root) else { return nil }
      var check = SightCheck(bytes, from: sights)
      return check.isSame(glance) ? answer : nil
    }
  }
}
