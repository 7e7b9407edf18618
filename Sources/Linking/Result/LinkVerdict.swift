package import Findings

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

  package var linker: String
  package var outcome = Outcome.silent
  /// Reasons why this linker would not link at all: a flag it does not know, a library without a table of contents.
  package var refusals: [LinkRemark] = []
  package var duplicates: [Duplicate] = []
  /// The definition in the output of each name that two inputs or more define, sorted by name. Empty after an error.
  package var winners: [Winner] = []
  /// In the order of loading.
  package var loaded: [Member] = []
  package var categoryClashes: [CategoryClash] = []
  package var remarks: [LinkRemark] = []
  /// Files and libraries that do not exist, as they were named.
  package var missing: [String] = []
  /// Files and members that could not be read.
  package var mistakes: [Mistake] = []
}
