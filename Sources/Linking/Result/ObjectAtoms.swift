package import ObjectFiles

/// The atoms of an object file that `-dead_strip` keeps or leaves out one by one, with their references.
///
/// A section is cut at every symbol if the file allows it (`.subsections_via_symbols`) and the section is not one of
/// strings or constants; alternative entries do not cut. A bitcode file is one atom that refers to all its names:
/// only the optimiser knows which of its functions needs which name, so too much counts as live.
package struct ObjectAtoms {
  enum Target {
    /// The definition that the link binds the name to.
    case name(NameID)
    case atom(Int)
    /// An unknown atom of a section of the same file, counted from 1.
    case section(Int)
  }

  /// The reason why an atom is live without a reference.
  enum Root: UInt8 {
    case none
    /// `no_dead_strip`, initializers and terminators.
    case always
    /// It is live if an atom that it refers to is (`live_support`).
    case ifTargetIsLive
  }

  package struct Atom {
    package var section: Int
    package var start: UInt64
    /// References to its address are references to this name. Nil for a local name.
    var name: NameID?
  }

  package private(set) var atoms: [Atom] = []
  private(set) var roots: [Root] = []
  /// The first atom of each section, and the end.
  private var firsts: [Int] = [0]
  /// The last reference of each atom; `next` is the one before it, and -1 is none.
  private var heads: [Int32] = []
  private var references: [(target: Target, next: Int32)] = []

  /// The atoms of external names, if each name has its own.
  private var named: [NameID: Int] = [:]

  /// It is bitcode.
  private var isWhole = false

  package var count: Int { atoms.count }

  /// The atoms and their references. `reader`'s window is the object file.
  init(
    _ reader: borrowing ByteReader, _ names: inout NameTable, _ cutting: LinkerProfile.Cutting
  ) throws(FormatError) {
    switch FileKind(reader) {
    case .machO(.object): try cut(reader, &names, cutting, withReferences: true)
    case .bitcode: try takeWhole(reader, &names)
    default: return
    }
  }

  /// The places of the atoms of a Mach-O object file, without names and references.
  package init(placesIn reader: borrowing ByteReader) throws(FormatError) {
    var names = NameTable()
    try cut(reader, &names, .atPlaces, withReferences: false)
  }

  private mutating func takeWhole(
    _ reader: borrowing ByteReader, _ names: inout NameTable
  ) throws(FormatError) {
    let symbols = try BitcodeSymbols(reader)
    isWhole = true
    atoms = [Atom(section: 0, start: 0)]
    roots = [symbols.hasRoots ? .always : .none]
    heads = [-1]
    try symbols.forEach(SymbolSelection()) { (symbol: Symbol) throws(FormatError) in
      if let name = symbol.name { add(.name(names.id(name, reader)), to: 0) }
    }
  }

  private mutating func cut(
    _ reader: borrowing ByteReader, _ names: inout NameTable, _ cutting: LinkerProfile.Cutting,
    withReferences: Bool
  ) throws(FormatError) {
    let file = try MachOFile(reader)
    let sections = try file.sections(reader)
    guard let table = try MachOSymbolTable(file, reader) else { return }
    var symbols: [(entry: MachOSymbol, name: NameID?)] = []
    if withReferences { symbols.reserveCapacity(table.count) }
    var cuts: [[Cut]] = sections.map { [Cut(place: $0.address)] }
    let isCut = file.flags.contains(.subsectionsViaSymbols)
    try table.forEach(reader) { (entry: MachOSymbol) throws(FormatError) in
      var name: Range<Int>?
      if withReferences, !entry.isDebug, entry.isExternal { name = table.name(at: entry.nameOffset, reader) }
      if withReferences { symbols.append((entry, name.map { names.id($0, reader) })) }
      guard isCut || cutting == .atNames, !entry.isDebug, entry.kind == .section, !entry.isAlternativeEntry,
        entry.section > 0, Int(entry.section) <= sections.count
      else { return }
      var cut = Cut(place: entry.value)
      if cutting == .atNames, let name {
        // Linkers drop such names.
        if reader.starts(with: "L", at: name.lowerBound) { return }
        cut.name = symbols.last?.name
      }
      cuts[Int(entry.section) - 1].append(cut)
    }
    for (number, section) in sections.enumerated() {
      cuts[number].sort { $0.precedes($1, names) }
      let isKept = cutting == .atNames && !isCut && AtomlessKind(section).isDisjoint(with: .ld64)
      cut(section, number, cuts[number], isKept: isKept)
      firsts.append(atoms.count)
    }
    guard withReferences else { return }
    heads = [Int32](repeating: -1, count: atoms.count)
    if cutting == .atNames { chain(sections, isCut: isCut) }
    var targets = [Target?](repeating: nil, count: symbols.count)
    for (index, (entry, name)) in symbols.enumerated() where !entry.isDebug {
      if let name {
        targets[index] = .name(name)
      } else if !entry.isExternal, entry.kind == .section,
        let atom = atom(at: entry.value, section: Int(entry.section))
      {
        targets[index] = target(atom)
        if entry.isNeverStripped { roots[atom] = .always }
      }
    }
    try file.forEachReference(of: sections, where: \.holdsReferences, reader) { number, reference in
      guard let source = atom(at: reference.place, section: number + 1) else { return }
      if let target = target(reference.target, isKnown: reference.isKnown, sections, targets) {
        add(target, to: source)
      }
      // A subtracted symbol, or address without a section, is referred to as well.
      if let base = reference.base, let target = target(base, isKnown: false, sections, targets) {
        add(target, to: source)
      }
    }
  }

  private struct Cut {
    var place: UInt64
    var name: NameID?

    /// At one address the cut without a name comes first, then names in reverse alphabetical order: the last one has
    /// the content.
    func precedes(_ other: Self, _ names: NameTable) -> Bool {
      if place != other.place { return place < other.place }
      guard let name, let otherName = other.name else { return name == nil && other.name != nil }
      return names.precedes(otherName, name)
    }
  }

  private mutating func cut(_ section: MachOSection, _ number: Int, _ cuts: [Cut], isKept: Bool) {
    let end = section.address &+ section.size
    let hasNames = AtomlessKind(section).isDisjoint(with: .ld64)
    let root = isKept && section.root == .none ? .always : section.root
    var last: UInt64?
    for cut in cuts {
      guard cut.place == section.address || cut.place > section.address && cut.place < end else { continue }
      // A local name needs no atom of its own.
      let isFirst = cut.place != last
      if isFirst || atoms.last?.name != nil && cut.name != nil {
        atoms.append(Atom(section: number, start: cut.place))
        roots.append(root)
      }
      last = cut.place
      guard let name = cut.name else { continue }
      named[name] = atoms.count - 1
      if hasNames { atoms[atoms.count - 1].name = name }
    }
  }

  /// Atoms refer to the one with the content of their address, and in a file that may not be cut each atom refers to
  /// the next.
  private mutating func chain(_ sections: [MachOSection], isCut: Bool) {
    for (number, section) in sections.enumerated() {
      let isChained =
        !isCut && section.root != .always && !(section.segment == .data && section.name.hasPrefix(.objcPrefix))
      for atom in atoms(ofSection: number + 1).dropLast()
      where isChained || atoms[atom].start == atoms[atom + 1].start {
        add(.atom(atom + 1), to: atom)
      }
    }
  }

  /// The atom of an external symbol.
  func atom(of symbol: LinkSymbol) -> Int? {
    named[symbol.name] ?? atom(at: symbol.value, section: Int(symbol.section))
  }

  private func target(_ atom: Int) -> Target { atoms[atom].name.map { .name($0) } ?? .atom(atom) }

  /// The atom that an address of a section (counted from 1) is in.
  package func atom(at address: UInt64, section: Int) -> Int? {
    if isWhole { return 0 }
    guard section > 0, section < firsts.count else { return nil }
    let own = atoms(ofSection: section)
    guard let first = own.first else { return nil }
    // An address before the first atom counts as part of it.
    return max(first, first + sortedIndex(below: own.count) { atoms[first + $0].start > address } - 1)
  }

  /// The atoms of a section, counted from 1.
  func atoms(ofSection section: Int) -> Range<Int> { firsts[section - 1]..<firsts[section] }

  func targets(of atom: Int) -> [Target] {
    var targets: [Target] = []
    var next = heads[atom]
    while next >= 0 {
      targets.append(references[Int(next)].target)
      next = references[Int(next)].next
    }
    return targets
  }

  private func target(
    _ target: MachOReference.Target, isKnown: Bool, _ sections: [MachOSection], _ symbols: [Target?]
  ) -> Target? {
    switch target {
    case .symbol(let index): return Int(index) < symbols.count ? symbols[Int(index)] : nil
    case .address(let address, 0):
      let section = sections.firstIndex { address >= $0.address && address &- $0.address < $0.size }
      return section.flatMap { atom(at: address, section: $0 + 1) }.map { self.target($0) }
    case .address(let address, let section):
      guard Int(section) < firsts.count else { return nil }
      return isKnown
        ? atom(at: address, section: Int(section)).map { self.target($0) } : .section(Int(section))
    }
  }

  private mutating func add(_ target: Target, to source: Int) {
    references.append((target, heads[source]))
    heads[source] = Int32(truncatingIfNeeded: references.count - 1)
  }
}

extension MachOSection {
  /// Strings and constants, which linkers merge one by one.
  var isOfLiterals: Bool { isAny(of: .strings, .literals4, .literals8, .literals16) }

  fileprivate var root: ObjectAtoms.Root {
    if segment == .linkerNotes, name == "__compact_unwind" { return .ifTargetIsLive }
    if flags.contains(.neverStripped) || isAny(of: .initializers, .terminators, .initializerOffsets) { return .always }
    return flags.contains(.liveSupport) ? .ifTargetIsLive : .none
  }

  /// Debugging information keeps nothing alive. `__compact_unwind` has the references of `__eh_frame`, for each
  /// function by itself.
  fileprivate var holdsReferences: Bool { segment != .dwarf && name != .frames && !flags.contains(.debug) }
}
