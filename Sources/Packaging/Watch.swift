import Artifacts
package import BuildEngine
package import Findings
package import Rules
import Store
package import SystemPackage

// The files of `build --watch`.
extension Project {
  /// The present state of the files that a build of these targets depends on.
  package func watched(_ targets: [String], _ policy: FindingPolicy) throws(Mistakes) -> WatchedFiles {
    let graph = try graph(policy: policy)
    let selection = try graph.selection(try self.targets(targets, graph.steps))
    do {
      let disk = try RealDisk(root)
      var watched = WatchedFiles(graph, selection, try log(disk), disk)
      for source in sources { watched.add(Project.here.pushing(source.path)) }
      return watched
    } catch {
      throw Mistakes(from: error)
    }
  }

  /// The files to watch if the manifest cannot be read: the manifest itself, and the files with mistakes.
  package static func watched(_ options: Options, _ mistakes: Mistakes?) -> WatchedFiles {
    var watched = WatchedFiles()
    var files = [options.manifestPath] + options.configFiles
    if let source = options.versionFrom, source != "git" { files.append(options.directory.pushing(FilePath(source))) }
    files += (mistakes?.all ?? []).compactMap { $0.place?.parts.first.map { FilePath($0) } }
    for file in files { watched.add(here.pushing(file)) }
    // Git's whole folder is not watched, because each request for the version locks the index there.
    if options.versionFrom == "git", let git = GitFolder(of: here.pushing(options.directory).lexicallyNormalized()) {
      watched.add(below: git.tags)
      if let history = git.history { watched.add(history) }
    }
    return watched
  }

  private static var here: FilePath { HostProcess.workingFolder ?? "/" }

  /// `src/a.c, src/b.c (new), old.c (gone)`, relative to the plugin's folder where they are in it.
  package static func text(of changes: [WatchedChange], in directory: FilePath) -> String {
    let root = (try? FileSystem.realPath(directory)) ?? directory
    let limit = 5
    let names = changes.prefix(limit).map { change in
      var path = change.path
      _ = path.removePrefix(root)
      let what =
        switch change.what {
        case .changed: ""
        case .new: " (new)"
        case .gone: " (gone)"
        }
      return "\(path)\(what)"
    }
    return listed(names, of: changes.count)
  }
}
