/// How one linker goes about a link where linkers differ. What is not here, all of them do alike.
///
/// The numbers are those of the rules in the design's page of verdicts.
package struct LinkerProfile: Sendable {
  package enum Family: Sendable { case ld64, lld }

  package var name: String
  package var family: Family
  /// Whose recorded verdicts it is built on, if they are not its own.
  package var modelledOn: String?

  /// 1.1: of duplicates that are errors the later steps see the one that came last, not the first.
  package var keepsLastDuplicate: Bool
  /// 1.3: in which order files are loaded.
  var loader: any Loader.Type
  /// 1.4: a library whose table of contents is GNU's.
  package var readsForeignArchives: Bool
  /// 1.14: a fat file whose offsets have 64 bits (`lipo -fat64`).
  package var readsWideFatFiles: Bool
  /// 1.6: `-ObjC` loads members for sections of theirs that are empty.
  package var countsEmptyObjCSections: Bool
  /// 1.6: `-ObjC` loads members for the class symbols of the first runtime, too (`.objc_c…`).
  package var knowsFirstObjCRuntime: Bool
  /// 1.7: which of several weak definitions is taken.
  package var weakChoice: WeakChoice
  /// 1.7: what may be hidden (`.weak_def_can_be_hidden`) is.
  package var hidesAutoHidden: Bool
  /// 1.7: an absolute symbol and a weak one are a duplicate.
  package var absoluteClashesWithWeak: Bool
  /// 1.8: libraries are searched for a definition of what is only common.
  package var searchesForCommons: Bool
  /// 1.8: it warns where a definition is smaller than the common symbol it replaces.
  package var warnsOfLargerCommons: Bool
  /// 1.8: which of several common symbols of one size is taken: the later one …
  package var commonChoice: Order
  /// 1.8: `-commons` is heeded.
  package var heedsCommonsMode: Bool
  /// 1.9: when `-exported_symbol` and its kin take effect.
  package var exportLists: ExportLists
  /// 1.9: what `-dead_strip` changes about duplicates.
  package var deadDuplicates: DeadDuplicates
  /// 1.9: what `-alias` names is live whoever refers to it.
  package var keepsAliases: Bool
  /// 1.9: what `-alias` gives another name to is wanted, and live, whoever refers to it.
  package var wantsAliasedNames: Bool
  /// 1.9: into which atoms files are cut for `-dead_strip`.
  package var cutting: Cutting
  /// 1.10: aliases in object files become definitions once all is read.
  package var aliasesComeLast: Bool
  /// 1.10: `-all_load` holds for libraries that object files ask for.
  package var forcesAutoLinked: Bool
  /// 1.16, 1.18: which names define nothing.
  var atomless: AtomlessKind
  /// 1.17: names that begin with `l` are private to the image.
  var hidesLinkerPrivate: Bool
  /// 1.17: what is marked as referenced dynamically is live.
  var keepsReferencedDynamically: Bool
  /// 1.19: what it says to files of another platform.
  package var platforms: PlatformPolicy
  /// 1.19: it goes from member to member by steps of 4 bytes, whatever the last one's size is.
  package var readsAlignedMembers: Bool
  /// 2: when categories are compared without being asked for.
  package var categories: Categories

  package enum WeakChoice: Sendable {
    case first
    /// Not bitcode before bitcode, not auto-hidden before auto-hidden, visible before hidden, then the better aligned.
    case mostVisible
  }

  package enum Order: Sendable { case asLoaded, onTheLine }

  package enum ExportLists: Sendable {
    /// For each definition when it comes.
    case asDefined
    /// Once the files of the line are read: for definitions that are taken then, not for commons, and not for libraries that
    /// object files ask for.
    case onceRead
  }

  package enum DeadDuplicates: Sendable {
    /// Errors all the same, unless `--dead-strip-duplicates`: then those that are live.
    case reported
    /// Between initial files errors if a copy is live; else warnings, and the later one on the line is taken.
    case liveOnes
  }

  package enum Cutting: Sendable {
    /// All names of one place are one atom.
    case atPlaces
    /// Each name has a atom of its own. Of those at one place one has the content, and the others lead to it: each may be
    /// left out by itself. A definition that was not taken is no root; all else of a file that may not be cut is, and there
    /// each atom leads to the next.
    case atNames
  }

  package enum Categories: Sendable {
    /// With `--check-category-conflicts`: each with the first definition of its method, the class's or a category's.
    case onRequest
    /// Always; with the class, if it is in the link and at most one `+load` is about; else those without `+load`.
    case always
  }
}

extension LinkerProfile {
  package static let lld = LinkerProfile(
    name: "lld", family: .lld, modelledOn: nil,
    keepsLastDuplicate: true,
    loader: EagerLoader.self,
    readsForeignArchives: true,
    readsWideFatFiles: false,
    countsEmptyObjCSections: true,
    knowsFirstObjCRuntime: false,
    weakChoice: .first,
    hidesAutoHidden: true,
    absoluteClashesWithWeak: false,
    searchesForCommons: false,
    warnsOfLargerCommons: false,
    commonChoice: .asLoaded,
    heedsCommonsMode: false,
    exportLists: .onceRead,
    deadDuplicates: .reported,
    keepsAliases: true,
    wantsAliasedNames: false,
    cutting: .atPlaces,
    aliasesComeLast: true,
    forcesAutoLinked: false,
    atomless: .lld,
    hidesLinkerPrivate: false,
    keepsReferencedDynamically: false,
    platforms: .lld,
    readsAlignedMembers: false,
    categories: .onRequest)

  package static let ld64 = LinkerProfile(
    name: "ld64", family: .ld64, modelledOn: nil,
    keepsLastDuplicate: false,
    loader: RoundsLoader.self,
    readsForeignArchives: false,
    readsWideFatFiles: true,
    countsEmptyObjCSections: false,
    knowsFirstObjCRuntime: true,
    weakChoice: .mostVisible,
    hidesAutoHidden: false,
    absoluteClashesWithWeak: true,
    searchesForCommons: true,
    warnsOfLargerCommons: true,
    commonChoice: .onTheLine,
    heedsCommonsMode: true,
    exportLists: .asDefined,
    deadDuplicates: .liveOnes,
    keepsAliases: false,
    wantsAliasedNames: true,
    cutting: .atNames,
    aliasesComeLast: false,
    forcesAutoLinked: true,
    atomless: .ld64,
    hidesLinkerPrivate: true,
    keepsReferencedDynamically: true,
    platforms: .ld64,
    readsAlignedMembers: true,
    categories: .always)

  /// Apple's linker since Xcode 15. Nobody has measured it here: it is taken for ld64.
  package static let ldPrime = {
    var profile = ld64
    profile.name = "ld-prime"
    profile.modelledOn = "ld64-951.9"
    return profile
  }()

  package static let all = [ldPrime, ld64, lld]
}
