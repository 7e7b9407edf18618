import Findings

/// Finds the files that the words of a link line stand for, and those that files of the link ask for.
package struct InputFinder {
  let set: LinkSet
  let line: LinkLine
  let libraryFolders: [String]
  let frameworkFolders: [String]
  /// Every file that was found, used or not.
  package internal(set) var named: Set<FileID> = []
  /// Files and libraries that do not exist, as the line names them.
  private(set) var missing: [String] = []
  private var libraryPaths: Set<String> = []

  init(_ set: LinkSet, _ line: LinkLine) {
    self.set = set
    self.line = line
    func paths(_ named: [String], _ usual: [String]) -> [String] { named + usual.map { (line.root ?? "") + $0 } }
    libraryFolders = paths(line.libraryPaths, ["/usr/lib", "/usr/local/lib"])
    frameworkFolders = paths(line.frameworkPaths, ["/Library/Frameworks", "/System/Library/Frameworks"])
  }

  /// Missing files are noted.
  mutating func files(_ input: LinkLine.Input) -> [FileID] {
    let found: [(name: String, file: FileID?)] =
      switch input.source {
      case .path(let path): [(path, set.file(at: path))]
      case .library(let name): [("-l\(name)", library(name))]
      case .framework(let name): [("-framework \(name)", framework(name))]
      case .list(let path, let folder):
        set.text(at: path)?.lines.map { line in
          let path = folder.map { "\($0)/\(line)" } ?? self.line.resolved(String(line))
          return (path, set.file(at: path))
        } ?? [(path, nil)]
      }
    missing += found.filter { $0.file == nil }.map(\.name)
    named.formUnion(found.compactMap(\.file))
    return found.compactMap(\.file)
  }

  /// The library that an object file asks for (`LC_LINKER_OPTION`); it may be missing.
  mutating func autoLinked(_ words: [String]) -> FileID? {
    var file: FileID?
    if words.count == 1, let prefix = ["-needed-l", "-l"].first(where: words[0].hasPrefix) {
      file = library(String(words[0].dropFirst(prefix.count)))
    } else if words.count == 2, words[0] == "-framework" || words[0] == "-needed_framework" {
      file = framework(words[1])
    }
    if let file { named.insert(file) }
    return file
  }

  /// A stub or dynamic library comes before a static one in each folder, or across all folders with
  /// `-search_dylibs_first`.
  private func library(_ name: String) -> FileID? {
    // `-lx.o` is a file of that name.
    if name.hasSuffix(".o") { return first(libraryFolders.map { "\($0)/\(name)" }) }
    let kinds = line.has(.searchDylibsFirst) ? [["tbd", "dylib"], ["a"]] : [["tbd", "dylib", "a"]]
    return first(
      kinds.flatMap { endings in libraryFolders.flatMap { folder in endings.map { "\(folder)/lib\(name).\($0)" } } })
  }

  private func framework(_ name: String) -> FileID? {
    first(frameworkFolders.flatMap { ["\($0)/\(name).framework/\(name).tbd", "\($0)/\(name).framework/\(name)"] })
  }

  private func first(_ paths: [String]) -> FileID? {
    for path in paths { if let file = set.file(at: path) { return file } }
    return nil
  }

  /// A static or dynamic library that is named twice counts once, by the spelling of its path (rule 1.5).
  mutating func isNew(_ file: FileID) -> Bool { libraryPaths.insert(set.files[file].path).inserted }
}

// Rule 1.11: a dynamic library also has the exports of the libraries that it re-exports.
extension InputFinder {
  /// A dynamic library and those it re-exports, in the order of look-ups, without those the link has. The output names
  /// the `exporter`: a library in a system folder stands for itself, any other is a part of its re-exporter. `apart`
  /// are the install names of libraries in system folders that are left out.
  mutating func withReexports(
    _ file: FileID, apart: Set<String> = []
  ) -> [(file: FileID, exporter: FileID)] {
    var found: [(file: FileID, exporter: FileID)] = []
    // The stack is explicit, since the files decide how deep it gets.
    var open: [(file: FileID, umbrella: FileID?)] = [(file, nil)]
    while let next = open.popLast() {
      guard case .library(let library) = set.content(of: next.file),
        next.umbrella == nil || !library.isSystems || !apart.contains(library.installName), isNew(next.file)
      else { continue }
      named.insert(next.file)
      let exporter = library.isSystems ? next.file : next.umbrella ?? next.file
      found.append((next.file, exporter))
      let inner = reexported(by: library, at: set.files[next.file].path)
      open += inner.reversed().map { ($0, exporter) }
    }
    return found
  }

  func reexported(by library: LinkLibrary, at place: String) -> [FileID] {
    library.reexports.compactMap { reexported($0, by: library, at: place) }
  }

  /// Searches where lld does; nil if the library is missing. Without an SDK the system's libraries are missing, and
  /// are not needed.
  private func reexported(_ path: String, by library: LinkLibrary, at place: String) -> FileID? {
    let leaf = String(path.lastPathPart)
    let stem = leaf.lastIndex(of: ".").map { String(leaf[..<$0]) } ?? leaf
    let isFramework = "/\(path)".hasSuffix("/\(leaf).framework/\(leaf)")
    let usual =
      isFramework
      ? frameworkFolders.map { "\($0)/\(leaf).framework/\(leaf)" } : libraryFolders.map { "\($0)/\(stem).dylib" }
    let own =
      path.hasPrefix("/")
      ? [line.root.map { $0 + path }].compactMap(\.self)
      : path.hasPrefix("@rpath/") ? library.searchPaths.map { "\($0)/\(path.dropFirst("@rpath/".count))" } : [path]
    let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
    let places = own.map { $0.hasPrefix("@loader_path/") ? folder + $0.dropFirst("@loader_path/".count) : $0 }
    return first((usual + places).flatMap { [InputFinder.stub(beside: $0), $0] })
  }

  private static func stub(beside path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let leaf = path.dropFirst(folder.count)
    return "\(folder)\(leaf.lastIndex(of: ".").map { leaf[..<$0] } ?? leaf).tbd"
  }
}
