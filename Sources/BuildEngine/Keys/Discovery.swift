import Findings
import Store
package import SystemPackage

/// What a step turned out to read besides its inputs: files that its depfile named. They decide the next time.
///
/// A result is found in two steps: under the key of what is declared there are lists of discovered paths, one for each
/// way that the step has gone; the digest of what is there now, with the declared key, is the key of the result.
package struct Discovered: Sendable, Hashable {
  /// Sorted by bytes, each once; relative to the root what lies in the tree, or was named so.
  package let paths: [FilePath]

  package init(_ paths: some Sequence<FilePath> = []) {
    self.paths = sortedByBytes(Set(paths))
  }

  /// The paths must be in order already.
  init(sorted paths: [FilePath]) { self.paths = paths }
}

/// One of the discovered paths, as it is now.
package struct DiscoveredInput: Sendable, Hashable {
  package let path: FilePath
  /// What it stands for: the file, or the folder and everything below it; nothing if it is not there.
  package let inputs: [ResolvedInput]
}

/// Turns the paths that an action reports as read into those that decide the next time.
struct Discovery {
  let graph: Graph
  let disk: any Disk

  /// The read paths that the step neither declares nor makes. Throws if another step makes one and may run later.
  func paths(_ read: [FilePath], of index: Int, declared: [[ResolvedInput]]) throws -> Discovered {
    let step = graph.steps[index]
    var known: Set<FilePath> = []
    for list in declared { for input in list where input.kind != .directory { known.insert(input.path) } }
    var left: Set<FilePath> = []
    for path in read {
      let path = try normal(path)
      guard !known.contains(path), !left.contains(path) else { continue }
      guard !step.outputs.contains(where: { path.starts(with: $0) }) else { continue }
      if let maker = disorder(path, index) {
        throw StepFailure(
          "'\(path)' is made by \(graph.steps[maker].title), and \(step.title) does not say that it needs it",
          hint: "add '\(path)' to the inputs of '\(step.name)'")
      }
      left.insert(path)
    }
    return Discovered(left)
  }

  /// Whether what was read the last time may be read before the step that makes it now has run.
  func isDisordered(_ discovered: Discovered, _ index: Int) -> Bool {
    discovered.paths.contains { disorder($0, index) != nil }
  }

  /// A step that makes the path and need not run before this one.
  private func disorder(_ path: FilePath, _ index: Int) -> Int? {
    graph.outputs.touching(path).first { $0 != index && !graph.isOrdered(index, after: $0) }
  }

  /// Relative to the root if it lies in the tree, or was given so.
  private func normal(_ path: FilePath) throws(FileError) -> FilePath {
    let absolute = disk.root.pushing(path)
    var normal = absolute.lexicallyNormalized()
    // Through a link `..` leads elsewhere: such a path stays as it was written.
    if path.components.contains(where: { $0.kind == .parentDirectory }) {
      let one = try disk.status(absolute, followingLinks: false)
      let other = try disk.status(normal, followingLinks: false)
      guard one?.inode == other?.inode, one?.device == other?.device else { return path }
    }
    if normal.removePrefix(disk.root) { return normal.isEmpty ? "." : normal }
    return path.isAbsolute ? normal : path.lexicallyNormalized()
  }
}

/// `'a', 'b' and 3 more`.
func named(_ paths: [FilePath], atMost limit: Int) -> String {
  listed(paths.map { "'\($0)'" }, limit: limit)
}
