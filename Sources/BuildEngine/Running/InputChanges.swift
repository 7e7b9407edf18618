import Store
import SystemPackage

/// Whether what a step reads was changed while it ran: then what it made is not remembered as made of either content.
struct InputChanges {
  private let view: DiskView
  private let before: [(path: FilePath, own: FileStamp?, target: FileStamp?)]
  /// When the step began, by the clock of the disk; in nanoseconds.
  private let began: Int64?

  /// Before the step runs, when all of its inputs were digested. `began` is nil if the step discovers nothing.
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

  /// The first that has changed since the step began. `isMade`: made by steps before, as new as the beginning perhaps.
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
    // Another link to the file or other permissions: the content has the time that it had.
    old.changed = now.changed
    guard now == old else { return true }
    return try view.disk.digest(view.absolute(path)) != view.digest(path)
  }

  private func fresh(_ path: FilePath, following: Bool) throws(FileError) -> FileStamp? {
    try view.disk.status(view.absolute(path), followingLinks: following)
  }
}
