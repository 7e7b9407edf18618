import Findings
import Store
package import SystemPackage

/// The files that a step read besides its inputs, as its depfile named them. They are part of its key the next time.
///
/// A result is found in two steps: the key of the declared inputs leads to lists of discovered paths; their current
/// contents, with the declared key, give the key of the result.
package struct Discovered: Sendable, Hashable {
  /// Sorted by bytes, each once. Paths in the tree are relative to the root, and so are those that were named so.
  package let paths: [FilePath]

  package init(_ paths: some Sequence<FilePath> = []) {
    self.paths = sortedByBytes(Set(paths))
  }

  /// The paths must be sorted and unique.
  init(sorted paths: [FilePath]) { self.paths = paths }
}

/// A discovered path as it is now.
package struct DiscoveredInput: Sendable, Hashable {
  package let path: FilePath
  /// The file, or the folder and everything below it; empty if it is not there.
  package let inputs: [ResolvedInput]
}

/// Turns the paths that an action reports as read into the discovered paths.
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

  /// Whether a path that was read the last time is now made by a step that need not run before this one.
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
