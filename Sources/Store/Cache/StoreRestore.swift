package import SystemPackage

/// A file to restore from a blob, or from a content in memory.
package struct RestoredFile: Hashable, Sendable {
  package var digest: Digest
  /// In bytes.
  package var size: Int64
  package var path: FilePath
  package var mode: UInt16
  /// If nil, the blob's content is used.
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
  /// Restores many blobs below a folder, several at a time and the large ones first. Returns the digests of those that
  /// are missing. If one is known to be missing beforehand, nothing is written; if one is found to be damaged later,
  /// some files are restored and some are not. An error or the task's cancellation ends the others soon.
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

  /// Only as many run as there are processors; a few more do no harm while they wait for a slow disk.
  private static let restoresAtOnce = 8
}
