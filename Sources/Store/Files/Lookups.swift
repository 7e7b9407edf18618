import Synchronization
package import SystemPackage

/// All that this process asks of the file system and of its environment, while that is recorded: what the result of a
/// run depends on that only reads. Every function of `FileSystem`, `OpenFolder` and `HostProcess` that asks records the
/// path, and not the file that was opened: whoever replaces a folder or a link changes the result as well.
///
/// There is one record for the whole process, because a run has many tasks.
package enum Lookups {
  package enum Found: Equatable, Sendable {
    /// Nothing, or a dangling link if links were followed.
    case absent
    case stamp(FileStamp)

    /// Folders are equal to each other: their stamps also change with names that do not matter.
    fileprivate func isSame(as other: Found) -> Bool {
      if case .stamp(let own) = self, case .stamp(let other) = other, own.kind == .directory {
        return other.kind == .directory
      }
      return self == other
    }
  }

  package struct Record: Sendable {
    package fileprivate(set) var paths: [FilePath: Found] = [:]
    /// The same after all links are followed.
    package fileprivate(set) var targets: [FilePath: Found] = [:]
    /// The names in folders, sorted by bytes.
    package fileprivate(set) var lists: [FilePath: [FilePath.Component]] = [:]
    package fileprivate(set) var realPaths: [FilePath: FilePath] = [:]
    /// The stamps of folders whose extended attributes were asked for, which show in nothing else.
    package fileprivate(set) var attributes: [FilePath: FileStamp] = [:]
    package fileprivate(set) var variables: [String: [UInt8]?] = [:]
    fileprivate let hides: @Sendable (FilePath) -> Bool
    /// False if something was asked that this record cannot hold, or that changed meanwhile.
    fileprivate var isWhole = true

    fileprivate mutating func add(_ found: Found, _ path: FilePath, followingLinks: Bool) {
      // A pipe or a device gives something else each time.
      if case .stamp(let stamp) = found, stamp.kind.isSpecial { isWhole = false }
      let known =
        followingLinks
        ? targets.updateValue(found, forKey: path) : paths.updateValue(found, forKey: path)
      if let known, !known.isSame(as: found) { isWhole = false }
    }
  }

  private static let isOn = Atomic<Bool>(false)
  private static let record = Mutex<Record?>(nil)

  /// Paths that it `hides` are left out: the results do not depend on a cache.
  package static func begin(hiding hides: @escaping @Sendable (FilePath) -> Bool) {
    record.withLock { $0 = Record(hides: hides) }
    isOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Ends the record and returns it; nil if the results depend on more than it holds.
  package static func end() -> Record? {
    isOn.store(false, ordering: .sequentiallyConsistent)
    return record.withLock { record in
      defer { record = nil }
      return record.flatMap { $0.isWhole ? $0 : nil }
    }
  }

  /// The results depend on something else: the time, the network, or whether a program ended in time.
  package static func giveUp() { change { $0.isWhole = false } }

  /// The user names this path. If it is hidden, the record lacks what the results depend on.
  package static func named(_ path: FilePath) { change { if $0.hides(path) { $0.isWhole = false } } }

  static var isRecorded: Bool { isOn.load(ordering: .relaxed) }

  static func found(_ status: @autoclosure () -> FileStamp?, at path: @autoclosure () -> FilePath, followingLinks: Bool)
  {
    guard isRecorded else { return }
    let (found, path) = (status().map { Found.stamp($0) } ?? .absent, path())
    change(at: path) { $0.add(found, path, followingLinks: followingLinks) }
  }

  static func found(_ names: @autoclosure () -> [FilePath.Component], in folder: @autoclosure () -> FilePath) {
    guard isRecorded else { return }
    let (names, folder) = (names(), folder())
    change(at: folder) { record in
      if let known = record.lists.updateValue(names, forKey: folder), known != names { record.isWhole = false }
    }
  }

  static func found(realPath: FilePath, of path: FilePath) {
    change(at: path) { record in
      if let known = record.realPaths.updateValue(realPath, forKey: path), known != realPath { record.isWhole = false }
    }
  }

  /// To be called before the extended attributes of a path are listed. Those of a file change its stamp.
  package static func attributes(of path: FilePath) {
    guard isRecorded, let stamp = try? FileSystem.status(of: path), stamp.kind == .directory else { return }
    change(at: path) { record in
      if let known = record.attributes.updateValue(stamp, forKey: path), known != stamp { record.isWhole = false }
    }
  }

  static func found(variable value: [UInt8]?, _ name: String) { change { $0.variables[name] = .some(value) } }

  /// The system refused: it may do otherwise the next time, and only a missing path shows in its status.
  static func failed(at path: FilePath, _ code: Errno) {
    if code == .noSuchFileOrDirectory { return found(nil, at: path, followingLinks: true) }
    change(at: path) { $0.isWhole = false }
  }

  private static func change(at path: FilePath, _ body: (inout Record) -> Void) {
    change { if !$0.hides(path) { body(&$0) } }
  }

  private static func change(_ body: (inout Record) -> Void) {
    guard isRecorded else { return }
    record.withLock { record in
      guard var own = record.take() else { return }
      body(&own)
      record = own
    }
  }
}
