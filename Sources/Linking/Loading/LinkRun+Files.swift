import ObjectFiles

// Finding files: what the words of a link line stand for.
extension LinkRun {
  /// The files of an input, by number in the link set. What is not there is noted.
  mutating func files(_ input: LinkLine.Input) -> [Int] {
    let files = find(input)
    named.formUnion(files)
    return files
  }

  private mutating func find(_ input: LinkLine.Input) -> [Int] {
    switch input.source {
    case .path(let path): return [file(path)].compactMap { $0 }
    case .library(let name): return [library(name, as: "-l\(name)")].compactMap { $0 }
    case .framework(let name): return [framework(name, as: "-framework \(name)")].compactMap { $0 }
    case .list(let path, let folder):
      guard let text = set.text(at: path) else {
        missing.append(path)
        return []
      }
      return text.split(whereSeparator: \.isNewline).compactMap { line in
        file(folder.map { "\($0)/\(line)" } ?? self.line.resolved(String(line)))
      }
    }
  }

  private mutating func file(_ path: String) -> Int? {
    guard let file = set.file(at: path) else {
      missing.append(path)
      return nil
    }
    return file
  }

  /// In each folder a stub or dynamic library comes before a static one, or in all folders (`-search_dylibs_first`).
  /// `words`: as it is noted if it is not there; nil: it may be missing.
  mutating func library(_ name: String, as words: String?) -> Int? {
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
    if let words { missing.append(words) }
    return nil
  }

  mutating func framework(_ name: String, as words: String?) -> Int? {
    for folder in frameworkFolders {
      for ending in [".tbd", ""] {
        if let file = set.file(at: "\(folder)/\(name).framework/\(name)\(ending)") { return file }
      }
    }
    if let words { missing.append(words) }
    return nil
  }

  /// What an object file asks for; it may be missing.
  mutating func autoLinked(_ words: [String]) -> Int? {
    let file = findAutoLinked(words)
    if let file { named.insert(file) }
    return file
  }

  private mutating func findAutoLinked(_ words: [String]) -> Int? {
    guard let first = words.first else { return nil }
    if words.count == 1, let prefix = ["-needed-l", "-l"].first(where: first.hasPrefix) {
      return library(String(first.dropFirst(prefix.count)), as: nil)
    }
    guard words.count == 2, first == "-framework" || first == "-needed_framework" else { return nil }
    return framework(words[1], as: nil)
  }

  var libraryFolders: [String] { searchPaths(line.libraryPaths, ["/usr/lib", "/usr/local/lib"]) }
  var frameworkFolders: [String] {
    searchPaths(line.frameworkPaths, ["/Library/Frameworks", "/System/Library/Frameworks"])
  }

  private func searchPaths(_ named: [String], _ usual: [String]) -> [String] {
    named + (line.root.map { root in usual.map { root + $0 } } ?? usual)
  }

  /// The static library of a file, if this linker takes it as it is: why not is noted (rule 1.4).
  mutating func usableArchive(_ file: Int) -> LinkArchive? {
    guard case .archive(let archive) = set.content(of: file) else { return nil }
    // What is left of it is looked at all the same: it may collide once it is whole again.
    if archive.isDamaged { refusals.append("\(set.files[file].path) cannot be read") }
    switch archive.table {
    case .darwin: break
    case .none:
      if archive.members.isEmpty { break }
      refusals.append("\(set.files[file].path) has no table of contents")
      return nil
    case .foreign:
      guard profile.readsForeignArchives else {
        remarks.append(.ignored(file: set.files[file].path, why: "its table of contents is not Apple's"))
        return nil
      }
    }
    if profile.readsAlignedMembers, archive.firstMisplaced == 0 {
      remarks.append(.ignored(file: set.files[file].path, why: "its members do not begin at multiples of 4 bytes"))
      return nil
    }
    return archive
  }

  /// What all linkers pass over.
  mutating func noteUnused(_ file: Int) {
    switch set.content(of: file) {
    case .ignored(let why): remarks.append(.ignored(file: set.files[file].path, why: why))
    case .unreadable: refusals.append("\(set.files[file].path) cannot be read")
    default: break
    }
  }

  func isWideFatFile(_ file: Int) -> Bool {
    set.files[file].bytes.withReader { reader in if case .fat64 = FileKind(reader) { true } else { false } }
  }

  /// The processor that an object file of a library is for, if it is another than the link's: rule 1.14 holds for it, too.
  func foreignArchitecture(of object: Int) -> Architecture? {
    guard set.objects[object].symbols.isEmpty else { return nil }
    let found: Architecture? = try? set.withReader(of: object) { (reader) throws(FormatError) in
      guard case .machO = FileKind(reader) else { return nil }
      return try MachOFile(reader).architecture
    }
    return found == set.architecture ? nil : found
  }

  /// A static or dynamic library that is named twice counts once (rule 1.5): by its path as it is spelled.
  mutating func isNew(_ file: Int) -> Bool { libraryPaths.insert(set.files[file].path).inserted }
}
