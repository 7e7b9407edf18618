/// Which files the words of a link line stand for, and those that files of the link ask for.
package struct InputFinder {
  let set: LinkSet
  let line: LinkLine
  let libraryFolders: [String]
  let frameworkFolders: [String]
  /// Every file of the line, whatever came of it.
  package internal(set) var named: Set<FileID> = []
  /// Files and libraries that are not there, as the line names them.
  private(set) var missing: [String] = []
  private var libraryPaths: Set<String> = []

  init(_ set: LinkSet, _ line: LinkLine) {
    self.set = set
    self.line = line
    func paths(_ named: [String], _ usual: [String]) -> [String] { named + usual.map { (line.root ?? "") + $0 } }
    libraryFolders = paths(line.libraryPaths, ["/usr/lib", "/usr/local/lib"])
    frameworkFolders = paths(line.frameworkPaths, ["/Library/Frameworks", "/System/Library/Frameworks"])
  }

  /// The files of an input. What is not there is noted.
  mutating func files(_ input: LinkLine.Input) -> [FileID] {
    let found: [(name: String, file: FileID?)] =
      switch input.source {
      case .path(let path): [(path, set.file(at: path))]
      case .library(let name): [("-l\(name)", library(name))]
      case .framework(let name): [("-framework \(name)", framework(name))]
      case .list(let path, let folder):
        set.text(at: path)?.split(whereSeparator: \.isNewline).map { line in
          let path = folder.map { "\($0)/\(line)" } ?? self.line.resolved(String(line))
          return (path, set.file(at: path))
        } ?? [(path, nil)]
      }
    missing += found.filter { $0.file == nil }.map(\.name)
    named.formUnion(found.compactMap(\.file))
    return found.compactMap(\.file)
  }

  /// What an object file asks for (`LC_LINKER_OPTION`); it may be missing.
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

  /// In each folder a stub or dynamic library comes before a static one, or in all folders (`-search_dylibs_first`).
  private func library(_ name: String) -> FileID? {
    let kinds = line.has(.searchDylibsFirst) ? [["tbd", "dylib"], ["a"]] : [["tbd", "dylib", "a"]]
    for endings in kinds {
      for folder in libraryFolders {
        for ending in endings {
          // `-lx.o` is a file of that name.
          let leaf = name.hasSuffix(".o") ? name : "lib\(name).\(ending)"
          if let file = set.file(at: "\(folder)/\(leaf)") { return file }
        }
      }
    }
    return nil
  }

  private func framework(_ name: String) -> FileID? {
    for folder in frameworkFolders {
      for ending in [".tbd", ""] {
        if let file = set.file(at: "\(folder)/\(name).framework/\(name)\(ending)") { return file }
      }
    }
    return nil
  }

  /// A static or dynamic library that is named twice counts once (rule 1.5): by its path as it is spelled.
  mutating func isNew(_ file: FileID) -> Bool { libraryPaths.insert(set.files[file].path).inserted }
}
