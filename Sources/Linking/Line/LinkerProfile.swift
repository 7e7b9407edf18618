package import ObjectFiles

/// The behaviour of one linker, where linkers differ. The numbers are rules of the page `linkers.md`; defaults are
/// ld64's. Traits that nobody has measured here are marked as reported; section 1.21 has their sources.
package struct LinkerProfile: Sendable {
  package enum Family: Sendable { case ld64, lld }

  package var name: String
  package var family: Family
  /// The linker whose recorded verdicts the profile is built on, if they are not its own.
  package var modelledOn: String?

  /// 1.1: after a duplicate that is an error the later steps see the last definition, not the first.
  package var keepsLastDuplicate = false
  /// 1.3: the order in which files are loaded.
  var loader: any Loader.Type = RoundsLoader.self
  /// 1.4: it reads libraries with a table of contents in GNU's format.
  package var readsForeignArchives = false
  /// 1.14: it reads fat files whose offsets have 64 bits (`lipo -fat64`).
  package var readsWideFatFiles = true
  /// 1.14: it takes a dynamic library for another processor, unless that is fat.
  package var takesForeignLibraries = false
  /// 1.6: `-ObjC` loads members for their empty sections.
  package var countsEmptyObjCSections = false
  /// 1.6: `-ObjC` loads members for the class symbols of the first runtime, too (`.objc_c…`).
  package var knowsFirstObjCRuntime = true
  /// 1.7: the first weak definition is taken. Otherwise linkers prefer, in this order: no bitcode, not auto-hidden,
  /// visible, better aligned.
  package var takesFirstWeak = false
  /// 1.7: definitions that may be hidden (`.weak_def_can_be_hidden`) are hidden.
  package var hidesAutoHidden = false
  /// 1.7: an absolute symbol and a weak one are a duplicate.
  package var absoluteClashesWithWeak = true
  /// 1.8: it searches libraries for definitions of common symbols.
  package var searchesForCommons = true
  /// 1.8: it knows the sizes of common symbols in bitcode, which for others are 0 until it is compiled.
  var knowsSizesOfBitcode = false
  /// 1.8: it warns where a definition is smaller than the common symbol it replaces.
  package var warnsOfLargerCommons = true
  /// 1.8: the choice among common symbols of one size; that of the first one is reported.
  package var commonOfOneSize: CommonOfOneSize = .lastOnLine
  /// 1.8: `-commons` is heeded.
  package var heedsCommonsMode = true
  /// 1.9: the time at which `-exported_symbol` and similar options take effect.
  package var exportLists: ExportLists = .asDefined
  /// 1.9: the effect of `-dead_strip` on duplicates.
  package var deadDuplicates: DeadDuplicates = .liveOnes
  /// 1.9: the new names of `-alias` are live even without a reference.
  package var keepsAliases = false
  /// 1.9: the old names of `-alias` are wanted, and live, even without a reference.
  package var wantsAliasedNames = true
  /// 1.9: the division of files into atoms for `-dead_strip`.
  package var cutting: Cutting = .atNames
  /// 1.10: aliases in object files become definitions after all files are read.
  package var aliasesComeLast = false
  /// 1.10: `-all_load` holds for libraries that object files ask for.
  package var forcesAutoLinked = true
  /// 1.16, 1.18: the kinds of names that define nothing.
  var atomless: AtomlessKind = .ld64
  /// 1.17: names that begin with `l` are private to the image.
  var hidesLinkerPrivate = true
  /// 1.17: symbols that are marked as referenced dynamically are live.
  var keepsReferencedDynamically = true
  /// 1.19: the treatment of files for another platform.
  package var platforms: PlatformPolicy = .ld64
  /// 1.19: it looks for each member at a multiple of 4 bytes.
  package var readsAlignedMembers = true
  /// 1.19, reported: it stops at 64-bit members that do not begin at a multiple of 8 bytes.
  package var wantsAlignedMembers = false
  /// 1.21, reported: options that name one file are taken together.
  package var joinsOptions = false
  /// 1.21, reported: it warns of libraries that one option names again, of `-weak-l` for a static library, of an object
  /// file that asks for a weak library, and of a common symbol that hides the definition of a dynamic library.
  package var warnsOfOptions = false
  /// 1.21, reported: a static library counts member by member, and it warns of each for another processor.
  package var looksAtEachProcessor = false
  /// 1.22: processors for which it hands over to ld64.
  var handedOver: Set<CPUType> = []
  /// 1.23: it passes over `-init`, `-alias_list` and libraries that are upward or lazy, and heeds `-noall_load`.
  var passesOverOptions = false
  /// 2.2: the way in which categories are compared.
  package var categories: Categories = .always

  package enum ExportLists: Sendable {
    /// At once, for each definition.
    case asDefined
    /// After the files of the line are read. Commons are left out, and so are libraries that object files ask for.
    case onceRead
  }

  package enum DeadDuplicates: Sendable {
    /// They are errors; with `--dead-strip-duplicates` only if they are live.
    case reported
    /// Between initial files they are errors if a copy is live. Otherwise they are warnings, and the later one on the
    /// line is taken.
    case liveOnes
    /// Reported: the same, but only the copy that is kept has to be live. With `-allow_dead_duplicates` another one has
    /// to be live as well.
    case liveFirst
  }

  package enum CommonOfOneSize: Sendable { case firstOnLine, lastOnLine, lastLoaded }

  package enum Cutting: Sendable {
    /// All names at one address are one atom.
    case atPlaces
    /// Each name has an atom of its own, which may be left out by itself. One of the atoms at an address has the
    /// content, and the others refer to it. In a file that may not be cut each atom refers to the next, and every
    /// definition is a root.
    case atNames
  }

  package enum Categories: Sendable {
    /// With `--check-category-conflicts`: each method is compared with its first definition, in the class or a
    /// category.
    case onRequest
    /// Always: with the class, if it is in the link and at most one of them has a `+load`. Otherwise the categories
    /// without `+load` are compared with each other.
    case always
  }
}

extension LinkerProfile {
  package static let ld64 = LinkerProfile(name: "ld64", family: .ld64)
  /// Apple's linker since Xcode 15. It has not been measured: the profile is ld64's but for what is reported.
  package static let ldPrime = LinkerProfile(
    name: "ld-prime", family: .ld64, modelledOn: "ld64-951.9",
    commonOfOneSize: .firstOnLine,
    deadDuplicates: .liveFirst,
    wantsAlignedMembers: true,
    joinsOptions: true,
    warnsOfOptions: true,
    looksAtEachProcessor: true,
    handedOver: [.arm, .arm64_32, .i386])

  package static let lld = LinkerProfile(
    name: "lld", family: .lld,
    keepsLastDuplicate: true,
    loader: EagerLoader.self,
    readsForeignArchives: true,
    readsWideFatFiles: false,
    takesForeignLibraries: true,
    countsEmptyObjCSections: true,
    knowsFirstObjCRuntime: false,
    takesFirstWeak: true,
    hidesAutoHidden: true,
    absoluteClashesWithWeak: false,
    searchesForCommons: false,
    knowsSizesOfBitcode: true,
    warnsOfLargerCommons: false,
    commonOfOneSize: .lastLoaded,
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
    passesOverOptions: true,
    categories: .onRequest)

  package static let all = [ldPrime, ld64, lld]

  /// The linker that the profile is modelled on, for what is only reported of its own.
  package var model: LinkerProfile? { modelledOn == nil ? nil : .ld64 }

  /// The linker that links for a processor if this one is asked to (rule 1.22).
  package func linking(_ architecture: Architecture) -> LinkerProfile {
    handedOver.contains(architecture.cpu) ? .ld64 : self
  }
}
