// Which definition a name is bound to when several come (rules 1.1, 1.7, 1.8, 1.9, 1.11).
extension LinkRun {
  /// Takes in every definition of an object file.
  mutating func define(_ owner: Int) {
    makeRoom()
    let symbols = set.objects[loaded[owner].object].symbols
    for index in order(of: symbols) {
      switch symbols[index].kind {
      case .undefined: continue
      case .alias where profile.aliasesComeLast: continue
      default: define(symbols[index], Definition(owner: owner, symbol: index))
      }
    }
  }

  /// The order in which a file's definitions come, which matters only where `-alias` gives one another's name. Apple's linker
  /// goes by place, of names of one place against the alphabet (the last one has the content); numbers come last of all.
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
      symbol.flags.contains(.hidden) || loaded[definition.owner].isHidden && !symbol.flags.contains(.another)
    if profile.exportLists == .asDefined, isHidden { noteHidden(symbol.name, definition.owner) }
    switch resolutions[symbol.name.index].state {
    case .unknown, .undefined, .offered, .exported: bind(symbol, definition)
    case .common:
      symbol.kind == .common ? chooseCommon(symbol, definition) : replaceCommon(symbol, definition)
    case .defined:
      if symbol.kind == .common, precedesNumber(definition, resolutions[symbol.name.index]) {
        bind(symbol, definition)
      } else if symbol.kind == .common {
        noteLarger(symbol.value, definition.owner, resolutions[symbol.name.index], symbol.name)
      } else {
        choose(symbol, definition)
      }
    }
    if let more = aliases[symbol.name] {
      for name in more {
        var alias = symbol
        alias.name = name
        alias.flags.subtract([.weak, .hidden, .autoHide])
        alias.flags.insert(.another)
        define(alias, definition)
      }
    }
  }

  mutating func bind(_ symbol: LinkSymbol, _ definition: Definition) {
    resolutions[symbol.name.index] = Resolution(
      state: symbol.kind == .common ? .common : .defined, flags: flags(of: symbol, definition.owner),
      isAbsolute: symbol.kind == .absolute,
      alignment: symbol.alignment, symbol: UInt32(definition.symbol ?? Int(UInt32.max)),
      owner: UInt32(definition.owner), size: symbol.value)
  }

  func definition(_ resolution: Resolution) -> Definition {
    Definition(owner: Int(resolution.owner), symbol: resolution.symbol == .max ? nil : Int(resolution.symbol))
  }

  /// What is private to the image and named as one to export.
  private mutating func noteHidden(_ name: NameTable.ID, _ owner: Int) {
    guard exports.isNamed(name, set.names) else { return }
    remarks.append(.hiddenCannotBeExported(name: set.names.text(name), place(owner)))
  }

  /// Hides what is not exported (`LinkerProfile.ExportLists.onceRead`).
  mutating func applyExports() {
    guard exports.isRestricted else { return }
    for index in resolutions.indices where resolutions[index].state == .defined {
      let name = NameTable.ID(rawValue: UInt32(index))
      if !exports.isExported(name, set.names) {
        resolutions[index].flags.insert(.hidden)
      } else if resolutions[index].flags.contains(.autoHide) {
        if exports.isNamed(name, set.names) { resolutions[index].flags.remove(.hidden) }
      } else if resolutions[index].flags.contains(.hidden) {
        noteHidden(name, Int(resolutions[index].owner))
      }
    }
  }

  // MARK: Commons (rule 1.8)

  /// The largest; of equal ones the later.
  private mutating func chooseCommon(_ symbol: LinkSymbol, _ definition: Definition) {
    let old = resolutions[symbol.name.index]
    if symbol.value < old.size { return }
    if symbol.value == old.size, profile.commonChoice == .onTheLine,
      loaded[definition.owner].position < loaded[Int(old.owner)].position
    {
      return
    }
    bind(symbol, definition)
  }

  /// For Apple's linker, a number replaces only those common symbols that were read before it or are later on the line.
  private func precedesNumber(_ common: Definition, _ number: Resolution) -> Bool {
    number.isAbsolute && profile.absoluteClashesWithWeak
      && loaded[common.owner].position < loaded[Int(number.owner)].position
  }

  private mutating func replaceCommon(_ symbol: LinkSymbol, _ definition: Definition) {
    let old = resolutions[symbol.name.index]
    bind(symbol, definition)
    noteLarger(old.size, Int(old.owner), resolutions[symbol.name.index], symbol.name)
  }

  private mutating func noteLarger(_ size: UInt64, _ common: Int, _ definition: Resolution, _ name: NameTable.ID) {
    guard profile.warnsOfLargerCommons, !definition.isAbsolute, size > sizeOfDefinition(definition) else { return }
    remarks.append(
      .largerCommon(name: set.names.text(name), common: place(common), definition: place(Int(definition.owner))))
  }

  /// 0 of what is in no section.
  private func sizeOfDefinition(_ resolution: Resolution) -> UInt64 {
    guard let index = definition(resolution).symbol else { return 0 }
    let object = loaded[Int(resolution.owner)].object
    let symbol = set.objects[object].symbols[index]
    guard symbol.kind == .regular else { return 0 }
    return set.size(at: symbol.value, section: Int(symbol.section), of: object)
  }

  // MARK: Definitions

  private mutating func choose(_ symbol: LinkSymbol, _ definition: Definition) {
    let old = resolutions[symbol.name.index]
    let isAbsolute = symbol.kind == .absolute || old.isAbsolute
    if !symbol.isWeak && !old.flags.contains(.weak) || isAbsolute && profile.absoluteClashesWithWeak {
      clash(symbol, definition, isAbsolute: isAbsolute)
    } else if !symbol.isWeak {
      bind(symbol, definition)
    } else if old.flags.contains(.weak) {
      let flags = flags(of: symbol, definition.owner)
      switch profile.weakChoice {
      case .first: merge(flags, symbol.name)
      case .mostVisible: if isPreferred(flags, symbol, to: old) { bind(symbol, definition) }
      }
    }
  }

  /// The first weak definition stays, and is as visible as the most visible of them.
  private mutating func merge(_ flags: LinkSymbol.Flags, _ name: NameTable.ID) {
    let hiding: LinkSymbol.Flags = [.hidden, .autoHide]
    resolutions[name.index].flags.subtract(hiding.subtracting(flags))
    resolutions[name.index].flags.formUnion(flags.intersection(.neverStripped))
  }

  /// Among weak definitions (rule 1.7).
  private func isPreferred(_ flags: LinkSymbol.Flags, _ symbol: LinkSymbol, to old: Resolution) -> Bool {
    if flags.contains(.bitcode) != old.flags.contains(.bitcode) { return !flags.contains(.bitcode) }
    if flags.contains(.autoHide) != old.flags.contains(.autoHide) { return !flags.contains(.autoHide) }
    if !flags.contains(.autoHide) {
      let isHidden = flags.contains(.hidden)
      if isHidden != old.flags.contains(.hidden) { return !isHidden }
    }
    return symbol.alignment > old.alignment
  }

  /// Two that no linker can choose between; what is reported in the end, and which one stays (rules 1.1, 1.9).
  private mutating func clash(_ symbol: LinkSymbol, _ definition: Definition, isAbsolute: Bool) {
    let old = resolutions[symbol.name.index]
    let (position, oldPosition) = (loaded[definition.owner].position, loaded[Int(old.owner)].position)
    let isLater = position > oldPosition
    var severity: Clash.Severity? = .error
    var takesNew = profile.keepsLastDuplicate
    switch profile.deadDuplicates {
    case .reported: if line.has(.deadStripDuplicates) { severity = .errorIfLive }
    case .liveOnes where line.has(.deadStrip):
      let isSilent = line.has(.allowDeadDuplicates)
      severity = isSilent ? nil : isPastInitial ? .warning : .errorIfLive
      takesNew = isLater && (isSilent || isPastInitial)
    case .liveOnes: break
    }
    // Of a number and something else the one that is earlier on the line is taken.
    if isAbsolute, profile.absoluteClashesWithWeak { takesNew = position < oldPosition }
    if let severity {
      clashes.append(
        Clash(name: symbol.name, severity: severity, first: self.definition(old), second: definition))
    }
    if takesNew { bind(symbol, definition) }
  }
}
