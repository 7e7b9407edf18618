import Store
import SystemPackage

/// Detects inputs that changed while a step ran. Its result is then recorded neither for the old contents nor the new.
struct InputChanges {
  private let view: DiskView
  private let before: [(path: FilePath, own: FileStamp?, target: FileStamp?)]
  /// When the step began, by the clock of the disk; in nanoseconds.
  private let began: Int64?

  /// To be called after all inputs were digested, before the step runs. `began` is nil if the step discovers nothing.
  init(_ inputs: [[ResolvedInput]], programs: [FilePath], view: DiskView, began: Int64?) throws(FileError) {
    self.view = view
    var before: [(path: FilePath, own: FileStamp?, target: FileStamp?)] = []
    // The view still knows what it saw before it digested.
    for path in inputs.joined().lazy.filter({ $0.digest != nil }).map(\.path) + programs {
      before.append((path, try view.status(path), try view.target(path)))
    }
    self.before = before
    self.began = began
  }

  /// The first input that has changed since the step began. Files for which `isMade` is true come from earlier steps,
  /// and may be as new as the beginning.
  func changed(_ discovered: [DiscoveredInput], isMade: (FilePath) -> Bool) throws(FileError) -> FilePath? {
    for (path, own, target) in before {
      if try differs(path, own, following: false) { return path }
      if own?.kind == .symbolicLink, try differs(path, target, following: true) { return path }
    }
    guard let began else { return nil }
    for one in discovered {
      // The change time cannot be set back. Equal times do not tell which was first.
      let latest = isMade(one.path) ? began : began - 1
      for input in one.inputs where input.digest != nil {
        guard let own = try fresh(input.path, following: false), own == (try view.status(input.path)) else {
          return input.path
        }
        let target = own.kind == .symbolicLink ? try fresh(input.path, following: true) : own
        guard let target, max(own.changed, target.changed) <= latest else { return input.path }
      }
    }
    return nil
  }

  private func differs(_ path: FilePath, _ old: FileStamp?, following: Bool) throws(FileError) -> Bool {
    let now = try fresh(path, following: following)
    if now == old { return false }
    guard var old, let now, now.kind == .regular else { return true }
    // A new hard link or other permissions change only the change time, not the time of the content.
    old.changed = now.changed
    guard now == old else { return true }
    return try view.disk.digest(view.absolute(path)) != view.digest(path)
  }

  private func fresh(_ path: FilePath, following: Bool) throws(FileError) -> FileStamp? {
    try view.disk.status(view.absolute(path), followingLinks: following)
  }
}
