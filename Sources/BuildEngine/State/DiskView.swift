import Store
import Synchronization
import SystemPackage

/// One run's cache of the disk: each path is looked up once until a step has run. Paths may be relative to the root.
final class DiskView: GlobTree, Sendable {
  let disk: any Disk
  /// Digests known from earlier runs; if nil, every file is read.
  private let memory: TreeState?
  private let known = Mutex(Known())

  private struct Known {
    /// Nil if the path was missing or the link dangling. Only `observations` uses a nil; lookups ask the disk again.
    var statuses: [FilePath: FileStamp?] = [:]
    var targets: [FilePath: FileStamp?] = [:]
    var digests: [FilePath: Digest] = [:]
    /// Files that are being digested: steps that run side by side often share their headers and libraries.
    var digesting: [FilePath: Digesting] = [:]
    var lists: [FilePath: [FilePath.Component]] = [:]
    var matches: [Glob: [FilePath]] = [:]
    var programs: [ProgramSearch.Name: FilePath] = [:]
    var hasTicked = false

    enum Answer { case known(Digest), read(Digesting) }

    mutating func digest(of path: FilePath) -> Answer {
      if let digest = digests[path] { return .known(digest) }
      let digesting = digesting[path] ?? Digesting()
      self.digesting[path] = digesting
      return .read(digesting)
    }
  }

  private final class Digesting: Sendable {
    let result = Mutex<Digest?>(nil)
  }

  init(_ disk: any Disk, memory: TreeState? = nil) {
    self.disk = disk
    self.memory = memory
  }

  /// The status of the path itself, which may be a link. The absence of a file is not cached.
  func status(_ path: FilePath) throws(FileError) -> FileStamp? {
    if let status = known.withLock({ $0.statuses[path] ?? nil }) { return status }
    let status = try disk.status(absolute(path), followingLinks: false)
    known.withLock { $0.statuses[path] = .some(status) }
    return status
  }

  /// The status of the path after all links are followed.
  func target(_ path: FilePath) throws(FileError) -> FileStamp? {
    if let status = known.withLock({ $0.targets[path] ?? nil }) { return status }
    guard let own = try status(path) else { return nil }
    guard own.kind == .symbolicLink else { return own }
    let status = try disk.status(absolute(path), followingLinks: true)
    known.withLock { $0.targets[path] = .some(status) }
    return status
  }

  /// The digest of a file's content. That of a link in the tree is not remembered, since it may lead to an output.
  func digest(_ path: FilePath) throws(FileError) -> Digest {
    let digesting: Digesting
    switch known.withLock({ $0.digest(of: path) }) {
    case .known(let digest): return digest
    case .read(let one): digesting = one
    }
    defer { known.withLock { if $0.digesting[path] === digesting { $0.digesting[path] = nil } } }
    // A second caller waits for the first.
    return try digesting.result.withLock { result throws(FileError) in
      if let result { return result }
      let digest = try read(path)
      known.withLock { known in
        guard path.isAbsolute || known.statuses[path]??.kind == .regular else { return }
        known.digests[path] = digest
        result = digest
      }
      return digest
    }
  }

  private func read(_ path: FilePath) throws(FileError) -> Digest {
    guard let memory, let status = try target(path) else { return try disk.digest(absolute(path)) }
    return try memory.digest(of: path, at: absolute(path), status)
  }

  /// Takes the digest of a file from the code that has just written it.
  func learn(_ digest: Digest, of path: FilePath) { known.withLock { $0.digests[path] = digest } }

  func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
    if let names = known.withLock({ $0.lists[folder] }) { return names }
    let names = try disk.list(absolute(folder))
    known.withLock { $0.lists[folder] = names }
    return names
  }

  func linkTarget(_ path: FilePath) throws(FileError) -> FilePath { try disk.linkTarget(absolute(path)) }

  /// The glob's matches. They are cached by glob alone, because all calls have the same hidden folders.
  func matches(_ glob: Glob, hidden: Set<FilePath>) throws(FileError) -> [FilePath] {
    if let paths = known.withLock({ $0.matches[glob] }) { return paths }
    let paths = try glob.matches(in: self, hidden: hidden)
    known.withLock { $0.matches[glob] = paths }
    return paths
  }

  /// Finds a program. Results outside the tree are cached, because no step makes anything there.
  func program(
    _ name: ProgramSearch.Name, _ search: (ProgramSearch.Name) throws -> FilePath
  ) rethrows -> FilePath {
    if let path = known.withLock({ $0.programs[name] }) { return path }
    let path = try search(name)
    if !path.starts(with: root) { known.withLock { $0.programs[name] = path } }
    return path
  }

  /// Called when a step has run: its outputs are new, and there may be new names in any folder.
  func forget(_ outputs: [FilePath]) {
    known.withLock { known in
      known.lists.removeAll(keepingCapacity: true)
      known.matches.removeAll(keepingCapacity: true)
      // A link that was followed may lead into an output.
      known.targets.removeAll(keepingCapacity: true)
      for output in outputs {
        let old = known.statuses.removeValue(forKey: output)
        known.digests[output] = nil
        if old??.kind == .directory {
          known.statuses = known.statuses.filter { !$0.key.starts(with: output) }
          known.digests = known.digests.filter { !$0.key.starts(with: output) }
        }
      }
    }
  }

  /// All lookups since the last step ran, which together with the files' contents determine what is to be done.
  var observations: [Observation] {
    known.withLock { known in
      known.statuses.map { Observation(path: $0.key, what: $0.value.map { .stamp($0) } ?? .absent) }
        + known.targets.map {
          Observation(path: $0.key, followsLinks: true, what: $0.value.map { .stamp($0) } ?? .absent)
        }
        + known.lists.map { Observation(path: $0.key, what: .names($0.value)) }
    }
  }

  /// The disk's time, in nanoseconds since 1970; nothing may be at the place. The first call waits a short while for
  /// that clock to tick, so that any change before the call is older than the result.
  func time(_ place: FilePath) async throws -> Int64? {
    let first = try disk.time(place)
    if known.withLock({ $0.hasTicked }) { return first }
    var time = first
    // It does not wait for a file system whose clock ticks once a second.
    for _ in 0..<20 where time == first {
      try await Task.sleep(for: .milliseconds(1))
      time = try disk.time(place)
    }
    known.withLock { $0.hasTicked = true }
    return time
  }

  var root: FilePath { disk.root }

  func absolute(_ path: FilePath) -> FilePath { root.pushing(path) }
}
