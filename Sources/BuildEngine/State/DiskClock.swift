import Store
import Synchronization
import SystemPackage

/// What time the disk has, as it stamps what changes: that clock may be another machine's, and often ticks only every
/// few milliseconds.
final class DiskClock: Sendable {
  private let disk: any Disk
  /// The folder in which it makes, looks at and removes a folder to learn the time.
  private let folder: FilePath
  private let hasTicked = Mutex(false)

  init(_ disk: any Disk, in folder: FilePath) {
    self.disk = disk
    self.folder = folder
  }

  /// In nanoseconds since 1970. The first time it waits for the clock to tick, for a short while: then whatever was
  /// changed before that call is older than the result, not as old. `name` is unique among those who ask at once.
  func now(_ name: String) async throws -> Int64? {
    let first = try look(name)
    if hasTicked.withLock({ $0 }) { return first }
    var time = first
    // Some file systems tick once in a second: not worth it.
    for _ in 0..<20 where time == first {
      try await Task.sleep(for: .milliseconds(1))
      time = try look(name)
    }
    hasTicked.withLock { $0 = true }
    return time
  }

  private func look(_ name: String) throws(FileError) -> Int64? {
    let place = folder.appending(name)
    try disk.makeFolders(place)
    let time = try disk.status(place, followingLinks: false)?.changed
    try disk.remove(place)
    return time
  }
}
