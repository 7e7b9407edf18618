package import SystemPackage

/// Where a blob, or a content that is at hand, is to be written to.
package struct RestoredFile: Hashable, Sendable {
  package var digest: Digest
  /// In bytes.
  package var size: Int64
  package var path: FilePath
  /// The permission bits.
  package var mode: UInt16
  /// Nil: the blob's.
  package var content: [UInt8]?

  package init(digest: Digest, size: Int64, path: FilePath, mode: UInt16 = 0o644, content: [UInt8]? = nil) {
    self.digest = digest
    self.size = size
    self.path = path
    self.mode = mode
    self.content = content
  }
}

extension ContentStore {
  /// Restores many blobs below a folder, several at a time and the large ones first. Gives the digests of those that are not there: if
  /// one is known to be missing before anything was written, then nothing was written; if one is found to be damaged
  /// later, some files are in their places and some are not. An error or the task's end ends the others soon.
  package func restore(many files: [RestoredFile], below root: FilePath) async throws -> [Digest] {
    let missing = files.filter { $0.content == nil && !contains($0.digest, size: $0.size) }.map(\.digest)
    guard missing.isEmpty else { return missing }
    let root = try OpenFolder(root)
    var queue = files.sorted { $0.size > $1.size }[...]
    return try await withThrowingTaskGroup(of: Digest?.self) { group in
      var missing: [Digest] = []
      var running = 0
      while true {
        while running < ContentStore.restoresAtOnce, let file = queue.popFirst() {
          group.addTask { try put(file, below: root) ? nil : file.digest }
          running += 1
        }
        guard let digest = try await group.next() else { return missing }
        running -= 1
        guard let digest else { continue }
        missing.append(digest)
        queue = []
      }
    }
  }

  /// False if the blob is not there.
  private func put(_ file: RestoredFile, below root: OpenFolder) throws -> Bool {
    try Task.checkCancellation()
    guard let content = file.content else { return try restore(file, below: root) }
    let output = try OutputFile.create(file.path, below: root)
    try output.setMode(file.mode)
    try output.write(content)
    try output.commitUnsynced()
    return true
  }

  /// The system runs as many as it has processors; where it reads from a slow disk, a few more do no harm.
  private static let restoresAtOnce = 8
}
