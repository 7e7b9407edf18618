import BuildEngine
import Store
import Synchronization
import SystemPackage

/// A disk in memory with a clock of its own: each change takes one second. It records what was asked of it, so that a
/// test can say exactly which files were read.
final class MemoryDisk: Disk {
  enum Event: Hashable, Sendable {
    case listed(FilePath)
    case read(FilePath)
    case digested(FilePath)
    case written(FilePath)
    case removed(FilePath)
    case renamed(FilePath)
  }

  fileprivate enum Content: Sendable {
    case file([UInt8], executable: Bool)
    case folder
    case link(FilePath)
  }

  fileprivate struct Node: Sendable {
    var content: Content
    var inode: UInt64
    var modified: Int64
    var changed: Int64
  }

  fileprivate struct State: Sendable {
    var nodes: [FilePath: Node] = ["/": Node(content: .folder, inode: 1, modified: 0, changed: 0)]
    var seconds: Int64 = 1_000_000
    var inodes: UInt64 = 1
    var events: [Event] = []
    /// Paths that give an error when they are written to.
    var full: Set<FilePath> = []
  }

  private let state = Mutex(State())

  // MARK: What tests do

  /// What was asked since the last call.
  func takeEvents() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  func put(_ path: FilePath, _ text: String, executable: Bool = false) {
    state.withLock { $0.put(path, .file(Array(text.utf8), executable: executable)) }
  }

  func put(link path: FilePath, to target: FilePath) { state.withLock { $0.put(path, .link(target)) } }

  func put(folder path: FilePath) { state.withLock { $0.put(path, .folder) } }

  func delete(_ path: FilePath) { state.withLock { $0.delete(path) } }

  /// A new time, the same content.
  func touch(_ path: FilePath) {
    state.withLock { state in
      let now = state.tick()
      state.nodes[path]?.modified = now
      state.nodes[path]?.changed = now
    }
  }

  func fill(_ path: FilePath) { state.withLock { _ = $0.full.insert(path) } }

  func text(_ path: FilePath) -> String? {
    state.withLock { state in
      guard let place = state.resolve(path, followingLast: true), case .file(let bytes, _)? = state.nodes[place]?.content
      else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The raw bytes of a file.
  func raw(_ path: FilePath) -> [UInt8]? {
    state.withLock { state in
      if case .file(let bytes, _)? = state.nodes[path]?.content { bytes } else { nil }
    }
  }

  func put(_ path: FilePath, raw bytes: [UInt8]) { state.withLock { $0.put(path, .file(bytes, executable: false)) } }

  /// Every file below a folder, by its path.
  func files(below folder: FilePath) -> [FilePath: [UInt8]] {
    state.withLock { state in
      var files: [FilePath: [UInt8]] = [:]
      for (path, node) in state.nodes where path.starts(with: folder) {
        if case .file(let bytes, _) = node.content { files[path] = bytes }
      }
      return files
    }
  }

  // MARK: Disk

  func status(_ path: FilePath, followingLinks: Bool) throws(FileError) -> FileStatus? {
    state.withLock { state in
      guard let place = state.resolve(path, followingLast: followingLinks), let node = state.nodes[place] else {
        return nil
      }
      var status = FileStatus(
        kind: .folder, size: 0, executable: true, modified: node.modified, changed: node.changed, inode: node.inode,
        device: 1)
      switch node.content {
      case .folder: break
      case .file(let bytes, let executable):
        status.kind = .file
        status.size = Int64(bytes.count)
        status.executable = executable
      case .link(let target):
        status.kind = .symlink
        status.size = Int64(target.string.utf8.count)
      }
      return status
    }
  }

  func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
    try access(folder, { .listed($0) }) { state, place in
      guard case .folder = state.nodes[place]?.content else { return nil }
      return state.nodes.keys.filter { $0.removingLastComponent() == place && $0 != place }
        .compactMap(\.lastComponent)
        .sorted { $0.nameBytes.lexicographicallyPrecedes($1.nameBytes) }
    }
  }

  func read(_ path: FilePath) throws(FileError) -> [UInt8] {
    try access(path, { .read($0) }) { state, place in
      if case .file(let bytes, _) = state.nodes[place]?.content { bytes } else { nil }
    }
  }

  func digest(_ path: FilePath) throws(FileError) -> Digest {
    try access(path, { .digested($0) }) { state, place in
      if case .file(let bytes, _) = state.nodes[place]?.content { Digest(of: bytes) } else { nil }
    }
  }

  func linkTarget(_ path: FilePath) throws(FileError) -> FilePath {
    let target: FilePath? = state.withLock { state in
      guard let place = state.resolve(path, followingLast: false), case .link(let target) = state.nodes[place]?.content
      else { return nil }
      return target
    }
    guard let target else { throw FileError(path, doing: "read the link", code: .invalidArgument) }
    return target
  }

  func makeFolders(_ path: FilePath) throws(FileError) {
    state.withLock { state in
      if state.nodes[path.lexicallyNormalized()] == nil { state.put(path, .folder) }
    }
  }

  func remove(_ path: FilePath) throws(FileError) {
    state.withLock { state in
      guard state.nodes[path] != nil else { return }
      state.events.append(.removed(path))
      state.delete(path)
    }
  }

  func rename(_ path: FilePath, to target: FilePath) throws(FileError) {
    state.withLock { state in
      state.events.append(.renamed(path))
      let now = state.tick()
      state.delete(target)
      for (old, node) in state.nodes where old.starts(with: path) {
        var new = old
        _ = new.removePrefix(path)
        state.nodes[old] = nil
        state.nodes[target.pushing(new)] = node
      }
      state.nodes[target]?.changed = now
    }
  }

  func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    try write(path) { _ in bytes }
  }

  func append(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) {
    try write(path) { $0 + bytes }
  }

  private func write(_ path: FilePath, _ change: ([UInt8]) -> [UInt8]) throws(FileError) {
    let isFull = state.withLock { state in
      guard !state.full.contains(path) else { return true }
      state.events.append(.written(path))
      var old: [UInt8] = []
      if case .file(let bytes, _)? = state.nodes[path]?.content { old = bytes }
      state.put(path, .file(change(old), executable: false))
      return false
    }
    if isFull { throw FileError(path, doing: "write", code: .noSpace) }
  }

  private func access<R: Sendable>(
    _ path: FilePath, _ event: (FilePath) -> Event, _ body: (inout sending State, FilePath) -> R?
  ) throws(FileError) -> R {
    let result: R? = state.withLock { state in
      let shown = path.lexicallyNormalized()
      state.events.append(event(shown))
      guard let place = state.resolve(path, followingLast: true) else { return nil }
      return body(&state, place)
    }
    guard let result else { throw FileError(path, doing: "read", code: .noSuchFileOrDirectory) }
    return result
  }
}

extension MemoryDisk.State {
  mutating func tick() -> Int64 {
    seconds += 1
    return seconds * 1_000_000_000
  }

  /// Makes the folders above, too.
  mutating func put(_ path: FilePath, _ content: MemoryDisk.Content) {
    let path = path.lexicallyNormalized()
    let above = path.removingLastComponent()
    if nodes[above] == nil { put(above, .folder) }
    let now = tick()
    inodes += 1
    nodes[path] = MemoryDisk.Node(
      content: content, inode: nodes[path]?.inode ?? inodes, modified: now, changed: now)
  }

  mutating func delete(_ path: FilePath) {
    _ = tick()
    for old in nodes.keys where old.starts(with: path) { nodes[old] = nil }
  }

  /// The path without links in it; nil if something on the way is not there.
  func resolve(_ path: FilePath, followingLast: Bool, depth: Int = 0) -> FilePath? {
    guard depth < 40 else { return nil }
    var place: FilePath = "/"
    let parts = Array(path.lexicallyNormalized().components)
    for (index, part) in parts.enumerated() {
      place.append(part)
      let isLast = index + 1 == parts.count
      guard case .link(let target)? = nodes[place]?.content, !isLast || followingLast else { continue }
      let whole = place.removingLastComponent().pushing(target)
      guard let real = resolve(whole, followingLast: true, depth: depth + 1) else { return nil }
      place = real
    }
    return nodes[place] == nil ? nil : place
  }
}
