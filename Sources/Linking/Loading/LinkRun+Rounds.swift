// Rule 1.3, ld64: first every object of the line and every member that a flag forces, then the libraries that these ask for;
// then in rounds each name that is wanted, in the order of the bytes, is looked for in the libraries, the first of the line
// first. What is loaded may want more: another round. Then the same for commons (rule 1.8).
extension LinkRun {
  mutating func linkInRounds() {
    for (name, alias) in line.aliases { aliases[set.names.id(name), default: []].append(set.names.id(alias)) }
    makeRoom()
    for input in line.inputs {
      for file in files(input) { addInitially(file, input.load) }
    }
    linkAsked()
    isPastInitial = true
    for text in initialNames { note(set.names.id(text)) }
    repeat {
      while !freshNames.isEmpty { searchRound() }
    } while searchForCommons()
    // Once more, and only once, for libraries that the last members asked for.
    for name in names(.undefined) where resolutions[name.index].state == .undefined { search(name) }
    if commons == .error { clashWithLibraries() }
  }

  private mutating func addInitially(_ file: Int, _ load: LinkLine.Input.Load) {
    switch set.content(of: file) {
    case .object(let object):
      positions += 1
      self.load(object, nil, isHidden: load == .hidden, Position(file: positions))
    case .archive, .library: addLibrary(file, load, isAsked: false)
    case .ignored, .unreadable: noteUnused(file)
    }
  }

  private mutating func addLibrary(_ file: Int, _ load: LinkLine.Input.Load, isAsked: Bool) {
    if case .library = set.content(of: file) {
      addExports(of: file)
      return
    }
    guard isNew(file) else { return }
    positions += 1
    let library = libraries.count
    // All members are read as soon as the library is found, and what fails for one that nobody named is passed over.
    if isAsked, profile.readsAlignedMembers, case .archive(let archive) = set.content(of: file),
      archive.firstMisplaced != nil
    {
      return
    }
    guard let archive = usableArchive(file) else { return }
    libraries.append(Library(file: file, position: positions, isHidden: load == .hidden))
    if load == .forced || line.has(.allLoad) && (!isAsked || profile.forcesAutoLinked) {
      let flag = load == .forced ? "-force_load" : "-all_load"
      for member in archive.members.indices { loadMember(member, of: library, .flag(flag)) }
      // Nothing is left in it to look for.
      return
    }
    for entry in archive.entries {
      index.add(entry.name, LibraryIndex.Entry(library: library, member: entry.member))
    }
    if line.has(.objC), !isAsked { forceObjC(archive, library) }
  }

  private mutating func addExports(of file: Int) {
    for (part, _) in withReexports(file) {
      guard case .library(let content) = set.content(of: part), takes(content, at: set.files[part].path) else {
        continue
      }
      positions += 1
      let library = libraries.count
      libraries.append(Library(file: file, position: positions))
      for export in content.exports {
        index.add(export.name, LibraryIndex.Entry(library: library, isWeak: export.isWeak))
      }
    }
  }

  /// Rule 1.6. Of a name that is twice in the table only the earliest entry counts.
  private mutating func forceObjC(_ archive: LinkArchive, _ library: Int) {
    var seen: Set<NameTable.ID> = []
    for entry in archive.entries {
      let isClass = set.names.hasPrefix("_OBJC_CLASS_$_", entry.name)
      guard isClass || profile.knowsFirstObjCRuntime && set.names.hasPrefix(".objc_c", entry.name),
        seen.insert(entry.name).inserted
      else { continue }
      loadMember(entry.member, of: library, .flag("-ObjC"))
    }
    // All are read for that, wanted or not.
    for member in archive.members.indices {
      if finds(member, of: libraries[library].file), let object = set.object(member, of: libraries[library].file) {
        _ = takes(object)
      }
    }
    for member in archive.members.indices
    where !libraries[library].loadedMembers.contains(member) && hasObjCSection(member, library) {
      loadMember(member, of: library, .flag("-ObjC"))
    }
  }

  // MARK: Looking for names

  private mutating func search(_ name: NameTable.ID, dataOnly: Bool = false) {
    var number = index.first(name)
    while let current = number {
      let (entry, next) = index.entry(at: current)
      number = next
      guard let member = entry.member else {
        if dataOnly, commons != .useLibraries { continue }
        export(name, entry)
        // Rule 1.11: a weak definition in a dynamic library does not end the search.
        if entry.isWeak { continue }
        return
      }
      // One that is loaded and does not have it, whatever the table says, is passed over.
      if libraries[entry.library].loadedMembers.contains(member) { continue }
      if dataOnly, !definesData(name, member, entry.library) { continue }
      loadMember(member, of: entry.library, .symbol(set.names.text(name)))
      return
    }
  }

  /// Each name that nobody has looked for, in the order of the bytes; all of them again if there are new libraries.
  private mutating func searchRound() {
    let isNew = libraries.count > searchedLibraries
    searchedLibraries = libraries.count
    let fresh = freshNames.filter { resolutions[$0.index].state == .undefined }
    freshNames = []
    let wanted = isNew ? names(.undefined) : fresh.sorted { set.names.precedes($0, $1) }
    for name in wanted where resolutions[name.index].state == .undefined { search(name) }
  }

  /// Rule 1.8. Whether anything came of it.
  private mutating func searchForCommons() -> Bool {
    guard profile.searchesForCommons else { return false }
    let count = loaded.count
    for name in names(.common) where resolutions[name.index].state == .common { search(name, dataOnly: true) }
    return loaded.count > count
  }

  /// As data, not code and not another common symbol (rule 1.8).
  private mutating func definesData(_ name: NameTable.ID, _ member: Int, _ library: Int) -> Bool {
    guard let object = set.object(member, of: libraries[library].file), takes(object) else { return false }
    return set.dataNames(of: object).contains(name)
  }

  private mutating func export(_ name: NameTable.ID, _ entry: LibraryIndex.Entry) {
    let old = resolutions[name.index]
    let isBetter = old.state == .exported && old.flags.contains(.weak) && !entry.isWeak
    guard old.state == .undefined || isBetter || old.state == .common && commons == .useLibraries else { return }
    resolutions[name.index] = Resolution(
      state: .exported, flags: entry.isWeak ? .weak : [], isWanted: true, owner: UInt32(entry.library))
  }

  /// `-commons error`: a common symbol that a dynamic library defines.
  private mutating func clashWithLibraries() {
    for name in names(.common) {
      var number = index.first(name)
      while let current = number {
        let (entry, next) = index.entry(at: current)
        number = next
        guard entry.member == nil else { continue }
        commonClashes.append((name, Int(resolutions[name.index].owner), entry.library))
        break
      }
    }
  }

  /// All that are bound so, in the order of their bytes.
  private func names(_ state: Resolution.State) -> [NameTable.ID] {
    resolutions.indices.filter { resolutions[$0].state == state }.map { NameTable.ID(rawValue: UInt32($0)) }
      .sorted { set.names.precedes($0, $1) }
  }

  // MARK: Loading

  private mutating func loadMember(_ member: Int, of library: Int, _ reason: LinkVerdict.Reason) {
    guard libraries[library].loadedMembers.insert(member).inserted else { return }
    guard finds(member, of: libraries[library].file),
      let object = set.object(member, of: libraries[library].file)
    else { return }
    let position = Position(file: libraries[library].position, member: member)
    load(object, reason, isHidden: libraries[library].isHidden, position)
  }

  private mutating func load(_ object: Int, _ reason: LinkVerdict.Reason?, isHidden: Bool, _ position: Position) {
    guard takes(object) else { return }
    let owner = loaded.count
    loaded.append(Loaded(object: object, reason: reason, position: position, isHidden: isHidden))
    order.append(owner)
    if !line.has(.ignoreAutoLink) {
      unlinked += set.objects[object].linkerOptions
      if isPastInitial { linkAsked() }
    }
    makeRoom()
    for symbol in set.objects[object].symbols { note(symbol.name) }
    define(owner)
  }

  /// A name that is spoken of for the first time makes another round.
  private mutating func note(_ name: NameTable.ID) {
    makeRoom()
    guard resolutions[name.index].state == .unknown else { return }
    resolutions[name.index].state = .undefined
    freshNames.append(name)
  }

  /// Rule 1.10: libraries that object files ask for, frameworks first, sorted by name, behind all others.
  private mutating func linkAsked() {
    while !unlinked.isEmpty {
      let asked = Set(unlinked).subtracting(linked)
      linked.formUnion(asked)
      unlinked = []
      let sorted = asked.sorted { a, b in
        (a.count == 2 ? 0 : 1, a.last ?? "") < (b.count == 2 ? 0 : 1, b.last ?? "")
      }
      for words in sorted {
        if let file = autoLinked(words) { addLibrary(file, .lazy, isAsked: true) }
      }
    }
  }
}
