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
    package fileprivate(set) var variables: [String: [UInt8]?] = [:]
    fileprivate let hidden: FilePath?
    /// False if something was asked that this record cannot hold, or that changed meanwhile.
    fileprivate var isWhole = true

    fileprivate mutating func add<Key, Value>(
      _ value: Value, _ key: Key, to values: WritableKeyPath<Record, [Key: Value]>, isSame: (Value, Value) -> Bool
    ) {
      if let known = self[keyPath: values][key] {
        if !isSame(known, value) { isWhole = false }
      } else {
        self[keyPath: values][key] = value
      }
    }
  }

  private static let isOn = Atomic<Bool>(false)
  private static let record = Mutex<Record?>(nil)

  /// Lookups below `hidden` are left out: the results do not depend on a cache.
  package static func begin(hidden: FilePath?) {
    record.withLock { $0 = Record(hidden: hidden) }
    isOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// What was asked since `begin`; nil if that is not all that the results depend on.
  package static func end() -> Record? {
    isOn.store(false, ordering: .sequentiallyConsistent)
    return record.withLock { record in
      defer { record = nil }
      return record.flatMap { $0.isWhole ? $0 : nil }
    }
  }

  /// The results depend on something else: the time, the network, or whether a program ended in time.
  package static func giveUp() { change { $0.isWhole = false } }

  static var isRecorded: Bool { isOn.load(ordering: .relaxed) }

  static func found(_ status: @autoclosure () -> FileStamp?, at path: @autoclosure () -> FilePath, followingLinks: Bool)
  {
    change(at: path) { path, record in
      let found = status().map { Found.stamp($0) } ?? .absent
      // A pipe or a device gives something else each time.
      if case .stamp(let stamp) = found, stamp.kind.isSpecial { record.isWhole = false }
      record.add(found, path, to: followingLinks ? \.targets : \.paths) { $0.isSame(as: $1) }
    }
  }

  static func found(_ names: @autoclosure () -> [FilePath.Component], in folder: @autoclosure () -> FilePath) {
    change(at: folder) { folder, record in record.add(names(), folder, to: \.lists, isSame: ==) }
  }

  static func found(realPath: FilePath, of path: FilePath) {
    change(at: { path }) { path, record in record.add(realPath, path, to: \.realPaths, isSame: ==) }
  }

  static func found(variable value: [UInt8]?, _ name: String) {
    change { $0.add(value, name, to: \.variables, isSame: ==) }
  }

  /// The system refused: it may do otherwise the next time, and only a missing path shows in its status.
  static func failed(at path: FilePath, _ code: Errno) {
    if code == .noSuchFileOrDirectory { return found(nil, at: path, followingLinks: true) }
    change(at: { path }) { _, record in record.isWhole = false }
  }

  private static func change(_ body: (inout Record) -> Void) {
    guard isRecorded else { return }
    record.withLock { record in
      guard var own = record.take() else { return }
      body(&own)
      record = own
    }
  }

  private static func change(at path: () -> FilePath, _ body: (FilePath, inout Record) -> Void) {
    guard isRecorded else { return }
    let path = path()
    change { record in
      if let hidden = record.hidden, path.starts(with: hidden) { return }
      body(path, &record)
    }
  }
}
