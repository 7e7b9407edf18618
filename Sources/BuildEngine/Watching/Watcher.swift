package import Store

package final class Watcher: Sendable {
  private let watch: FolderWatch

  package init() throws(FileError) { watch = try FolderWatch() }

  /// Changes to these files from now on are not missed.
  package func watch(_ files: WatchedFiles) throws(FileError) {
    try watch.watch(files.folders, files: files.files.filter { $0.value != nil }.keys)
  }

  /// Saving all files, or switching branches, changes many files; the wait ends when no more change.
  private static let quiet = Duration.milliseconds(100)
  private static let longest = Duration.seconds(2)

  /// The changes since `before` that `look` finds, once no more come; nil if the task was cancelled.
  package func changes(
    since before: WatchedFiles, _ look: () async -> WatchedFiles
  ) async throws -> [WatchedChange]? {
    var events = watch.changes.makeAsyncIterator()
    while !Task.isCancelled {
      // Changes may also have come during the build, before the first wait.
      if !(try await watched(look()).changes(since: before)).isEmpty {
        await settle()
        let changes = try await watched(look()).changes(since: before)
        if !changes.isEmpty { return changes }
      }
      guard await events.next() != nil else { return nil }
    }
    return nil
  }

  private func watched(_ files: WatchedFiles) throws(FileError) -> WatchedFiles {
    try watch(files)
    return files
  }

  private func settle() async {
    let clock = ContinuousClock()
    let first = clock.now
    var count: Int
    repeat {
      count = watch.count
      try? await Task.sleep(for: Watcher.quiet)
    } while watch.count != count && first.duration(to: clock.now) < Watcher.longest && !Task.isCancelled
  }
}
