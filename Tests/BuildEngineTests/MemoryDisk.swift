import BuildEngine
@testable import Store
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

  private let state = Mutex(MemoryTree())

  // MARK: What tests do

  /// What was asked since the last call.
  func takeEvents() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  func put(_ path: FilePath, _ text: String, executable: Bool = false) {
    put(path, raw: Array(text.utf8), executable: executable)
  }

  func put(_ path: FilePath, raw bytes: [UInt8], executable: Bool = false) {
    state.withLock { $0.put(path.key, .file(bytes, executable: executable)) }
  }

  func put(link path: FilePath, to target: FilePath) { state.withLock { $0.put(path.key, .link(target.pathBytes)) } }

  func put(folder path: FilePath) { state.withLock { $0.put(path.key, .folder) } }

  func delete(_ path: FilePath) { state.withLock { $0.delete(path.key) } }

  /// A new time, the same content.
  func touch(_ path: FilePath) { state.withLock { $0.touch(path.key) } }

  /// Other permissions, the same content: its time stays.
  func setExecutable(_ path: FilePath, _ executable: Bool) {
    state.withLock { $0.setExecutable(path.key, executable) }
  }

  /// Another content that seems to be as old as the one before it, as `touch -r` makes it.
  func put(backdated path: FilePath, _ text: String) {
    state.withLock { state in
      let time = state.nodes[path.key]?.modified ?? 0
      state.put(path.key, .file(Array(text.utf8), executable: false))
      state.nodes[path.key]?.modified = time
    }
  }

  /// All that happens while it is frozen happens within one tick of the clock.
  func freeze(_ isFrozen: Bool) { state.withLock { $0.isFrozen = isFrozen } }

  /// Somebody sets the clock.
  func setClock(by seconds: Int64) { state.withLock { $0.seconds += seconds } }

  /// From now on writing there fails.
  func fill(_ path: FilePath) { state.withLock { _ = $0.full.insert(path.key) } }

  /// Of all changes that the engine asks for from now on, this one and those after it fail: the disk is full. Nil: it
  /// has room again.
  func fill(afterChanges count: Int?) { state.withLock { $0.changesLeft = count } }

  /// The content of a file, through links.
  func text(_ path: FilePath) -> String? { raw(path).map { String(decoding: $0, as: UTF8.self) } }

  func raw(_ path: FilePath) -> [UInt8]? { state.withLock { $0.file(path.key) } }

  /// Every file below a folder, by its path relative to that.
  func files(below folder: FilePath) -> [String: [UInt8]] {
    let prefix = folder.key + (folder.key == MemoryTree.top ? [] : [0x2F])
    return state.withLock { state in
      var files: [String: [UInt8]] = [:]
      for (key, node) in state.nodes where key.starts(with: prefix) {
        if case .file(let bytes, _) = node.content {
          files[String(decoding: key.dropFirst(prefix.count), as: UTF8.self)] = bytes
        }
      }
      return files
    }
  }

  /// All that is below a folder (absolute, without links in it), by the path relative to that.
  func contents(below folder: String) -> [String: MemoryTree.Content] {
    let nodes = state.withLock { $0.nodes }
    var contents: [String: MemoryTree.Content] = [:]
    for (key, node) in nodes {
      let path = String(decoding: key, as: UTF8.self)
      if path.hasPrefix(folder + "/") { contents[String(path.dropFirst(folder.utf8.count + 1))] = node.content }
    }
    return contents
  }

  /// Puts, or deletes with all that is below it, what an absolute path without links names.
  func set(_ path: String, _ content: MemoryTree.Content?) {
    state.withLock { state in
      if let content { state.put(Array(path.utf8), content) } else { state.delete(Array(path.utf8)) }
    }
  }

  /// The time of the last change, in nanoseconds.
  var now: Int64 { state.withLock { $0.seconds * 1_000_000_000 } }

  // MARK: Disk

  var root: FilePath { World.root }

  // As any disk can: by the path.

  func status(_ names: [UInt8], at offset: Int, followingLinks: Bool) throws(FileError) -> FileStamp? {
    guard let path = path(names, at: offset) else { return nil }
    return try status(path, followingLinks: followingLinks)
  }

  func list(_ names: [UInt8], at offset: Int) throws(FileError) -> [UInt8] {
    guard let path = path(names, at: offset) else { return [] }
    return try list(path).flatMap { $0.nameBytes + [0] }
  }

  private func path(_ names: [UInt8], at offset: Int) -> FilePath? {
    FilePath(pathBytes: names[offset...].prefix { $0 != 0 }).map { root.pushing($0) }
  }

  func status(_ path: FilePath, followingLinks: Bool) throws(FileError) -> FileStamp? {
    let key = path.key
    return state.withLock { $0.status(key, followingLinks: followingLinks) }
  }

  func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
    try access(folder, Event.listed) { $0.list($1) }.compactMap { MemoryDisk.component($0) }
  }

  /// Making one takes long in a debug build.
  private static func component(_ name: [UInt8]) -> FilePath.Component? {
    components.withLock { known in
      if let component = known[name] { return component }
      let component = FilePath.Component(nameBytes: name)
      known[name] = component
      return component
    }
  }

  private static let components = Mutex<[[UInt8]: FilePath.Component]>([:])

  func read(_ path: FilePath) throws(FileError) -> [UInt8] { try access(path, Event.read) { $0.file($1) } }

  func digest(_ path: FilePath) throws(FileError) -> Digest {
    try access(path, Event.digested) { $0.file($1).map { Digest(of: $0) } }
  }

  func linkTarget(_ path: FilePath) throws(FileError) -> FilePath {
    let key = path.key
    let target: [UInt8]? = state.withLock { state in
      guard let place = state.resolve(key, followingLast: false), case .link(let target) = state.nodes[place]?.content
      else { return nil }
      return target
    }
    guard let target = target.flatMap({ FilePath(pathBytes: $0) }) else {
      throw FileError(path, doing: "read the link", code: .invalidArgument)
    }
    return target
  }

  func realPath(_ path: FilePath) throws(FileError) -> FilePath {
    let key = path.key
    let place = state.withLock { $0.resolve(key, followingLast: true) }
    guard let real = place.flatMap({ FilePath(pathBytes: $0) }) else {
      throw FileError(path, doing: "look at", code: .noSuchFileOrDirectory)
    }
    return real
  }

  func mode(_ path: FilePath) throws(FileError) -> UInt16? {
    try status(path, followingLinks: false).map { $0.executable ? 0o755 : 0o644 }
  }

  func makeFolders(_ path: FilePath) throws(FileError) {
    let key = path.key
    if state.withLock({ $0.nodes[key] != nil }) { return }
    try change(path, "make the folder")
    state.withLock { $0.put(key, .folder) }
  }

  func makeLink(_ path: FilePath, to target: FilePath) throws(FileError) {
    try change(path, "make the link")
    put(link: path, to: target)
  }

  func remove(_ path: FilePath) throws(FileError) {
    let key = path.key
    state.withLock { state in
      guard state.nodes[key] != nil else { return }
      state.events.append(.removed(path))
      state.delete(key)
    }
  }

  func rename(_ path: FilePath, to target: FilePath) throws(FileError) {
    try change(path, "rename")
    state.withLock { state in
      state.events.append(.renamed(path))
      state.rename(path.key, to: target.key)
    }
  }

  func write(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) { try write(path) { _ in bytes } }

  func append(_ path: FilePath, _ bytes: [UInt8]) throws(FileError) { try write(path) { $0 + bytes } }

  private func write(_ path: FilePath, _ change: ([UInt8]) -> [UInt8]) throws(FileError) {
    let key = path.key
    try self.change(path, "write")
    let isFull = state.withLock { state in
      guard !state.full.contains(key) else { return true }
      state.events.append(.written(path))
      state.put(key, .file(change(state.file(key) ?? []), executable: false))
      return false
    }
    if isFull { throw FileError(path, doing: "write", code: .noSpace) }
  }

  /// Removing needs no room.
  private func change(_ path: FilePath, _ doing: String) throws(FileError) {
    let isFull = state.withLock { state in
      guard let left = state.changesLeft else { return false }
      state.changesLeft = max(0, left - 1)
      return left == 0
    }
    if isFull { throw FileError(path, doing: doing, code: .noSpace) }
  }

  private func access<R: Sendable>(
    _ path: FilePath, _ event: (FilePath) -> Event, _ body: (MemoryTree, [UInt8]) -> R?
  ) throws(FileError) -> R {
    let key = path.key
    let shown = event(FilePath(pathBytes: key) ?? path)
    let result: R? = state.withLock { state in
      state.events.append(shown)
      return body(state, key)
    }
    guard let result else { throw FileError(path, doing: "read", code: .noSuchFileOrDirectory) }
    return result
  }
}

/// The tree itself. Its keys are the bytes of absolute paths without `.` and `..`: paths as such are slow in debug builds.
struct MemoryTree: Sendable {
  enum Content: Hashable, Sendable {
    case file([UInt8], executable: Bool)
    case folder
    case link([UInt8])
  }

  struct Node: Sendable {
    var content: Content
    var inode: UInt64
    var modified: Int64
    var changed: Int64
  }

  static let top: [UInt8] = [0x2F]

  var nodes: [[UInt8]: Node] = [MemoryTree.top: Node(content: .folder, inode: 1, modified: 0, changed: 0)]
  var events: [MemoryDisk.Event] = []
  var full: Set<[UInt8]> = []
  var changesLeft: Int?
  var seconds: Int64 = 1_000_000
  var isFrozen = false
  private var inodes: UInt64 = 1

  private mutating func tick() -> Int64 {
    if !isFrozen { seconds += 1 }
    return seconds * 1_000_000_000
  }

  /// Makes the folders above, too.
  mutating func put(_ key: [UInt8], _ content: Content) {
    if key != MemoryTree.top, nodes[above(key)] == nil { put(above(key), .folder) }
    let now = tick()
    inodes += 1
    nodes[key] = Node(content: content, inode: nodes[key]?.inode ?? inodes, modified: now, changed: now)
  }

  mutating func touch(_ key: [UInt8]) {
    let now = tick()
    nodes[key]?.modified = now
    nodes[key]?.changed = now
  }

  mutating func setExecutable(_ key: [UInt8], _ executable: Bool) {
    guard case .file(let bytes, _)? = nodes[key]?.content else { return }
    nodes[key]?.content = .file(bytes, executable: executable)
    let now = tick()
    nodes[key]?.changed = now
  }

  mutating func delete(_ key: [UInt8]) {
    _ = tick()
    nodes[key] = nil
    for old in nodes.keys where old.starts(with: key + [0x2F]) { nodes[old] = nil }
  }

  mutating func rename(_ key: [UInt8], to target: [UInt8]) {
    delete(target)
    for (old, node) in nodes where old == key || old.starts(with: key + [0x2F]) {
      nodes[old] = nil
      nodes[target + old.dropFirst(key.count)] = node
    }
    let now = tick()
    nodes[target]?.changed = now
  }

  func file(_ key: [UInt8]) -> [UInt8]? {
    guard let place = resolve(key, followingLast: true), case .file(let bytes, _)? = nodes[place]?.content else {
      return nil
    }
    return bytes
  }

  /// Sorted by bytes.
  func list(_ key: [UInt8]) -> [[UInt8]]? {
    guard let place = resolve(key, followingLast: true), case .folder? = nodes[place]?.content else { return nil }
    let start = place == MemoryTree.top ? 1 : place.count + 1
    var names: [[UInt8]] = []
    for other in nodes.keys where other.count > start && above(other) == place {
      names.append(Array(other[start...]))
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  func status(_ key: [UInt8], followingLinks: Bool) -> FileStamp? {
    guard let place = resolve(key, followingLast: followingLinks), let node = nodes[place] else { return nil }
    var status = FileStamp(
      kind: .directory, size: 0, executable: true, modified: node.modified, changed: node.changed, inode: node.inode,
      device: 1)
    switch node.content {
    case .folder: break
    case .file(let bytes, let executable):
      status.kind = .regular
      status.size = Int64(bytes.count)
      status.executable = executable
    case .link(let target):
      status.kind = .symbolicLink
      status.size = Int64(target.count)
    }
    return status
  }

  /// The path without links in it; nil if something on the way is not there.
  func resolve(_ key: [UInt8], followingLast: Bool, depth: Int = 0) -> [UInt8]? {
    guard depth < 40 else { return nil }
    var place: [UInt8] = []
    let parts = key.split(separator: 0x2F)
    for (index, part) in parts.enumerated() {
      place += [0x2F] + part
      guard case .link(let target)? = nodes[place]?.content, index + 1 < parts.count || followingLast else { continue }
      let whole = target.first == 0x2F ? target : above(place) + [0x2F] + target
      guard let real = resolve(normal(whole), followingLast: true, depth: depth + 1) else { return nil }
      place = real
    }
    if place.isEmpty { place = MemoryTree.top }
    return nodes[place] == nil ? nil : place
  }

  private func above(_ key: [UInt8]) -> [UInt8] {
    let slash = key.lastIndex(of: 0x2F) ?? 0
    return slash == 0 ? MemoryTree.top : Array(key[..<slash])
  }
}

/// Without `.`, `..` and doubled slashes; absolute.
private func normal(_ path: [UInt8]) -> [UInt8] {
  var parts: [ArraySlice<UInt8>] = []
  for part in path.split(separator: 0x2F) where part != [0x2E] {
    if part == [0x2E, 0x2E] { _ = parts.popLast() } else { parts.append(part) }
  }
  return parts.isEmpty ? MemoryTree.top : Array(parts.flatMap { [0x2F] + $0 })
}

extension FilePath {
  fileprivate var key: [UInt8] { normal(pathBytes) }
}
