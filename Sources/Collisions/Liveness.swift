import ObjectFiles

/// What `-dead_strip` keeps of a link: everything that can be reached from what the image exports, from its entry, and from
/// what asks to be kept (rule 1.9).
struct Liveness {
  private var atoms: [LinkAtoms] = []
  /// Of each loaded file, where its pieces begin among those of all.
  private var firsts: [Int] = []
  private var live: [Bool] = []
  private var liveNames: [Bool]
  private var pending: [Int] = []
  private var sources: [Int] = []
  /// Of each loaded file, the sections that were marked as a whole.
  private var markedSections: [Set<Int>]
  /// Names that a piece defines though another definition was taken in the end: lld keeps the name for it all the same.
  private var names: [Int: [NameTable.ID]] = [:]
  private let run: LinkRun

  init(_ run: LinkRun) throws(FormatError) {
    self.run = run
    markedSections = Array(repeating: [], count: run.loaded.count)
    var total = 0
    for owner in run.loaded.indices {
      let atoms = try run.set.withReader(of: run.loaded[owner].object) { (reader) throws(FormatError) in
        try LinkAtoms(reader, &run.set.names, keepsUncut: run.profile.keepsUncutFiles)
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
    markRoots()
    markReached()
  }

  func isLive(_ name: NameTable.ID) -> Bool { name.index < liveNames.count && liveNames[name.index] }

  /// Whether a definition is in the output, or would be if it had been chosen.
  func isLive(_ definition: LinkRun.Definition, named name: NameTable.ID) -> Bool {
    guard let atom = atom(of: definition) else {
      return isLive(name) && run.definition(run.binding(name)) == definition
    }
    return live[atom]
  }

  private func atom(of definition: LinkRun.Definition) -> Int? {
    guard let index = definition.symbol else { return nil }
    let symbol = run.set.objects[run.loaded[definition.owner].object].symbols[index]
    guard symbol.kind == .regular else { return nil }
    return atoms[definition.owner].atom(at: symbol.value, section: Int(symbol.section))
      .map { firsts[definition.owner] + $0 }
  }

  // MARK: Roots

  private mutating func markRoots() {
    for text in run.initialNames { mark(run.set.names.id(text)) }
    if run.profile.keepsAliases { for (_, alias) in run.line.aliases { mark(run.set.names.id(alias)) } }
    let exportsAll = run.line.output != .executable || run.line.has(.exportDynamic)
    for index in run.bindings.indices {
      let name = NameTable.ID(rawValue: UInt32(index))
      let binding = run.bindings[index]
      guard binding.state == .defined || binding.state == .common else { continue }
      let isVisible = !binding.flags.contains(.hidden)
      if exportsAll && isVisible || binding.flags.contains(.neverStripped) || run.exports.isNamed(name, run.set.names) {
        mark(name)
      }
    }
    for owner in atoms.indices {
      for atom in 0..<atoms[owner].count where atoms[owner].roots[atom] == .always { mark(firsts[owner] + atom) }
    }
  }

  // MARK: Reaching

  private mutating func mark(_ name: NameTable.ID) {
    guard name.index < liveNames.count, !liveNames[name.index] else { return }
    liveNames[name.index] = true
    let binding = run.binding(name)
    guard binding.state == .defined, let atom = atom(of: run.definition(binding)) else { return }
    mark(atom)
  }

  private mutating func mark(_ atom: Int) {
    guard !live[atom] else { return }
    live[atom] = true
    pending.append(atom)
  }

  private mutating func markReached() {
    repeat {
      while let atom = pending.popLast() {
        let owner = sources[atom]
        let targets = targets(of: atom - firsts[owner], owner)
        for target in targets { mark(target, owner) }
        for name in names[atom] ?? [] { mark(name) }
      }
      for owner in atoms.indices {
        for atom in 0..<atoms[owner].count where atoms[owner].roots[atom] == .ifTargetIsLive {
          if targets(of: atom, owner).contains(where: { isLive($0, owner) }) { mark(firsts[owner] + atom) }
        }
      }
    } while !pending.isEmpty
    // Every name of a live piece is in the output.
    for index in run.bindings.indices where run.bindings[index].state == .defined && !liveNames[index] {
      if let atom = atom(of: run.definition(run.bindings[index])), live[atom] { liveNames[index] = true }
    }
  }

  private func targets(of atom: Int, _ owner: Int) -> [LinkAtoms.Target] {
    var targets: [LinkAtoms.Target] = []
    atoms[owner].forEachTarget(of: atom) { targets.append($0) }
    return targets
  }

  private mutating func mark(_ target: LinkAtoms.Target, _ owner: Int) {
    switch target {
    case .name(let name): mark(name)
    case .atom(let atom): mark(firsts[owner] + atom)
    case .section(let section):
      guard markedSections[owner].insert(section).inserted else { return }
      for atom in atoms[owner].atoms(ofSection: section) { mark(firsts[owner] + atom) }
    }
  }

  private func isLive(_ target: LinkAtoms.Target, _ owner: Int) -> Bool {
    switch target {
    // A name of a dynamic library says nothing about who it is there for.
    case .name(let name): run.binding(name).state == .defined && isLive(name)
    case .atom(let atom): live[firsts[owner] + atom]
    case .section(let section): markedSections[owner].contains(section)
    }
  }
}
