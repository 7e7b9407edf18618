// Rule 1.3, lld: files are read one by one in the order of the line. A member is loaded the moment that both its library
// and somebody who wants one of its names have been read; it is read to its end before the reading goes on where it was.
extension LinkRun {
  mutating func linkEagerly() {
    makeRoom()
    for name in initialNames { wantInitially(name) }
    for input in line.inputs {
      for file in files(input) { addEagerly(file, input.load, isAsked: false) }
    }
    addAliases()
    applyExports()
    // Rule 1.10: libraries that object files ask for come last.
    while !unlinked.isEmpty {
      let asked = unlinked
      unlinked = []
      for words in asked {
        guard let file = autoLinked(words) else { continue }
        addEagerly(file, .lazy, isAsked: true)
      }
    }
  }

  private mutating func wantInitially(_ text: String) {
    let name = set.names.id(text)
    makeRoom()
    want(name)
    loadPending()
  }

  private mutating func addEagerly(_ file: Int, _ load: LinkLine.Input.Load, isAsked: Bool) {
    positions += 1
    if !profile.readsWideFatFiles, isWideFatFile(file) {
      refusals.append(
        "\(set.files[file].path) is a fat file with offsets of 64 bits, which \(profile.name) does not know")
      return
    }
    switch set.content(of: file) {
    case .object(let object):
      self.load(object, nil, isHidden: load == .hidden, member: 0)
    case .archive:
      guard isNew(file), let archive = usableArchive(file) else { return }
      let library = libraries.count
      libraries.append(Library(file: file, position: positions, isHidden: load == .hidden))
      makeRoom()
      if !isAsked, load == .forced || line.has(.allLoad) {
        let flag = load == .forced ? "-force_load" : "-all_load"
        for member in archive.members.indices { fetch(member, of: library, .flag(flag)) }
      } else if !isAsked, line.has(.objC) {
        forceObjC(archive, library)
      }
      for entry in archive.entries { offer(entry, library) }
    case .library: for (file, exporter) in withReexports(file) { addExports(of: file, exporter) }
    case .ignored, .unreadable: noteUnused(file)
    }
  }

  /// Rule 1.6.
  private mutating func forceObjC(_ archive: LinkArchive, _ library: Int) {
    for entry in archive.entries where set.names.hasPrefix("_OBJC_CLASS_$_", entry.name) {
      fetch(entry.member, of: library, .symbol(set.names.text(entry.name)))
    }
    for member in archive.members.indices where hasObjCSection(member, library) {
      fetch(member, of: library, .flag("-ObjC"))
    }
  }

  /// Whether `-ObjC` loads a member for a section of its own (rule 1.6).
  func hasObjCSection(_ member: Int, _ library: Int) -> Bool {
    guard let object = set.object(member, of: libraries[library].file) else { return false }
    let sections = set.objects[object].objCSections
    return profile.countsEmptyObjCSections ? sections != .none : sections == .filled
  }

  // MARK: What a file says of a name

  private mutating func want(_ name: NameTable.ID) {
    switch resolutions[name.index].state {
    case .unknown: resolutions[name.index].state = .undefined
    case .offered:
      let offer = resolutions[name.index]
      push(Int(offer.symbol), of: Int(offer.owner), .symbol(set.names.text(name)))
    case .exported: resolutions[name.index].isWanted = true
    case .undefined, .common, .defined: break
    }
  }

  private mutating func offer(_ entry: LinkArchive.Entry, _ library: Int) {
    let old = resolutions[entry.name.index]
    // Rule 1.11: a weak definition in a dynamic library does not end the search.
    let isOpen = old.state == .exported && old.flags.contains(.weak)
    if old.state == .undefined || isOpen && old.isWanted {
      fetch(entry.member, of: library, .symbol(set.names.text(entry.name)))
    } else if old.state == .unknown || isOpen {
      resolutions[entry.name.index] = Resolution(
        state: .offered, symbol: UInt32(entry.member), owner: UInt32(library))
    }
  }

  private mutating func addExports(of file: Int, _ exporter: Int) {
    guard case .library(let content) = set.content(of: file) else { return }
    guard takes(content, at: set.files[file].path) else { return }
    if content.isForOthers { refusals.append("\(set.files[file].path) has nothing for \(set.architecture)") }
    let library = libraries.count
    libraries.append(Library(file: exporter, position: positions))
    makeRoom()
    for export in content.exports { self.export(export, library) }
  }

  private mutating func export(_ export: LinkLibrary.Export, _ library: Int) {
    let old = resolutions[export.name.index]
    let isBetter = old.state == .exported && old.flags.contains(.weak) && !export.isWeak
    guard old.state == .unknown || old.state == .undefined || isBetter else { return }
    resolutions[export.name.index] = Resolution(
      state: .exported, flags: export.isWeak ? .weak : [], isWanted: old.state == .undefined || old.isWanted,
      owner: UInt32(library))
  }

  // MARK: Loading

  private mutating func fetch(_ member: Int, of library: Int, _ reason: LinkVerdict.Reason) {
    push(member, of: library, reason)
    loadPending()
  }

  private mutating func push(_ member: Int, of library: Int, _ reason: LinkVerdict.Reason) {
    guard libraries[library].loadedMembers.insert(member).inserted else { return }
    guard let object = set.object(member, of: libraries[library].file) else { return }
    begin(object, reason, isHidden: libraries[library].isHidden, member: member, file: libraries[library].position)
  }

  private mutating func load(_ object: Int, _ reason: LinkVerdict.Reason?, isHidden: Bool, member: Int) {
    begin(object, reason, isHidden: isHidden, member: member, file: positions)
    loadPending()
  }

  private mutating func begin(
    _ object: Int, _ reason: LinkVerdict.Reason?, isHidden: Bool, member: Int, file: Int
  ) {
    if let other = foreignArchitecture(of: object) {
      remarks.append(.ignored(file: set.place(of: object).description, why: "it is for \(other)"))
      return
    }
    guard takes(object) else { return }
    let owner = loaded.count
    loaded.append(
      Loaded(
        object: object, reason: reason, position: Position(file: file, member: member), isHidden: isHidden))
    if !line.has(.ignoreAutoLink) { unlinked += set.objects[object].linkerOptions }
    define(owner)
    reading.append((owner, 0))
  }

  /// Reads what has been begun to its end, the innermost first: a member is loaded in the middle of who wants it. (A stack
  /// of our own: the files say how deep it gets.)
  private mutating func loadPending() {
    while let (owner, next) = reading.popLast() {
      let symbols = set.objects[loaded[owner].object].symbols
      var index = next
      let depth = reading.count
      while index < symbols.count, reading.count == depth {
        let symbol = symbols[index]
        index += 1
        guard symbol.kind == .undefined else { continue }
        want(symbol.name)
        if reading.count > depth { reading.insert((owner, index), at: depth) }
      }
      if reading.count == depth { order.append(owner) }
    }
  }

  /// `-alias`, and the aliases of object files, once everything is read (rule 1.10).
  private mutating func addAliases() {
    for (name, alias) in line.aliases {
      let target = set.names.id(name)
      makeRoom()
      if resolutions[target.index].state == .unknown {
        remarks.append(.aliasOfNothing(name: name, alias: alias))
      } else {
        addAlias(set.names.id(alias), of: target, owner: nil)
      }
    }
    for owner in order {
      for symbol in set.objects[loaded[owner].object].symbols where symbol.kind == .alias {
        addAlias(symbol.name, of: NameTable.ID(rawValue: UInt32(truncatingIfNeeded: symbol.value)), owner: owner)
      }
    }
  }

  private mutating func addAlias(_ alias: NameTable.ID, of name: NameTable.ID, owner: Int?) {
    makeRoom()
    let target = resolutions[name.index]
    guard target.state == .defined else {
      refusals.append("\(set.names.text(alias)) is another name of \(set.names.text(name)), which is not defined")
      return
    }
    let symbol = LinkSymbol(
      name: alias, kind: target.isAbsolute ? .absolute : .regular, flags: target.flags, alignment: target.alignment,
      value: target.size)
    define(symbol, owner.map { Definition(owner: $0, symbol: nil) } ?? definition(target))
  }
}
