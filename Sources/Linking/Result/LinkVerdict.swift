package import Findings
package import ObjectFiles

/// The outcome of a link, and everything that the linker reports.
package struct LinkVerdict: Sendable {
  package enum Outcome: String, Sendable { case error, warning, silent }

  /// The reason why a member of a static library is part of a link.
  package enum Reason: Hashable, Sendable {
    /// The flag that forces it: `-all_load`, `-force_load`, `-ObjC`.
    case flag(String)
    /// The name that was wanted.
    case symbol(String)
  }

  package struct Member: Hashable, Sendable {
    package var place: LinkPlace
    package var reason: Reason
  }

  package struct Duplicate: Hashable, Sendable {
    package var name: String
    package var isError: Bool
    /// Each pair that the linker compared: the definition it had, and the new one.
    package var pairs: [[LinkPlace]]
  }

  package struct Winner: Hashable, Sendable {
    package var name: String
    package var place: LinkPlace
    /// False for an absolute symbol, which has no place in the output, and for a string or constant, which linkers
    /// merge: no map shows their names.
    package var isNamedInMap = true
  }

  package struct CategoryClash: Hashable, Sendable {
    package enum Other: Hashable, Sendable { case category, objcClass }

    package var className: String
    /// With `+` or `-` in front.
    package var method: String
    package var other: Other
    /// The category that came later.
    package var category: LinkPlace
    package var otherPlace: LinkPlace
  }

  /// A linker's remark on the inputs, apart from duplicates and categories.
  package enum Remark: Hashable, Sendable, CustomStringConvertible {
    /// A common symbol is larger than the definition that replaces it.
    case largerCommon(name: String, common: LinkPlace, definition: LinkPlace)
    case ignored(file: String, why: String)
    case hiddenCannotBeExported(name: String, LinkPlace)
    /// Built for a newer system than the output.
    case newer(file: String, OSVersion)
    case otherPlatform(file: String, String)
    /// `-alias` of a name that no file mentions.
    case aliasOfNothing(name: String, alias: String)
    /// Options that name a library again, as the line spells them.
    case repeatedLibraries([String])
    /// `-weak-l` that finds a static library.
    case weakArchive(option: String, file: String)
    /// An object file asks for a library in a way that only a line may.
    case ignoredOption(String)
    /// A common symbol hides the definition of a dynamic library.
    case hidesLibrary(name: String, common: LinkPlace, library: LinkPlace)

    /// One line.
    package var description: String {
      switch self {
      case .largerCommon(let name, let common, let definition):
        "\(name) is larger in \(common) than in \(definition), which is taken"
      case .ignored(let file, let why): "\(file) is passed over: \(why)"
      case .hiddenCannotBeExported(let name, let place): "\(name) of \(place) is hidden and cannot be exported"
      case .newer(let file, let version): "\(file) is built for a newer system (\(version)) than the output"
      case .otherPlatform(let file, let platform): "\(file) is built for \(platform)"
      case .aliasOfNothing(let name, let alias): "-alias \(name) \(alias): no input refers to \(name)"
      case .repeatedLibraries(let options): "duplicate libraries are ignored: \(options.joined(separator: ", "))"
      case .weakArchive(let option, let file): "\(option) finds the static library \(file), which cannot be weak"
      case .ignoredOption(let option): "\(option), which an object file asks for, is ignored"
      case .hidesLibrary(let name, let common, let library):
        "\(name) is a common symbol in \(common), and the definition of \(library) is ignored"
      }
    }
  }

  package var linker: String
  package var outcome = Outcome.silent
  /// Reasons why this linker would not link at all: a flag it does not know, a library without a table of contents.
  package var refusals: [String] = []
  package var duplicates: [Duplicate] = []
  /// The definition in the output of each name that two inputs or more define, sorted by name. Empty after an error.
  package var winners: [Winner] = []
  /// In the order of loading.
  package var loaded: [Member] = []
  package var categoryClashes: [CategoryClash] = []
  package var remarks: [Remark] = []
  /// Files and libraries that do not exist, as they were named.
  package var missing: [String] = []
  /// Files and members that could not be read.
  package var mistakes: [Mistake] = []
}
