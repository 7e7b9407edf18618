package import SystemPackage

/// Follows paths through symbolic links. It caches which places are folders, because many paths lead through the same
/// ones, so it must be short-lived.
package struct LinkWalk: Sendable {
  private var folders: Set<FilePath> = []

  package init() {}

  /// The places that an absolute path leads through, each without a link above it: every link, every folder that it
  /// leaves by `..`, and at last where it ends, whether anything is there or not.
  package mutating func places(of path: FilePath) -> [FilePath] {
    var places: [FilePath] = []
    var place: FilePath = "/"
    var rest = Array(path.components.reversed())
    var links = 0
    while let name = rest.popLast() {
      switch name.kind {
      case .currentDirectory: continue
      case .parentDirectory:
        places.append(place)
        place.removeLastComponent()
        continue
      case .regular: place.append(name)
      }
      if folders.contains(place) { continue }
      switch (try? FileSystem.status(of: place))?.kind {
      case .directory: folders.insert(place)
      case .symbolicLink where links < LinkWalk.maxLinks:
        guard let target = try? FileSystem.linkTarget(place) else { return places + [place] }
        places.append(place)
        links += 1
        if target.isAbsolute { place = "/" } else { place.removeLastComponent() }
        rest += target.components.reversed()
      default: return places + [place]
      }
    }
    return places + [place]
  }

  /// The limit of Linux.
  private static let maxLinks = 40
}
