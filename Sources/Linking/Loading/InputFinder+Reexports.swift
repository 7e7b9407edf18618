// Rule 1.11: whoever links with a dynamic library finds in it what it re-exports.
extension InputFinder {
  /// A dynamic library and those that it re-exports, in the order in which their names are found; none that the link has
  /// already. The output will look for names in the `exporter`: a library in one of the system's folders stands for
  /// itself, any other is a part of the one that re-exports it.
  mutating func withReexports(_ file: FileID) -> [(file: FileID, exporter: FileID)] {
    var found: [(file: FileID, exporter: FileID)] = []
    // A stack, and no recursion: the files say how deep it gets.
    var open: [(file: FileID, umbrella: FileID?)] = [(file, nil)]
    while let next = open.popLast() {
      guard case .library(let library) = set.content(of: next.file), isNew(next.file) else { continue }
      named.insert(next.file)
      let exporter = library.isSystems ? next.file : next.umbrella ?? next.file
      found.append((next.file, exporter))
      let inner = reexported(by: library, at: set.files[next.file].path)
      open += inner.reversed().map { ($0, exporter) }
    }
    return found
  }

  /// Files that a library at a path re-exports.
  func reexported(by library: LinkLibrary, at place: String) -> [FileID] {
    library.reexports.compactMap { reexported($0, by: library, at: place) }
  }

  /// Where lld looks for it; nil if it is not there. Without an SDK the system's libraries are not, and they define nothing
  /// that a plugin should.
  private func reexported(_ path: String, by library: LinkLibrary, at place: String) -> FileID? {
    let leaf = path.split(separator: "/").last.map(String.init) ?? path
    let stem = leaf.lastIndex(of: ".").map { String(leaf[..<$0]) } ?? leaf
    if "/\(path)".hasSuffix("/\(leaf).framework/\(leaf)") {
      for folder in frameworkFolders {
        if let file = stubOrImage("\(folder)/\(leaf).framework/\(leaf)") { return file }
      }
    } else {
      for folder in libraryFolders { if let file = stubOrImage("\(folder)/\(stem).dylib") { return file } }
    }
    if path.hasPrefix("/") { return line.root.flatMap { stubOrImage($0 + path) } }
    func inFolder(of place: String, _ path: String) -> String? {
      guard path.hasPrefix("@loader_path/") else { return nil }
      return (place.lastIndex(of: "/").map { String(place[...$0]) } ?? "") + path.dropFirst("@loader_path/".count)
    }
    if path.hasPrefix("@rpath/") {
      for folder in library.searchPaths {
        let whole = "\(folder)/\(path.dropFirst("@rpath/".count))"
        if let file = stubOrImage(inFolder(of: place, whole) ?? whole) { return file }
      }
      return nil
    }
    return stubOrImage(inFolder(of: place, path) ?? path)
  }

  private func stubOrImage(_ path: String) -> FileID? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let leaf = path.dropFirst(folder.count)
    let stem = leaf.lastIndex(of: ".").map { leaf[..<$0] } ?? leaf
    return set.file(at: "\(folder)\(stem).tbd") ?? set.file(at: path)
  }
}
