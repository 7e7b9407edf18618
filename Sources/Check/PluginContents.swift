import Android
import Artifacts
import ObjectFiles
import SystemPackage

/// All of a plugin that a check asks about, in one walk.
struct PluginContents {
  let artifact: Artifact
  let android: AndroidContents

  /// - Parameter temporary: a folder for what is too large for memory.
  init(_ path: FilePath, temporary: FilePath) {
    var walk = ArtifactWalk(path, temporary: temporary)
    var code = CodeFiles(of: path)
    var android = AndroidCollector()
    while let entry = walk.next(Selection()) {
      code.add(entry, at: walk.place(of: entry.header))
      android.add(entry, walk)
    }
    code.add(walk.mistakes)
    artifact = Artifact(code)
    self.android = android.contents(walk)
  }

  private struct Selection: EntrySelection {
    func interest(in header: EntryHeader) -> Interest {
      let interest = AndroidSelection().interest(in: header)
      return interest == .none ? CodeSelection().interest(in: header) : interest
    }

    func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest {
      CodeSelection().interest(in: header, head: head)
    }
  }
}
