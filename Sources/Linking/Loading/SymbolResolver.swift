/// The bindings of the names of a link, and the object files and libraries that take part in it.
package struct SymbolResolver {
  struct Resolution {
    enum State: UInt8 {
      /// No file has mentioned it.
      case unknown
      case undefined
      /// A member of a static library would define it.
      case offered
      /// A dynamic library exports it.
      case exported
      case common
      case defined
    }

    var state = State.unknown
    var flags: LinkSymbol.Flags = []
    var isAbsolute = false
    /// There is a reference to the export.
    var isWanted = false
    var alignment: UInt8 = 0
    /// A definition's symbol in its object file; an offer's member.
    fileprivate var symbol: UInt32 = 0
    /// A definition's `LoadID`; the `LibraryID` of an offer or export.
    fileprivate var owner: UInt32 = 0
    var size: UInt64 = 0

    var load: LoadID { LoadID(rawValue: owner) }
    var library: LibraryID { LibraryID(rawValue: owner) }
    var member: MemberID { MemberID(rawValue: symbol) }
    var definition: Definition { Definition(load: load, symbol: symbol == .max ? nil : Int(symbol)) }

    static func offer(of member: MemberID, in library: LibraryID) -> Resolution {
      Resolution(state: .offered, symbol: member.rawValue, owner: library.rawValue)
    }

    static func export(of library: LibraryID, isWeak: Bool, isWanted: Bool) -> Resolution {
      Resolution(state: .exported, flags: isWeak ? .weak : [], isWanted: isWanted, owner: library.rawValue)
    }
  }

  /// An object file in the link. One that the line names twice is in it twice.
  package struct Loaded {
    package var object: ObjectID
    /// Nil for a file that the line names.
    package var reason: LinkVerdict.Reason?
    var position: Position
    /// Its definitions are private to the image (`-load_hidden`).
    var isHidden: Bool
  }

  /// A place on the line.
  typealias Position = (file: Int, member: Int)

  /// A static or dynamic library in the link.
  package struct Library {
    var file: FileID
    var position: Int
    var isHidden: Bool
    var loadedMembers: Set<MemberID> = []
  }

  package struct Clash {
    enum Severity { case error, warning, errorIfLive }

    package var name: NameID
    var severity: Severity
    var first: Definition
    var second: Definition
  }

  struct Definition: Hashable {
    var load: LoadID
    /// The index in its object file; with `-alias`, that of the symbol with two names. Nil for an alias that an
    /// object file defines.
    var symbol: Int?
  }

  package let set: LinkSet
  let line: LinkLine
  let profile: LinkerProfile
  let exports: ExportList
  var resolutions = Table<NameTable, Resolution>()
  package internal(set) var loaded = Numbered<Loaded>()
  var libraries = Numbered<Library>()
  package internal(set) var clashes: [Clash] = []
  /// `-commons error`: common symbols that dynamic libraries define.
  var commonClashes: [(name: NameID, load: LoadID, library: LibraryID)] = []
  /// `loaded`, in the order in which the linker's later steps see them.
  package internal(set) var order: [LoadID] = []
  var remarks: [LinkRemark] = []
  /// Reasons why the linker would not link at all, whatever collides.
  var refusals: [LinkRemark] = []
  /// Words of `LC_LINKER_OPTION` in loaded files that have not been followed yet.
  var linkerOptions: [[String]] = []
  /// The other names that `-alias` gives to a name when it is defined.
  var aliases: [NameID: [NameID]] = [:]
  /// The files of the line itself are loaded.
  var isPastInitial = false
  /// A trait of the profile that is only reported has decided something: the model may give another answer.
  package internal(set) var isReported = false
  private var positions = 0
  /// The answers of `takes`.
  private var taken: [ObjectID: Bool] = [:]

  init(_ set: LinkSet, _ line: LinkLine, _ profile: LinkerProfile) {
    self.set = set
    self.line = line
    self.profile = profile
    exports = ExportList(line, set)
  }

  /// Names that are wanted even without a reference. They are roots of liveness, too.
  var initialNames: [String] {
    let entry = line.output == .executable ? [line.entry ?? "_main"] : []
    let aliased = profile.wantsAliasedNames ? line.aliases.map(\.name) : []
    return entry + line.wanted + [line.initializer].compactMap(\.self) + exports.literals + aliased
  }

  var commons: LinkLine.Commons { profile.heedsCommonsMode ? line.commons : .ignoreLibraries }

  func resolution(_ name: NameID) -> Resolution {
    name.index < resolutions.count ? resolutions[name] : Resolution()
  }

  /// The symbol of a definition, if it is one of its object file's own.
  func symbol(of definition: Definition) -> LinkSymbol? {
    definition.symbol.map { symbols(of: definition.load)[$0] }
  }

  package func symbols(of load: LoadID) -> [LinkSymbol] { set.objects[loaded[load].object].symbols }

  package func place(_ load: LoadID) -> LinkPlace { set.place(of: loaded[load].object) }

  func place(of library: LibraryID) -> LinkPlace { LinkPlace(file: set.files[libraries[library].file].path) }

  mutating func name(_ text: String) -> NameID {
    defer { makeRoom() }
    return set.names.id(text)
  }

  /// Makes room for names that have been read since; every function that reads a file ends with it.
  private mutating func makeRoom() { resolutions.extend(to: set.names.count, with: Resolution()) }

  // MARK: Additions to the link

  mutating func add(_ file: FileID, isHidden: Bool = false) -> LibraryID {
    makeRoom()
    return libraries.append(Library(file: file, position: nextPosition(), isHidden: isHidden))
  }

  /// Adds an object file that the line names. Nil if the linker does not take it.
  mutating func load(_ object: ObjectID, isHidden: Bool) -> LoadID? {
    load(object, nil, isHidden: isHidden, (nextPosition(), 0))
  }

  /// Nil if the member is loaded already, or if the linker does not find it.
  mutating func unloaded(_ member: MemberID, of library: LibraryID) -> ObjectID? {
    guard libraries[library].loadedMembers.insert(member).inserted, finds(member, of: libraries[library].file) else {
      return nil
    }
    return set.object(member, of: libraries[library].file)
  }

  mutating func load(
    _ object: ObjectID, _ member: MemberID, of library: LibraryID, _ reason: LinkVerdict.Reason
  ) -> LoadID? {
    let position = (libraries[library].position, member.index)
    return load(object, reason, isHidden: libraries[library].isHidden, position)
  }

  private mutating func load(
    _ object: ObjectID, _ reason: LinkVerdict.Reason?, isHidden: Bool, _ position: Position
  ) -> LoadID? {
    guard takes(object) else { return nil }
    makeRoom()
    if !line.has(.ignoreAutoLink) { linkerOptions += set.objects[object].linkerOptions }
    return loaded.append(Loaded(object: object, reason: reason, position: position, isHidden: isHidden))
  }

  private mutating func nextPosition() -> Int {
    positions += 1
    return positions
  }

  /// The linker's remark on the object file is noted once.
  mutating func takes(_ object: ObjectID) -> Bool {
    if let known = taken[object] { return known }
    let place = set.place(of: object)
    var isTaken = false
    if let foreign = set.objects[object].foreign {
      // A linker that looks at each member has noted it before.
      if !profile.looksAtEachProcessor {
        refusals.append(.otherProcessor(place, "\(foreign), and not for \(set.architecture)"))
      }
    } else {
      isTaken = takes(set.objects[object].builds, place, isLibrary: false)
    }
    taken[object] = isTaken
    return isTaken
  }
}

extension SymbolResolver.Resolution {
  init(_ symbol: LinkSymbol, _ flags: LinkSymbol.Flags, _ definition: SymbolResolver.Definition) {
    self.init(
      state: symbol.kind == .common ? .common : .defined, flags: flags, isAbsolute: symbol.kind == .absolute,
      alignment: symbol.alignment, symbol: definition.symbol.map { UInt32($0) } ?? .max,
      owner: definition.load.rawValue, size: symbol.value)
  }
}
