/// A linker's order of taking files into a link (rule 1.3).
protocol Loader: SendableMetatype {
  init(_ finder: InputFinder, _ resolver: SymbolResolver)
  consuming func load() -> (InputFinder, SymbolResolver)
}

/// lld reads files one by one in the order of the line. It loads a member as soon as it has read both the library and
/// a reference to one of the member's names, and reads it to its end before it goes on where it was.
struct EagerLoader: Loader {
  private var finder: InputFinder
  private var resolver: SymbolResolver
  /// The object files that are being read, innermost last, with the index of the next symbol. The stack is explicit,
  /// since the files decide how deep it gets.
  private var reading: [(load: LoadID, next: Int)] = []
  private var linkedOptions: Set<[String]> = []

  init(_ finder: InputFinder, _ resolver: SymbolResolver) {
    self.finder = finder
    self.resolver = resolver
  }

  private var set: LinkSet { resolver.set }

  consuming func load() -> (InputFinder, SymbolResolver) {
    for text in resolver.initialNames {
      want(resolver.name(text))
      readPending()
    }
    for input in resolver.line.inputs {
      for file in finder.files(input) { add(file, input.load, isAsked: false) }
    }
    addAliases()
    resolver.applyExports()
    // Rule 1.10: libraries that object files ask for come last.
    while !resolver.linkerOptions.isEmpty {
      let asked = resolver.linkerOptions
      resolver.linkerOptions = []
      for words in asked where linkedOptions.insert(words).inserted {
        if let file = finder.autoLinked(words) { add(file, .lazy, isAsked: true) }
      }
    }
    return (finder, resolver)
  }

  /// `isAsked` says that an object file asks for the file.
  private mutating func add(_ file: FileID, _ load: LinkLine.Input.Load, isAsked: Bool) {
    if !resolver.profile.readsWideFatFiles, set.isWideFatFile(file) {
      let problem = "is a fat file with offsets of 64 bits, which \(resolver.profile.name) does not know"
      resolver.refusals.append(.refusal("\(set.files[file].path) \(problem)"))
      return
    }
    switch set.content(of: file) {
    case .object(let object):
      guard isForThisProcessor(object) else { return }
      begin(resolver.load(object, isHidden: load.contains(.hidden)))
      readPending()
    case .archive:
      guard finder.isNew(file), let archive = resolver.usableArchive(file) else { return }
      let library = resolver.add(file, isHidden: load.contains(.hidden))
      if let flag = resolver.forcingFlag(file, load, isAsked: isAsked) {
        for member in archive.members.numbers { fetch(member, of: library, flag) }
      } else if !isAsked, resolver.line.has(.objC) {
        forceObjC(archive, library)
      }
      for entry in archive.entries { offer(entry, of: library) }
    case .library: for (part, exporter) in finder.withReexports(file) { addExports(of: part, exporter) }
    case .ignored, .unreadable: resolver.noteUnused(file)
    }
  }

  /// Rule 1.6.
  private mutating func forceObjC(_ archive: LinkArchive, _ library: LibraryID) {
    for entry in archive.entries where set.names.hasPrefix("_OBJC_CLASS_$_", entry.name) {
      fetch(entry.member, of: library, .symbol(set.names.text(entry.name)))
    }
    for member in archive.members.numbers where resolver.hasObjCSection(member, of: library) {
      fetch(member, of: library, .flag("-ObjC"))
    }
  }

  // MARK: References, offers and exports

  private mutating func want(_ name: NameID) {
    let resolution = resolver.resolutions[name]
    switch resolution.state {
    case .unknown: resolver.resolutions[name].state = .undefined
    case .offered: push(resolution.member, of: resolution.library, .symbol(set.names.text(name)))
    case .exported: resolver.resolutions[name].isWanted = true
    case .undefined, .common, .defined: break
    }
  }

  private mutating func offer(_ entry: LinkArchive.Entry, of library: LibraryID) {
    let old = resolver.resolutions[entry.name]
    // Rule 1.11: a weak definition in a dynamic library does not end the search.
    let isOpen = old.state == .exported && old.flags.contains(.weak)
    if old.state == .undefined || isOpen && old.isWanted {
      fetch(entry.member, of: library, .symbol(set.names.text(entry.name)))
    } else if old.state == .unknown || isOpen {
      resolver.resolutions[entry.name] = .offer(of: entry.member, in: library)
    }
  }

  private mutating func addExports(of file: FileID, _ exporter: FileID) {
    guard case .library(let content) = set.content(of: file) else { return }
    guard resolver.takes(content, at: set.files[file].path) else { return }
    if content.isForOthers {
      resolver.refusals.append(.refusal("\(set.files[file].path) has nothing for \(set.architecture)"))
    }
    let library = resolver.add(exporter)
    for export in content.exports { resolver.bind(export.name, toExportOf: library, isWeak: export.isWeak) }
  }

  // MARK: Loading

  private mutating func fetch(_ member: MemberID, of library: LibraryID, _ reason: LinkVerdict.Reason) {
    push(member, of: library, reason)
    readPending()
  }

  private mutating func push(_ member: MemberID, of library: LibraryID, _ reason: LinkVerdict.Reason) {
    guard let object = resolver.unloaded(member, of: library), isForThisProcessor(object) else { return }
    begin(resolver.load(object, member, of: library, reason))
  }

  private mutating func begin(_ load: LoadID?) {
    guard let load else { return }
    resolver.define(load)
    reading.append((load, 0))
  }

  /// Rule 1.14 applies to an object file by itself and to a member.
  private mutating func isForThisProcessor(_ object: ObjectID) -> Bool {
    guard let other = set.objects[object].foreign else { return true }
    resolver.passOver(set.place(of: object), "it is for \(other)")
    return false
  }

  /// Reads the object files in `reading` to their end, the innermost first: a member is loaded in the middle of the
  /// file that refers to it.
  private mutating func readPending() {
    while let (load, next) = reading.popLast() {
      let symbols = resolver.symbols(of: load)
      var index = next
      let depth = reading.count
      while index < symbols.count, reading.count == depth {
        let symbol = symbols[index]
        index += 1
        guard symbol.kind == .undefined else { continue }
        want(symbol.name)
        if reading.count > depth { reading.insert((load, index), at: depth) }
      }
      if reading.count == depth { resolver.order.append(load) }
    }
  }

  // MARK: Aliases

  /// Adds `-alias` and the aliases of object files after everything is read (rule 1.10).
  private mutating func addAliases() {
    for (name, alias) in resolver.line.aliases {
      let target = resolver.name(name)
      if resolver.resolutions[target].state == .unknown {
        resolver.remarks.append(.aliasOfNothing(name: name, alias: alias))
      } else {
        addAlias(resolver.name(alias), of: target, in: nil)
      }
    }
    for load in resolver.order {
      for symbol in resolver.symbols(of: load) where symbol.kind == .alias {
        addAlias(symbol.name, of: NameID(rawValue: UInt32(truncatingIfNeeded: symbol.value)), in: load)
      }
    }
  }

  private mutating func addAlias(_ alias: NameID, of name: NameID, in load: LoadID?) {
    let target = resolver.resolutions[name]
    guard target.state == .defined else {
      let (alias, name) = (set.names.text(alias), set.names.text(name))
      resolver.refusals.append(.refusal("\(alias) is another name of \(name), which is not defined"))
      return
    }
    let symbol = LinkSymbol(
      name: alias, kind: target.isAbsolute ? .absolute : .regular, flags: target.flags, alignment: target.alignment,
      value: target.size)
    let definition = load.map { SymbolResolver.Definition(load: $0, symbol: nil) } ?? target.definition
    resolver.define(symbol, definition)
  }
}
