package import Store
import Synchronization
package import SystemPackage

/// The digests of files that have not changed since they were last read, told by what the system says of them: size,
/// times of content and status, inode and device. It is a short cut only: without it everything is read and the same is
/// decided.
///
/// A file that is written to twice within one tick of the disk's clock can look the same both times. So a digest is kept
/// only if the file's last change is older than a time that the disk gave before the file was read: whatever is changed
/// afterwards gets a later time. Times are compared for equality and never with this machine's clock, which may be set
/// back.
///
/// In `.npi/stats`: a line that names the format, the seal of all that follows, then for each file its path, status and
/// digest (`RecordWriter`). A file that is damaged, or somebody else's, is no file.
package final class StatCache: Sendable {
  private let file: FilePath
  private let disk: any Disk
  private let seal: Seal
  /// Nil for a run that writes nothing: then nothing new is kept.
  private let clock: FilePath?
  private let state: Mutex<State>

  private struct State {
    var entries: [FilePath: Entry]
    var isChanged = false
    /// The disk's time before the first file was read, in nanoseconds.
    var stamp: Int64?
    var hasStamp = false
  }

  private struct Entry {
    let status: FileStatus
    let digest: Digest
  }

  private static let header = Array("npi-pack stats 2\n".utf8)

  /// - Parameters:
  ///   - file: where it is kept.
  ///   - clock: a name in a folder that is there, for learning the disk's time; nil if nothing may be written.
  package init(_ file: FilePath, clock: FilePath?, seal: Seal, disk: any Disk) {
    self.file = file
    self.clock = clock
    self.disk = disk
    self.seal = seal
    // What cannot be read is not known.
    let bytes = (try? disk.status(file, followingLinks: false))?.kind == .file ? try? disk.read(file) : nil
    state = Mutex(State(entries: bytes.flatMap { StatCache.entries($0, seal) } ?? [:]))
  }

  /// The digest of a file. `status` was asked for before this call; `path` is what the file is known by, `place` where it
  /// is.
  package func digest(of path: FilePath, at place: FilePath, _ status: FileStatus) throws(FileError) -> Digest {
    if let entry = state.withLock({ $0.entries[path] }), entry.status == status { return entry.digest }
    let stamp = stampOnce()
    let digest = try disk.digest(place)
    if let stamp, status.kind == .file, status.changed < stamp, status.modified < stamp {
      state.withLock {
        $0.entries[path] = Entry(status: status, digest: digest)
        $0.isChanged = true
      }
    }
    return digest
  }

  /// Writes what has become known, if anything has.
  package func save() throws(FileError) {
    guard clock != nil else { return }
    let entries = state.withLock { state -> [FilePath: Entry]? in
      defer { state.isChanged = false }
      return state.isChanged ? state.entries : nil
    }
    guard let entries else { return }
    var writer = RecordWriter()
    for (path, entry) in entries {
      writer.add(path)
      writer.add(entry.status)
      writer.add(entry.digest)
    }
    try disk.write(file, StatCache.header + seal(writer.bytes) + writer.bytes)
  }

  private func stampOnce() -> Int64? {
    state.withLock { state in
      guard let clock, !state.hasStamp else { return state.stamp }
      state.hasStamp = true
      do {
        try disk.makeFolders(clock)
        state.stamp = try disk.status(clock, followingLinks: false)?.changed
        try disk.remove(clock)
      } catch {
        // Then nothing new is kept.
      }
      return state.stamp
    }
  }

  // MARK: - The file

  private static func entries(_ bytes: [UInt8], _ seal: Seal) -> [FilePath: Entry]? {
    guard bytes.starts(with: header), bytes.count >= header.count + Seal.size else { return nil }
    let payload = Array(bytes[(header.count + Seal.size)...])
    guard seal(payload).elementsEqual(bytes[header.count..<(header.count + Seal.size)]) else { return nil }
    var reader = RecordReader(payload[...])
    var entries: [FilePath: Entry] = [:]
    while !reader.rest.isEmpty {
      guard let path = reader.path(), let status = reader.status(), let digest = reader.digest() else { return nil }
      entries[path] = Entry(status: status, digest: digest)
    }
    return entries
  }
}
