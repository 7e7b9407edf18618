/// One link as it goes: what is loaded, and what each name is bound to.
package struct LinkRun {
  /// What a name is bound to.
  struct Resolution {
    enum State: UInt8 {
      /// Nobody has spoken of it.
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
    /// Of what a dynamic library exports: somebody wants it.
    var isWanted = false
    var alignment: UInt8 = 0
    /// Which symbol of its object file; of an offer, which member.
    var symbol: UInt32 = 0
    /// `loaded`, or `libraries` of an offer or export.
    var owner: UInt32 = 0
    var size: UInt64 = 0
  }

  /// An object file in the link. One may be there twice: it has been named twice.
  package struct Loaded {
    package var object: Int
    package var reason: LinkVerdict.Reason?
    /// Where it stands on the line: the file, then the member.
    var position: Position
    /// What it defines is private to the image (`-load_hidden`).
    var isHidden: Bool
  }

  struct Position: Comparable {
    var file: Int
    var member = 0

    static func < (a: Position, b: Position) -> Bool { (a.file, a.member) < (b.file, b.member) }
  }

  /// A static or dynamic library in the link.
  struct Library {
    var file: Int
    var position: Int
    var isHidden = false
    var loadedMembers: Set<Int> = []
  }

  package struct Clash {
    enum Severity { case error, warning, errorIfLive }

    package var name: NameTable.ID
    var severity: Severity
    var first: Definition
    var second: Definition
  }

  struct Definition: Hashable {
    var owner: Int
    /// Of its object file: of `-alias` the symbol that it is another name of. Nil of an alias in the file itself.
    var symbol: Int?
  }

  package let set: LinkSet
  let line: LinkLine
  let profile: LinkerProfile
  let exports: ExportList
  /// By number of the name.
  var resolutions: [Resolution] = []
  package var loaded: [Loaded] = []
  var libraries: [Library] = []
  package var clashes: [Clash] = []
  /// `loaded`, in the order in which the linker's later steps see them.
  package var order: [Int] = []
  var remarks: [LinkVerdict.Remark] = []
  var refusals: [String] = []
  var missing: [String] = []
  /// Of object files that have been looked at whether the linker takes them.
  var taken: [Int: Bool] = [:]
  /// Every file of the line, whatever came of it.
  package var named: Set<Int> = []
  /// Static and dynamic libraries by path: one that is named again is not taken again.
  var libraryPaths: Set<String> = []
  /// What loaded files ask for and has not been done (`LC_LINKER_OPTION`).
  var unlinked: [[String]] = []
  /// Loading of the line's own files is done.
  var isPastInitial = false
  var positions = 0
  /// By name: the names that `-alias` gives besides.
  var aliases: [NameTable.ID: [NameTable.ID]] = [:]
  /// Eager loading: `loaded` that are being read, the innermost last, and the symbol that is next.
  var reading: [(owner: Int, next: Int)] = []
  /// Loading in rounds: which libraries have a name.
  var index = LibraryIndex()
  /// Names that have been spoken of since the last round.
  var freshNames: [NameTable.ID] = []
  /// How many libraries there were in the last round.
  var searchedLibraries = 0
  /// What loaded files asked for and has been done.
  var linked: Set<[String]> = []
  /// `-commons error`: name, `loaded`, `libraries`.
  var commonClashes: [(name: NameTable.ID, owner: Int, library: Int)] = []

  init(_ set: LinkSet, _ line: LinkLine, _ profile: LinkerProfile) {
    self.set = set
    self.line = line
    self.profile = profile
    exports = ExportList(line, set)
  }

  /// Names that are wanted whoever refers to them: roots of what is live, too.
  var initialNames: [String] {
    let entry = line.output == .executable ? [line.entry ?? "_main"] : []
    let aliased = profile.wantsAliasedNames ? line.aliases.map(\.name) : []
    return entry + line.wanted + exports.literals + aliased
  }

  func resolution(_ name: NameTable.ID) -> Resolution {
    name.index < resolutions.count ? resolutions[name.index] : Resolution()
  }

  var commons: LinkLine.Commons { profile.heedsCommonsMode ? line.commons : .ignoreLibraries }

  /// Makes room for names that were read since.
  mutating func makeRoom() {
    let count = set.names.count - resolutions.count
    if count > 0 { resolutions.append(contentsOf: repeatElement(Resolution(), count: count)) }
  }

  package func place(_ owner: Int) -> LinkPlace { set.place(of: loaded[owner].object) }

  /// Of a symbol of a loaded file, with what the line makes of it.
  func flags(of symbol: LinkSymbol, _ owner: Int) -> LinkSymbol.Flags {
    var flags = symbol.flags
    if loaded[owner].isHidden, !flags.contains(.another) { flags.insert(.hidden) }
    if profile.exportLists == .asDefined {
      // What its file hides is not among what may be hidden; what the line hides is.
      if flags.contains(.hidden) { flags.remove(.autoHide) }
      if !exports.isExported(symbol.name, set.names) { flags.insert(.hidden) }
    }
    guard profile.hidesAutoHidden, flags.contains(.autoHide) else { return flags }
    // What is hidden anyhow, and what is bitcode, is hidden for good: nobody can export it by its name.
    if !flags.isDisjoint(with: [.hidden, .bitcode]) { flags.remove(.autoHide) }
    return flags.union(.hidden)
  }
}
