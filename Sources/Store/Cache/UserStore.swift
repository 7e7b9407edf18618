package import SystemPackage

/// The user's store of build results and of facts about plugins.
package enum UserStore {
  /// In bytes. A release of a large plugin takes some hundred megabytes.
  private static let limit: Int64 = 5 << 30

  /// The user's store for all plugins, or the reason why it is refused. Both are nil if there is no writable home.
  package static var prepared: (store: ContentStore?, refusal: String?) {
    guard let store = ofUser else { return (nil, nil) }
    do throws(FileError) {
      try store.prepare()
      return (store, nil)
    } catch {
      // System errors are not reported at each run; errors that the user can fix are.
      return (nil, error.code == nil ? error.description + (error.hint.map { "; \($0)" } ?? "") : nil)
    }
  }

  /// Nil if the user has no home. The disk is not accessed.
  private static var ofUser: ContentStore? {
    UserFolders.store().map { ContentStore($0, limit: limit) }
  }

  /// Where the user's store is, its files and bytes, and how many bytes it may have; nil if there is no place for one.
  package static func contents() throws(FileError) -> (folder: FilePath, files: Int, bytes: Int64, limit: Int64)? {
    guard let store = ofUser else { return nil }
    let contents = try store.contents()
    return (store.folder, contents.files, contents.bytes, store.limit)
  }

  /// Removes what was least recently used until no more bytes are left. Nil if there is no store.
  package static func trim(to bytes: Int64) throws(FileError) -> Trimmed? {
    guard let store = ofUser else { return nil }
    try store.checkAccess()
    return try store.trim(above: bytes, to: bytes)
  }

  /// Empties the user's store. Returns what was removed, and where; nil if there was nothing.
  package static func clean(dryRun: Bool) throws(FileError) -> (folder: FilePath, files: Int, bytes: Int64)? {
    guard let store = ofUser else { return nil }
    try store.checkAccess()
    let contents = try store.contents()
    if !dryRun { _ = try store.removeAll() }
    return contents.files == 0 ? nil : (store.folder, contents.files, contents.bytes)
  }
}
