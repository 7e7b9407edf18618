import ObjectFiles

/// What `-dead_strip` keeps of a link: everything that can be reached from what the image exports, from its entry, and from
/// what asks to be kept (rule 1.9).
package struct Liveness {
  private var atoms: [ObjectAtoms] = []
  /// Of each loaded file, where its atoms begin among those of all.
  private var firsts: [Int] = []
  private var live: [Bool] = []
  private var liveNames: [Bool]
  private var pending: [Int] = []
  private var sources: [Int] = []
  /// Of each loaded file, the sections that were marked as a whole.
  private var markedSections: [Set<Int>]
  /// Names that a atom defines though another definition was taken in the end: lld keeps the name for it all the same.
  private var names: [Int: [NameTable.ID]] = [:]
  /// Pieces that have names of their own whose definitions were not taken.
  private var replaced: Set<Int> = []
  private let run: LinkRun

  init(_ run: LinkRun) throws(FormatError) {
    self.run = run
    markedSections = Array(repeating: [], count: run.loaded.count)
    var total = 0
    for owner in run.loaded.indices {
      let atoms = try run.set.withReader(of: run.loaded[owner].object) { (reader) throws(FormatError) in
        try ObjectAtoms(reader, &run.set.names, run.profile.cutting)
      }
      self.atoms.append(atoms)
      firsts.append(total)
      total += atoms.count
      sources += repeatElement(owner, count: atoms.count)
    }
    live = Array(repeating: false, count: total)
    liveNames = Array(repeating: false, count: run.set.names.count)
    if run.profile.deadDuplicates == .reported {
      for clash in run.clashes {
        for definition in [clash.first, clash.second] {
          if let atom = atom(of: definition) { names[atom, default: []].append(clash.name) }
        }
      }
    }
    if run.profile.cutting == .atNames { noteReplaced() }
    markRoots()
    markReached()
  }

  private mutating func noteReplaced() {
    for (owner, loaded) in run.loaded.enumerated() {
      for (index, symbol) in run.set.objects[loaded.object].symbols.enumerated() where symbol.kind == .regular {
        let definition = LinkRun.Definition(owner: owner, symbol: index)
        if run.definition(run.resolution(symbol.name)) != definition, let atom = atom(of: definition) {
          replaced.insert(atom)
        }
      }
    }
  }

  func isLive(_ name: NameTable.ID) -> Bool { name.index < liveNames.count && liveNames[name.index] }

  /// Whether a definition is in the output, or would be if it had been chosen.
  func isLive(_ definition: LinkRun.Definition, named name: NameTable.ID) -> Bool {
    guard let atom = atom(of: definition), !isAlias(name, of: definition) else {
      return isLive(name) && run.definition(run.resolution(name)) == definition
    }
    return live[atom]
  }

  private func atom(of definition: LinkRun.Definition) -> Int? {
    guard let index = definition.symbol else { return nil }
    let symbol = run.set.objects[run.loaded[definition.owner].object].symbols[index]
    guard symbol.kind == .regular else { return nil }
    return atoms[definition.owner].atom(of: symbol).map { firsts[definition.owner] + $0 }
  }

  /// Another name that has a atom of its own (`-alias`).
  private func isAlias(_ name: NameTable.ID, of definition: LinkRun.Definition) -> Bool {
    guard run.profile.cutting == .atNames, let index = definition.symbol else { return false }
    return run.set.objects[run.loaded[definition.owner].object].symbols[index].name != name
  }

  // MARK: Roots

  private mutating func markRoots() {
    for text in run.initialNames { mark(run.set.names.id(text)) }
    if run.profile.keepsAliases {
      // Of what is not defined none was made.
      for (name, alias) in run.line.aliases where run.resolution(run.set.names.id(name)).state == .defined {
        mark(run.set.names.id(alias))
      }
    }
    let exportsAll = run.exports.keepsVisible(run.line, run.profile)
    for index in run.resolutions.indices {
      let name = NameTable.ID(rawValue: UInt32(index))
      let resolution = run.resolutions[index]
      guard resolution.state == .defined || resolution.state == .common else { continue }
      let isVisible = !resolution.flags.contains(.hidden)
      let isNamed = run.profile.exportLists == .onceRead && run.exports.isNamed(name, run.set.names)
      if exportsAll && isVisible || resolution.flags.contains(.neverStripped) || isNamed {
        mark(name)
      }
    }
    for owner in atoms.indices {
      for atom in 0..<atoms[owner].count where atoms[owner].roots[atom] == .always {
        if !replaced.contains(firsts[owner] + atom) { mark(firsts[owner] + atom) }
      }
    }
  }

  // MARK: Reaching

  private mutating func mark(_ name: NameTable.ID) {
    guard name.index < liveNames.count, !liveNames[name.index] else { return }
    liveNames[name.index] = true
    let resolution = run.resolution(name)
    guard resolution.state == .defined else { return }
    let definition = run.definition(resolution)
    if let atom = atom(of: definition) { mark(atom) }
    guard run.profile.cutting == .atNames, let index = definition.symbol else { return }
    let symbol = run.set.objects[run.loaded[definition.owner].object].symbols[index]
    if symbol.kind == .alias, let other = UInt32(exactly: symbol.value) { mark(NameTable.ID(rawValue: other)) }
  }

  private mutating func mark(_ atom: Int) {
    guard !live[atom] else { return }
    live[atom] = true
    pending.append(atom)
  }

  private mutating func markReached() {
    drain()
    // Apple's linker goes through them once.
    repeat {
      for owner in atoms.indices {
        for atom in 0..<atoms[owner].count where atoms[owner].roots[atom] == .ifTargetIsLive {
          if replaced.contains(firsts[owner] + atom) { continue }
          guard targets(of: atom, owner).contains(where: { isLive($0, owner) }) else { continue }
          mark(firsts[owner] + atom)
          if run.profile.cutting == .atNames { drain() }
        }
      }
      if pending.isEmpty { break }
      drain()
    } while true
    // Every name of a live atom is in the output.
    for index in run.resolutions.indices where run.resolutions[index].state == .defined && !liveNames[index] {
      let definition = run.definition(run.resolutions[index])
      if isAlias(NameTable.ID(rawValue: UInt32(index)), of: definition) { continue }
      if let atom = atom(of: definition), live[atom] { liveNames[index] = true }
    }
  }

  private mutating func drain() {
    while let atom = pending.popLast() {
      let owner = sources[atom]
      let targets = targets(of: atom - firsts[owner], owner)
      for target in targets { mark(target, owner) }
      for name in names[atom] ?? [] { mark(name) }
    }
  }

  private func targets(of atom: Int, _ owner: Int) -> [ObjectAtoms.Target] {
    var targets: [ObjectAtoms.Target] = []
    atoms[owner].forEachTarget(of: atom) { targets.append($0) }
    return targets
  }

  private mutating func mark(_ target: ObjectAtoms.Target, _ owner: Int) {
    switch target {
    case .name(let name): mark(name)
    case .atom(let atom): mark(firsts[owner] + atom)
    case .section(let section):
      guard markedSections[owner].insert(section).inserted else { return }
      for atom in atoms[owner].atoms(ofSection: section) { mark(firsts[owner] + atom) }
    }
  }

  private func isLive(_ target: ObjectAtoms.Target, _ owner: Int) -> Bool {
    switch target {
    // For lld a name of a dynamic library says nothing about who it is there for.
    case .name(let name): isLive(name) && (run.profile.cutting == .atNames || run.resolution(name).state == .defined)
    case .atom(let atom): live[firsts[owner] + atom]
    case .section(let section): markedSections[owner].contains(section)
    }
  }
}
