// The choice among several definitions of a name (rules 1.1, 1.7, 1.8, 1.9, 1.11).
extension SymbolResolver {
  mutating func define(_ load: LoadID) {
    let symbols = symbols(of: load)
    for index in order(of: symbols) {
      switch symbols[index].kind {
      case .undefined: continue
      case .alias where profile.aliasesComeLast: continue
      default: define(symbols[index], Definition(load: load, symbol: index))
      }
    }
  }

  /// The order of a file's definitions, which matters only if `-alias` gives one the name of another. Apple's linker
  /// sorts them by address, and the names at one address in reverse alphabetical order (the last one has the
  /// content). Absolute symbols come last.
  private func order(of symbols: [LinkSymbol]) -> [Int] {
    guard !aliases.isEmpty, profile.cutting == .atNames else { return Array(symbols.indices) }
    func rank(_ index: Int) -> (Int, UInt64) {
      switch symbols[index].kind {
      case .regular: (Int(symbols[index].section), symbols[index].value)
      case .absolute: (.max, 0)
      default: (0, 0)
      }
    }
    return symbols.indices.sorted { a, b in
      let (left, right) = (rank(a), rank(b))
      guard left == right, symbols[a].kind == .regular else { return left == right ? a < b : left < right }
      return set.names.text(symbols[a].name) > set.names.text(symbols[b].name)
    }
  }

  mutating func define(_ symbol: LinkSymbol, _ definition: Definition) {
    let isHidden =
      symbol.flags.contains(.hidden) || loaded[definition.load].isHidden && !symbol.flags.contains(.another)
    if profile.exportLists == .asDefined, isHidden { noteHidden(symbol.name, definition.load) }
    let old = resolutions[symbol.name]
    switch (old.state, symbol.kind) {
    case (.unknown, _), (.undefined, _), (.offered, _), (.exported, _): bind(symbol, definition)
    case (.common, .common): if isChosen(symbol, definition, overCommon: old) { bind(symbol, definition) }
    case (.common, _):
      bind(symbol, definition)
      noteLarger(old.size, old.load, symbol.name)
    case (.defined, .common) where precedesNumber(definition, old): bind(symbol, definition)
    case (.defined, .common): noteLarger(symbol.value, definition.load, symbol.name)
    case (.defined, _): choose(symbol, definition, old)
    }
    for name in aliases.isEmpty ? [] : aliases[symbol.name] ?? [] {
      var alias = symbol
      alias.name = name
      alias.flags.subtract([.weak, .hidden, .autoHide])
      alias.flags.insert(.another)
      define(alias, definition)
    }
  }

  private mutating func bind(_ symbol: LinkSymbol, _ definition: Definition) {
    resolutions[symbol.name] = Resolution(symbol, flags(of: symbol, definition.load), definition)
  }

  /// The flags of a loaded file's symbol, as the line changes them.
  private func flags(of symbol: LinkSymbol, _ load: LoadID) -> LinkSymbol.Flags {
    var flags = symbol.flags
    if loaded[load].isHidden, !flags.contains(.another) { flags.insert(.hidden) }
    if profile.exportLists == .asDefined {
      // A symbol that its file hides loses `autoHide`; one that the line hides keeps it.
      if flags.contains(.hidden) { flags.remove(.autoHide) }
      if !exports.isExported(symbol.name, set.names) { flags.insert(.hidden) }
    }
    guard profile.hidesAutoHidden, flags.contains(.autoHide) else { return flags }
    // Hidden symbols and bitcode are hidden for good: they cannot be exported by name.
    if !flags.isDisjoint(with: [.hidden, .bitcode]) { flags.remove(.autoHide) }
    return flags.union(.hidden)
  }

  /// Notes a name that is private to the image though the line exports it.
  private mutating func noteHidden(_ name: NameID, _ load: LoadID) {
    guard exports.isNamed(name, set.names) else { return }
    remarks.append(.hiddenCannotBeExported(name: set.names.text(name), place(load)))
  }

  /// Hides names that are not exported (`LinkerProfile.ExportLists.onceRead`).
  mutating func applyExports() {
    guard exports.isRestricted else { return }
    for name in resolutions.numbers where resolutions[name].state == .defined {
      if !exports.isExported(name, set.names) {
        resolutions[name].flags.insert(.hidden)
      } else if resolutions[name].flags.contains(.autoHide) {
        if exports.isNamed(name, set.names) { resolutions[name].flags.remove(.hidden) }
      } else if resolutions[name].flags.contains(.hidden) {
        noteHidden(name, resolutions[name].load)
      }
    }
  }

  /// Binds a name to a dynamic library's export, unless it has a definition; a strong export replaces a weak one.
  mutating func bind(_ name: NameID, toExportOf library: LibraryID, isWeak: Bool, isWanted: Bool = false) {
    let old = resolutions[name]
    let isOpen: Bool =
      switch old.state {
      case .unknown, .undefined: true
      case .exported: old.flags.contains(.weak) && !isWeak
      case .common: commons == .useLibraries
      case .offered, .defined: false
      }
    guard isOpen else { return }
    let isWanted = isWanted || old.state == .undefined || old.isWanted
    resolutions[name] = .export(of: library, isWeak: isWeak, isWanted: isWanted)
  }

  // MARK: Commons (rule 1.8)

  /// The largest one is chosen.
  private mutating func isChosen(_ symbol: LinkSymbol, _ definition: Definition, overCommon old: Resolution) -> Bool {
    if symbol.value != old.size { return symbol.value > old.size }
    let isLater = position(definition.load) >= position(old.load)
    switch profile.commonOfOneSize {
    case .lastLoaded: return true
    case .lastOnLine: return isLater
    case .firstOnLine:
      isReported = true
      return !isLater
    }
  }

  /// For Apple's linker, an absolute symbol replaces only those common symbols that were read before it or are later
  /// on the line.
  private func precedesNumber(_ common: Definition, _ number: Resolution) -> Bool {
    number.isAbsolute && profile.absoluteClashesWithWeak && position(common.load) < position(number.load)
  }

  private func position(_ load: LoadID) -> Position { loaded[load].position }

  private mutating func noteLarger(_ size: UInt64, _ common: LoadID, _ name: NameID) {
    let definition = resolutions[name]
    guard profile.warnsOfLargerCommons, !definition.isAbsolute, size > sizeOfDefinition(definition) else { return }
    remarks.append(
      .largerCommon(name: set.names.text(name), common: place(common), definition: place(definition.load)))
  }

  /// 0 outside of sections.
  private func sizeOfDefinition(_ resolution: Resolution) -> UInt64 {
    guard let symbol = symbol(of: resolution.definition), symbol.kind == .regular else { return 0 }
    return set.size(at: symbol.value, section: Int(symbol.section), of: loaded[resolution.load].object)
  }

  // MARK: Definitions

  private mutating func choose(_ symbol: LinkSymbol, _ definition: Definition, _ old: Resolution) {
    let isAbsolute = symbol.kind == .absolute || old.isAbsolute
    if !symbol.isWeak && !old.flags.contains(.weak) || isAbsolute && profile.absoluteClashesWithWeak {
      clash(symbol, definition, old, isAbsolute: isAbsolute)
    } else if !symbol.isWeak {
      bind(symbol, definition)
    } else if old.flags.contains(.weak) {
      let flags = flags(of: symbol, definition.load)
      if profile.takesFirstWeak {
        merge(flags, symbol.name)
      } else if isPreferred(flags, symbol, to: old) {
        bind(symbol, definition)
      }
    }
  }

  /// The first weak definition stays, and is as visible as the most visible of them.
  private mutating func merge(_ flags: LinkSymbol.Flags, _ name: NameID) {
    let hiding: LinkSymbol.Flags = [.hidden, .autoHide]
    resolutions[name].flags.subtract(hiding.subtracting(flags))
    resolutions[name].flags.formUnion(flags.intersection(.neverStripped))
  }

  /// The choice among weak definitions (rule 1.7).
  private func isPreferred(_ flags: LinkSymbol.Flags, _ symbol: LinkSymbol, to old: Resolution) -> Bool {
    if flags.contains(.bitcode) != old.flags.contains(.bitcode) { return !flags.contains(.bitcode) }
    if flags.contains(.autoHide) != old.flags.contains(.autoHide) { return !flags.contains(.autoHide) }
    if !flags.contains(.autoHide) {
      let isHidden = flags.contains(.hidden)
      if isHidden != old.flags.contains(.hidden) { return !isHidden }
    }
    return symbol.alignment > old.alignment
  }

  /// Records two definitions of which neither yields to the other, and keeps one of them (rules 1.1, 1.9).
  private mutating func clash(_ symbol: LinkSymbol, _ definition: Definition, _ old: Resolution, isAbsolute: Bool) {
    let (new, first) = (position(definition.load), position(old.load))
    var severity: Clash.Severity? = .error
    var takesNew = profile.keepsLastDuplicate
    switch profile.deadDuplicates {
    case .reported: if line.has(.deadStripDuplicates) { severity = .errorIfLive }
    case .liveOnes where line.has(.deadStrip), .liveFirst where line.has(.deadStrip):
      let keepsFirst = profile.deadDuplicates == .liveFirst && !isPastInitial
      let isSilent = line.has(.allowDeadDuplicates) && !keepsFirst
      severity = isSilent ? nil : isPastInitial ? .warning : .errorIfLive
      takesNew = new > first && (isSilent || isPastInitial)
      isReported = isReported || keepsFirst
    case .liveOnes, .liveFirst: break
    }
    // If one of the two is an absolute symbol, the linker takes the one that comes first on the line.
    if isAbsolute, profile.absoluteClashesWithWeak { takesNew = new < first }
    if let severity {
      clashes.append(Clash(name: symbol.name, severity: severity, first: old.definition, second: definition))
    }
    if takesNew { bind(symbol, definition) }
  }
}
