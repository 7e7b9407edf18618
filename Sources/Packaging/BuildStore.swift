import BuildEngine
package import Findings
import Store
package import SystemPackage

/// The store of what builds have made, and of what is known of plugins.
package enum BuildStore {
  /// In bytes: what was not used for the longest time goes first. A release of a large plugin is some hundred megabytes.
  private static let limit: Int64 = 5 << 30

  /// The user's, which all plugins share; where there is none, or it cannot be written (no home, or a read-only one), one
  /// in the plugin's own state.
  static func of(_ state: StateFolder) -> ContentStore {
    shared ?? ContentStore(state.store, limit: limit)
  }

  /// The user's, which can be written; nil if there is none.
  static var shared: ContentStore? { ofUser.flatMap { $0.canKeep ? $0 : nil } }

  /// Nil if the user has no home. Nothing is looked at or made.
  private static var ofUser: ContentStore? {
    UserFolders.store().map { ContentStore($0, limit: limit) }
  }

  /// Empties the user's store. Says what went, and where; nil if there was nothing.
  package static func clean(dryRun: Bool) throws(Mistakes) -> (folder: FilePath, files: Int, bytes: Int64)? {
    guard let store = ofUser else { return nil }
    do throws(FileError) {
      let contents = try store.contents()
      if !dryRun { _ = try store.removeAll() }
      return contents.files == 0 ? nil : (store.folder, contents.files, contents.bytes)
    } catch {
      throw Mistakes(error)
    }
  }
}
