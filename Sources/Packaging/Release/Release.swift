import Artifacts
import BuildEngine
import Documents
package import Findings
import Rules
import Store
package import SystemPackage

/// A release that was written, and where its parts go.
package struct Release: Sendable {
  /// The folder; relative to the working folder where it is below that.
  package let folder: FilePath
  /// Whether the folder was there already, with the same bytes.
  package let isOld: Bool
  /// A deliverable, and what is done with it.
  package let rows: [(what: String, command: String)]
}

/// The command `release`: all deliverables of one build in a folder of their own, whole or not at all.
extension Project {
  package struct ReleaseOptions: Sendable {
    /// The folder; nil for `release/VERSION` in the plugin's folder.
    package var folder: FilePath?
    /// Whether files may differ from the commit.
    package var allowsChanges = false
    /// Whether another folder of this version is replaced.
    package var replaces = false

    package init() {}
  }

  /// Relative to the plugin's folder.
  static let releases: FilePath = "release"

  /// Refuses files that are not committed. What the plugin's own steps make does not count.
  package func refuseChanges() async throws(Mistakes) {
    guard let tree = try await GitTree(of: root) else { return }
    let made = try graph(policy: try FindingPolicy()).steps.flatMap(\.outputs).map { root.pushing($0) }
    let changed = try await tree.changed().filter { path in
      let path = tree.top.pushing(path)
      return path.starts(with: root) && !made.contains { path.starts(with: $0) }
    }
    guard let first = changed.first else { return }
    throw Mistakes(
      "\(first)\(andMore(changed.count - 1)) \(changed.count == 1 ? "is" : "are") not committed",
      notes:
        changed.prefix(10).map(\.string),
      hint: "commit, stash or ignore what is no part of the release; --allow-dirty goes on all the same")
  }

  /// Copies what was just built into the folder of the release.
  package func release(_ options: ReleaseOptions) async throws(Mistakes) -> Release {
    let own = root.pushing(Project.releases)
    let folder = options.folder ?? own.appending(manifest.version)
    do {
      let dist = root.pushing(outFolder)
      let recordName = "\(manifest.name)-\(manifest.version).release.json"
      let record = try ReleaseRecord.read(dist.appending(recordName))
      if options.folder == nil {
        let disk = try RealDisk(root)
        let isOwn = try StateFolder.isKeptOutOfGit(own, disk: disk)
        guard try isOwn || disk.status(own, followingLinks: false) == nil || disk.list(own).isEmpty else {
          throw Mistakes(
            "\(Project.shortened(own)) has files of the plugin's own", hint: "name another folder: --to FOLDER")
        }
        try disk.makeFolders(own)
        try StateFolder.keepOutOfGit(own, disk: disk)
      }
      let set = ReleaseSet(record, from: dist, recordName: recordName)
      let isOld = try await set.write(to: folder, replaces: options.replaces)
      return Release(
        folder: Project.shortened(folder), isOld: isOld, rows: rows(record, in: Project.shortened(folder)))
    } catch {
      throw Mistakes(from: error)
    }
  }

  private func rows(_ record: ReleaseRecord, in folder: FilePath) -> [(what: String, command: String)] {
    record.deliverables.compactMap { made in
      guard let declaration = manifest.deliverables.first(where: { sameBytes($0.name, made.name) }),
        let kind = Kinds.deliverables.first(where: { $0.kind.name == made.kind })
      else { return nil }
      let path = folder.appending(made.path)
      return (made.path, kind.destination(path, declaration, version: manifest.version))
    }
  }
}
