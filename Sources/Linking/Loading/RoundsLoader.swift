/// ld64 loads every object of the line and every member that a flag forces, then the libraries that these ask for.
/// Then it searches the libraries, in the order of the line, for each undefined name, in the order of the bytes. The
/// members that are loaded may refer to more names, which makes another round. Common symbols are searched for last
/// (rule 1.8).
struct RoundsLoader: Loader {
  private var finder: InputFinder
  private var resolver: SymbolResolver
  private var index = LibraryIndex()
  /// Libraries in system folders that others re-export and that the line does not name (rule 1.11).
  private var implicit = LibraryIndex()
  /// Install names of the dynamic libraries on the line.
  private var installNames: Set<String> = []
  /// Names that were first mentioned since the last round.
  private var freshNames: [NameID] = []
  /// The number of libraries in the last round.
  private var searchedLibraries = 0
  /// Options of object files that have been followed.
  private var linkedOptions: Set<[String]> = []

  init(_ finder: InputFinder, _ resolver: SymbolResolver) {
    self.finder = finder
    self.resolver = resolver
  }

  private var set: LinkSet { resolver.set }

  consuming func load() -> (InputFinder, SymbolResolver) {
    for (name, alias) in resolver.line.aliases {
      resolver.aliases[resolver.name(name), default: []].append(resolver.name(alias))
    }
    var named: [(input: LinkLine.Input, files: [FileID])] = []
    for input in resolver.line.inputs { named.append((input, finder.files(input))) }
    resolver.noteOptions(named)
    for file in named.flatMap(\.files) {
      if case .library(let library) = set.content(of: file) { installNames.insert(library.installName) }
    }
    let joined = joinedOptions(named)
    for (input, files) in named {
      for file in files { add(file, input.option.isEmpty ? input.load : joined[file] ?? input.load) }
    }
    addAsked()
    resolver.isPastInitial = true
    for text in resolver.initialNames { note(resolver.name(text)) }
    repeat {
      while !freshNames.isEmpty { searchRound() }
    } while searchForCommons()
    // Libraries that the last members asked for are searched once more, and only once.
    for name in names(.undefined) where resolver.resolutions[name].state == .undefined { search(name) }
    if resolver.commons == .error || resolver.profile.warnsOfOptions { meetLibraries() }
    return (finder, resolver)
  }

  /// How the options that name a file load it together (rule 1.21).
  private mutating func joinedOptions(
    _ named: [(input: LinkLine.Input, files: [FileID])]
  ) -> [FileID: LinkLine.Input.Load] {
    guard resolver.profile.joinsOptions else { return [:] }
    var joined: [FileID: LinkLine.Input.Load] = [:]
    for (input, files) in named where !input.option.isEmpty {
      for file in files {
        if joined[file, default: input.load] != input.load { resolver.isReported = true }
        joined[file, default: []].formUnion(input.load)
      }
    }
    return joined
  }

  /// `isAsked` says that an object file asks for the file.
  private mutating func add(_ file: FileID, _ load: LinkLine.Input.Load, isAsked: Bool = false) {
    switch set.content(of: file) {
    case .object(let object): if !isAsked { take(resolver.load(object, isHidden: load.contains(.hidden))) }
    case .archive(let archive): addArchive(file, archive, load, isAsked: isAsked)
    case .library: addExports(of: file)
    case .ignored, .unreadable: if !isAsked { resolver.noteUnused(file) }
    }
  }

  private mutating func addArchive(
    _ file: FileID, _ archive: LinkArchive, _ load: LinkLine.Input.Load, isAsked: Bool
  ) {
    guard finder.isNew(file) else { return }
    // The linker reads all members as soon as it finds the library, and ignores the library if that fails.
    if isAsked, resolver.profile.readsAlignedMembers, archive.firstMisplaced != nil { return }
    guard let archive = resolver.usableArchive(file) else { return }
    if resolver.profile.looksAtEachProcessor {
      for member in archive.foreign {
        guard let object = set.object(member, of: file), let other = set.objects[object].foreign else { continue }
        resolver.passOver(set.place(of: object), "it is for \(other)")
        resolver.isReported = true
      }
    }
    let library = resolver.add(file, isHidden: load.contains(.hidden))
    if let flag = resolver.forcingFlag(file, load, isAsked: isAsked) {
      for member in archive.members.numbers { self.load(member, of: library, flag) }
      // No member is left to be searched for.
      return
    }
    for entry in archive.entries { index.add(entry.name, LibraryIndex.Entry(library: library, member: entry.member)) }
    if resolver.line.has(.objC), !isAsked { forceObjC(archive, library) }
  }

  private mutating func addExports(of file: FileID) {
    for (part, exporter) in finder.withReexports(file, apart: installNames) {
      guard case .library(let content) = set.content(of: part), resolver.takes(content, at: set.files[part].path) else {
        continue
      }
      let library = resolver.add(exporter)
      for export in content.exports {
        let entry = LibraryIndex.Entry(library: library, isWeak: export.isWeak)
        if exporter == file { index.add(export.name, entry) } else { implicit.add(export.name, entry) }
      }
    }
  }

  /// Rule 1.6. Only the first entry of a name in the table counts.
  private mutating func forceObjC(_ archive: LinkArchive, _ library: LibraryID) {
    var seen: Set<NameID> = []
    for entry in archive.entries {
      let isClass = set.names.hasPrefix("_OBJC_CLASS_$_", entry.name)
      guard isClass || resolver.profile.knowsFirstObjCRuntime && set.names.hasPrefix(".objc_c", entry.name),
        seen.insert(entry.name).inserted
      else { continue }
      load(entry.member, of: library, .flag("-ObjC"))
    }
    // For that the linker reads all members, and refuses those for another platform, needed or not.
    let file = resolver.libraries[library].file
    for member in archive.members.numbers {
      guard resolver.finds(member, of: file), let object = set.object(member, of: file) else { continue }
      // One for another processor stops it only when it is loaded.
      if set.objects[object].foreign == nil { _ = resolver.takes(object) }
    }
    for member in archive.members.numbers where resolver.hasObjCSection(member, of: library) {
      load(member, of: library, .flag("-ObjC"))
    }
  }

  /// Rule 1.10: libraries that object files ask for come behind all others, frameworks first, sorted by name.
  private mutating func addAsked() {
    while !resolver.linkerOptions.isEmpty {
      let asked = Set(resolver.linkerOptions).subtracting(linkedOptions)
      linkedOptions.formUnion(asked)
      resolver.linkerOptions = []
      let sorted = asked.sorted { a, b in
        (a.count == 2 ? 0 : 1, a.last ?? "") < (b.count == 2 ? 0 : 1, b.last ?? "")
      }
      for words in sorted {
        if let file = finder.autoLinked(words) { add(file, .lazy, isAsked: true) }
        if resolver.profile.warnsOfOptions, let option = words.first,
          ["-weak", "-reexport", "-upward"].contains(where: option.hasPrefix)
        {
          resolver.remarks.append(.ignoredOption(words.joined(separator: " ")))
        }
      }
    }
  }

  // MARK: Looking for names

  /// What the line names comes first. Then come libraries that are only re-exported, in the order of install names.
  private func entries(of name: NameID) -> [LibraryIndex.Entry] {
    func installName(_ entry: LibraryIndex.Entry) -> String {
      guard case .library(let content) = set.content(of: resolver.libraries[entry.library].file) else { return "" }
      return content.installName
    }
    let others = implicit.entries(of: name).sorted {
      installName($0).utf8.lexicographicallyPrecedes(installName($1).utf8)
    }
    return index.entries(of: name) + others
  }

  private mutating func search(_ name: NameID, dataOnly: Bool = false) {
    for entry in entries(of: name) {
      guard let member = entry.member else {
        if dataOnly, resolver.commons != .useLibraries { continue }
        resolver.bind(name, toExportOf: entry.library, isWeak: entry.isWeak, isWanted: true)
        // Rule 1.11: a weak definition in a dynamic library does not end the search.
        if entry.isWeak { continue }
        return
      }
      // A loaded member without the name is skipped, whatever the table says.
      if resolver.libraries[entry.library].loadedMembers.contains(member) { continue }
      if dataOnly, !definesData(name, member, entry.library) { continue }
      load(member, of: entry.library, .symbol(set.names.text(name)))
      return
    }
  }

  /// Searches for each new undefined name, in the order of the bytes; for all undefined names if there are new
  /// libraries.
  private mutating func searchRound() {
    let isNew = resolver.libraries.count > searchedLibraries
    searchedLibraries = resolver.libraries.count
    let fresh = freshNames.filter { resolver.resolutions[$0].state == .undefined }
    freshNames = []
    let wanted = isNew ? names(.undefined) : sorted(fresh)
    for name in wanted where resolver.resolutions[name].state == .undefined { search(name) }
  }

  /// Rule 1.8. Returns whether a member was loaded.
  private mutating func searchForCommons() -> Bool {
    guard resolver.profile.searchesForCommons else { return false }
    let count = resolver.loaded.count
    for name in names(.common) where resolver.resolutions[name].state == .common { search(name, dataOnly: true) }
    return resolver.loaded.count > count
  }

  /// Whether a member defines the name as data, not as code or another common symbol (rule 1.8).
  private mutating func definesData(_ name: NameID, _ member: MemberID, _ library: LibraryID) -> Bool {
    guard let object = set.object(member, of: resolver.libraries[library].file), resolver.takes(object) else {
      return false
    }
    return set.dataNames(of: object).contains(name)
  }

  /// Records the common symbols that a dynamic library defines, with `-commons error` as errors.
  private mutating func meetLibraries() {
    for name in names(.common) {
      guard let entry = entries(of: name).first(where: { $0.member == nil }) else { continue }
      let load = resolver.resolutions[name].load
      if resolver.commons == .error {
        resolver.commonClashes.append((name, load, entry.library))
      } else {
        resolver.remarks.append(
          .hidesLibrary(
            name: set.names.text(name), common: resolver.place(load), library: resolver.place(of: entry.library)))
      }
    }
  }

  /// The names in a state, in the order of the bytes.
  private func names(_ state: SymbolResolver.Resolution.State) -> [NameID] {
    sorted(resolver.resolutions.numbers.filter { resolver.resolutions[$0].state == state })
  }

  private func sorted(_ names: [NameID]) -> [NameID] { names.sorted { set.names.precedes($0, $1) } }

  // MARK: Loading

  private mutating func load(_ member: MemberID, of library: LibraryID, _ reason: LinkVerdict.Reason) {
    guard let object = resolver.unloaded(member, of: library) else { return }
    take(resolver.load(object, member, of: library, reason))
  }

  private mutating func take(_ load: LoadID?) {
    guard let load else { return }
    resolver.order.append(load)
    if resolver.isPastInitial { addAsked() }
    for symbol in resolver.symbols(of: load) { note(symbol.name) }
    resolver.define(load)
  }

  /// A name that is mentioned for the first time makes another round.
  private mutating func note(_ name: NameID) {
    guard resolver.resolutions[name].state == .unknown else { return }
    resolver.resolutions[name].state = .undefined
    freshNames.append(name)
  }
}
