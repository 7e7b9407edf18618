import Store
import SystemPackage

/// Finds what a glob matches. Lists only folders that the pattern can reach.
struct GlobWalk {
  let view: DiskView
  /// Relative folders that no glob sees: the state and the outputs of this tool.
  let hidden: Set<FilePath>

  /// Sorted by bytes, each once.
  static func expand(_ glob: Glob, in view: DiskView, hidden: Set<FilePath>) throws(FileError) -> [FilePath] {
    try view.matches(glob) { glob throws(FileError) in
      let walk = GlobWalk(view: view, hidden: hidden)
      var found: Set<FilePath> = []
      for parts in glob.alternatives {
        var visited: Set<Visit> = []
        try walk.expand(parts[...], in: FilePath(), found: &found, visited: &visited)
      }
      return sortedByBytes(found)
    }
  }

  /// Two `**` can lead to the same folder in many ways: each is gone once.
  private struct Visit: Hashable {
    let part: Int
    let folder: FilePath
  }

  private func expand(
    _ parts: ArraySlice<GlobPart>, in folder: FilePath, found: inout Set<FilePath>, visited: inout Set<Visit>
  ) throws(FileError) {
    guard let part = parts.first, visited.insert(Visit(part: parts.startIndex, folder: folder)).inserted else { return }
    let rest = parts.dropFirst()
    switch part {
    case .literal(let name):
      guard let component = FilePath.Component(nameBytes: name) else { return }
      let path = folder.appending(component)
      guard !hidden.contains(path) else { return }
      if rest.isEmpty {
        if try view.status(path) != nil { found.insert(path) }
      } else if try view.target(path)?.kind == .folder {
        // Named, so a link is followed here.
        try expand(rest, in: path, found: &found, visited: &visited)
      }
    case .wildcard:
      for name in try names(in: folder) where part.matches(name.nameBytes) {
        let path = folder.appending(name)
        if hidden.contains(path) { continue }
        if rest.isEmpty {
          found.insert(path)
        } else if try view.status(path)?.kind == .folder {
          try expand(rest, in: path, found: &found, visited: &visited)
        }
      }
    case .anyDepth:
      if !rest.isEmpty { try expand(rest, in: folder, found: &found, visited: &visited) }
      for name in try names(in: folder) where !Glob.isHidden(name.nameBytes) {
        let path = folder.appending(name)
        if hidden.contains(path) { continue }
        if try view.status(path)?.kind == .folder {
          try expand(parts, in: path, found: &found, visited: &visited)
        } else if rest.isEmpty {
          found.insert(path)
        }
      }
    }
  }

  private func names(in folder: FilePath) throws(FileError) -> [FilePath.Component] {
    if !folder.isEmpty, try view.target(folder)?.kind != .folder { return [] }
    return try view.list(folder)
  }
}

func sortedByBytes(_ paths: some Sequence<FilePath>) -> [FilePath] {
  paths.map { (path: $0, bytes: $0.pathBytes) }
    .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    .map(\.path)
}
