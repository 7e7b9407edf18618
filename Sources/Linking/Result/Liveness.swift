import ObjectFiles

/// The atoms and names that `-dead_strip` keeps: those that are reachable from exports, the entry and `no_dead_strip`
/// (rule 1.9).
package struct Liveness {
  private typealias Definition = SymbolResolver.Definition

  private let link: SymbolResolver
  private var objects = Table<SymbolResolver.Loaded, ObjectAtoms>()
  /// The first atom of each object file.
  private var firsts = Table<SymbolResolver.Loaded, Int>()
  private var sources = Table<ObjectAtoms.Atom, LoadID>()
  private var live: Table<ObjectAtoms.Atom, Bool>
  private var liveNames: Table<NameTable, Bool>
  private var pending: [AtomID] = []
  /// Sections that were marked as a whole.
  private var markedSections: Table<SymbolResolver.Loaded, Set<Int>>
  /// Names of an atom for which another definition was taken. lld still keeps such a name alive with the atom.
  private var names: [AtomID: [NameID]] = [:]
  /// Atoms that have names of their own whose definitions were not taken.
  private var replaced: Set<AtomID> = []

  init(_ link: SymbolResolver) throws(FormatError) {
    self.link = link
    for loaded in link.loaded.elements {
      let atoms = try link.set.withReader(of: loaded.object) { (reader) throws(FormatError) in
        try ObjectAtoms(reader, &link.set.names, link.profile.cutting)
      }
      firsts.append(sources.count)
      sources.extend(to: sources.count + atoms.count, with: objects.append(atoms))
    }
    markedSections = Table(repeating: [], count: objects.count)
    live = Table(repeating: false, count: sources.count)
    liveNames = Table(repeating: false, count: link.set.names.count)
    if link.profile.deadDuplicates == .reported {
      for clash in link.clashes {
        for definition in [clash.first, clash.second] {
          if let atom = atom(of: definition) { names[atom, default: []].append(clash.name) }
        }
      }
    }
    if link.profile.cutting == .atNames { noteReplaced() }
    markRoots()
    markReached()
  }

  private mutating func noteReplaced() {
    for load in link.loaded.numbers {
      for (index, symbol) in link.symbols(of: load).enumerated() where symbol.kind == .regular {
        let definition = Definition(load: load, symbol: index)
        if link.resolution(symbol.name).definition != definition, let atom = atom(of: definition) {
          replaced.insert(atom)
        }
      }
    }
  }

  func isLive(_ name: NameID) -> Bool { name.index < liveNames.count && liveNames[name] }

  /// Whether a definition is in the output, or would be if it had been chosen.
  func isLive(_ definition: SymbolResolver.Definition, named name: NameID) -> Bool {
    guard let atom = atom(of: definition), !isAlias(name, of: definition) else {
      return isLive(name) && link.resolution(name).definition == definition
    }
    return live[atom]
  }

  private func atom(_ number: Int, of load: LoadID) -> AtomID { AtomID(firsts[load] + number) }

  private func atom(of definition: Definition) -> AtomID? {
    guard let symbol = link.symbol(of: definition), symbol.kind == .regular else { return nil }
    return objects[definition.load].atom(of: symbol).map { atom($0, of: definition.load) }
  }

  /// Whether it is another name that has an atom of its own (`-alias`).
  private func isAlias(_ name: NameID, of definition: Definition) -> Bool {
    guard link.profile.cutting == .atNames, let symbol = link.symbol(of: definition) else { return false }
    return symbol.name != name
  }

  // MARK: Roots

  private mutating func markRoots() {
    for text in link.initialNames { mark(link.set.names.id(text)) }
    if link.profile.keepsAliases {
      // A name that is not defined has no alias.
      for (name, alias) in link.line.aliases where link.resolution(link.set.names.id(name)).state == .defined {
        mark(link.set.names.id(alias))
      }
    }
    let exportsAll = link.exports.keepsVisible(link.line, link.profile)
    for name in link.resolutions.numbers {
      let resolution = link.resolutions[name]
      guard resolution.state == .defined || resolution.state == .common else { continue }
      let isVisible = !resolution.flags.contains(.hidden)
      let isNamed = link.profile.exportLists == .onceRead && link.exports.isNamed(name, link.set.names)
      if exportsAll && isVisible || resolution.flags.contains(.neverStripped) || isNamed { mark(name) }
    }
    for (load, number) in atoms(.always) { mark(atom(number, of: load)) }
  }

  /// The atoms of a kind of root whose definitions were taken.
  private func atoms(_ root: ObjectAtoms.Root) -> [(LoadID, Int)] {
    objects.numbers.flatMap { load in
      let roots = objects[load].roots
      return roots.indices.filter { roots[$0] == root && !replaced.contains(atom($0, of: load)) }.map { (load, $0) }
    }
  }

  // MARK: Reaching

  private mutating func mark(_ name: NameID) {
    guard name.index < liveNames.count, !liveNames[name] else { return }
    liveNames[name] = true
    let resolution = link.resolution(name)
    guard resolution.state == .defined else { return }
    if let atom = atom(of: resolution.definition) { mark(atom) }
    guard link.profile.cutting == .atNames, let symbol = link.symbol(of: resolution.definition) else { return }
    if symbol.kind == .alias, let other = UInt32(exactly: symbol.value) { mark(NameID(rawValue: other)) }
  }

  private mutating func mark(_ atom: AtomID) {
    guard !live[atom] else { return }
    live[atom] = true
    pending.append(atom)
  }

  private mutating func markReached() {
    drain()
    let supporting = atoms(.ifTargetIsLive)
    repeat {
      for (load, number) in supporting {
        guard objects[load].targets(of: number).contains(where: { isLive($0, load) }) else { continue }
        mark(atom(number, of: load))
        // Apple's linker goes through them once.
        if link.profile.cutting == .atNames { drain() }
      }
      if pending.isEmpty { break }
      drain()
    } while true
    // Every name of a live atom is in the output.
    for name in link.resolutions.numbers where link.resolutions[name].state == .defined && !liveNames[name] {
      let definition = link.resolutions[name].definition
      if !isAlias(name, of: definition), let atom = atom(of: definition), live[atom] { liveNames[name] = true }
    }
  }

  private mutating func drain() {
    while let atom = pending.popLast() {
      let load = sources[atom]
      for target in objects[load].targets(of: atom.index - firsts[load]) { mark(target, load) }
      for name in names[atom] ?? [] { mark(name) }
    }
  }

  private mutating func mark(_ target: ObjectAtoms.Target, _ load: LoadID) {
    switch target {
    case .name(let name): mark(name)
    case .atom(let number): mark(atom(number, of: load))
    case .section(let section):
      guard markedSections[load].insert(section).inserted else { return }
      for number in objects[load].atoms(ofSection: section) { mark(atom(number, of: load)) }
    }
  }

  private func isLive(_ target: ObjectAtoms.Target, _ load: LoadID) -> Bool {
    switch target {
    // For lld a dynamic library's name keeps nothing alive.
    case .name(let name): isLive(name) && (link.profile.cutting == .atNames || link.resolution(name).state == .defined)
    case .atom(let number): live[atom(number, of: load)]
    case .section(let section): markedSections[load].contains(section)
    }
  }
}
