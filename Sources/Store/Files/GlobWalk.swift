package import SystemPackage

/// A tree to search with globs. Paths are relative to its top.
package protocol GlobTree {
  /// The status of the path itself, which may be a link; nil if nothing is there.
  func status(_ path: FilePath) throws(FileError) -> FileStamp?
  /// The status of the path after all links are followed.
  func target(_ path: FilePath) throws(FileError) -> FileStamp?
  /// Sorted by bytes.
  func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component]
}

extension Glob {
  /// The matches, each once, sorted by bytes; a folder is one match. Folders in `hidden` are left out.
  package func matches(in tree: some GlobTree, hidden: Set<FilePath> = []) throws(FileError) -> [FilePath] {
    var found: Set<FilePath> = []
    for parts in alternatives {
      var walk = GlobWalk(tree: tree, hidden: hidden, found: found)
      try walk.expand(parts[...], in: FilePath())
      found = walk.found
    }
    return sortedByBytes(found)
  }

  /// The same in a folder of the disk.
  package func matches(below folder: FilePath) throws(FileError) -> [FilePath] {
    try matches(in: Folder(top: folder))
  }

  private struct Folder: GlobTree {
    let top: FilePath

    func status(_ path: FilePath) throws(FileError) -> FileStamp? { try FileSystem.status(of: top.pushing(path)) }

    func target(_ path: FilePath) throws(FileError) -> FileStamp? {
      try FileSystem.status(of: top.pushing(path), followingLinks: true)
    }

    func list(_ folder: FilePath) throws(FileError) -> [FilePath.Component] {
      try FileSystem.list(top.pushing(folder))
    }
  }
}

package func sortedByBytes(_ paths: some Sequence<FilePath>) -> [FilePath] {
  paths.map { (path: $0, bytes: $0.pathBytes) }
    .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    .map(\.path)
}

/// Lists only folders that the pattern can reach.
private struct GlobWalk<Tree: GlobTree> {
  let tree: Tree
  let hidden: Set<FilePath>
  var found: Set<FilePath>
  /// The folders visited for each part of the pattern, because several `**` can lead to the same folder in many ways.
  var visited: [Int: Set<FilePath>] = [:]

  mutating func expand(_ parts: ArraySlice<GlobPart>, in folder: FilePath) throws(FileError) {
    guard let part = parts.first, visited[parts.startIndex, default: []].insert(folder).inserted else { return }
    let rest = parts.dropFirst()
    switch part {
    case .literal(let name):
      guard let component = FilePath.Component(nameBytes: name) else { return }
      let path = folder.appending(component)
      guard !hidden.contains(path) else { return }
      if rest.isEmpty {
        if try tree.status(path) != nil { found.insert(path) }
      } else if try tree.target(path)?.kind == .directory {
        // A link that the pattern names is followed.
        try expand(rest, in: path)
      }
    case .wildcard, .anyDepth:
      var isDeep = false
      if case .anyDepth = part { isDeep = true }
      if isDeep, !rest.isEmpty { try expand(rest, in: folder) }
      for name in try names(in: folder) where part.matches(name.nameBytes) {
        let path = folder.appending(name)
        if hidden.contains(path) { continue }
        if !isDeep, rest.isEmpty {
          found.insert(path)
        } else if try tree.status(path)?.kind == .directory {
          try expand(isDeep ? parts : rest, in: path)
        } else if rest.isEmpty {
          found.insert(path)
        }
      }
    }
  }

  private func names(in folder: FilePath) throws(FileError) -> [FilePath.Component] {
    if !folder.isEmpty, try tree.target(folder)?.kind != .directory { return [] }
    return try tree.list(folder)
  }
}
