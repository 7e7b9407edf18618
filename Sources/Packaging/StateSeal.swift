import BuildEngine
import Store
import SystemPackage

extension Project {
  /// The seal of what is remembered in this tree. `problem`: why nothing that is remembered can be believed later.
  ///
  /// `making`: the user's key is made if there is none; the folder must be there then.
  func seal(making: Bool) throws(FileError) -> (seal: Seal, problem: String?) {
    let tree = try OpenFolder(root)
    let folder = try tree.folder(Graph.stateFolder) ?? tree
    guard let path = UserFolders.key() else {
      return (try Seal(nil, folder), making ? Project.unremembered("there is no home folder: set HOME") : nil)
    }
    do throws(FileError) {
      return (try Seal(making ? try UserKey.obtain(path) : try UserKey(path), folder), nil)
    } catch {
      let reason = error.description + (error.hint.map { "; \($0)" } ?? "")
      return (try Seal(nil, folder), making ? Project.unremembered(reason) : nil)
    }
  }

  private static func unremembered(_ reason: String) -> String {
    "what is built now is built again the next time: \(reason)"
  }
}
