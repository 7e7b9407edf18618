package import SystemPackage

/// The store of what builds have made, and of what is known of plugins.
package enum UserStore {
  /// In bytes: what was not used for the longest time goes first. A release of a large plugin is some hundred megabytes.
  private static let limit: Int64 = 5 << 30

  /// The user's, for all plugins. Nil, and why, if it is refused; both nil without a home, or with a read-only one.
  package static var prepared: (store: ContentStore?, refusal: String?) {
    guard let store = ofUser else { return (nil, nil) }
    do throws(FileError) {
      try store.prepare()
      return (store, nil)
    } catch {
      // An error of the system is not reported at each run; what the user can mend is.
      return (nil, error.code == nil ? error.description + (error.hint.map { "; \($0)" } ?? "") : nil)
    }
  }

  /// Nil if the user has no home. Nothing is looked at or made.
  private static var ofUser: ContentStore? {
    UserFolders.store().map { ContentStore($0, limit: limit) }
  }

  /// Empties the user's store. Says what went, and where; nil if there was nothing.
  package static func clean(dryRun: Bool) throws(FileError) -> (folder: FilePath, files: Int, bytes: Int64)? {
    guard let store = ofUser else { return nil }
    try store.checkAccess()
    let contents = try store.contents()
    if !dryRun { _ = try store.removeAll() }
    return contents.files == 0 ? nil : (store.folder, contents.files, contents.bytes)
  }
}
