/// A symbol of any format, as `nm` shows it.
package struct Symbol: Hashable, Sendable {
  /// Its place in the file; nil if the file points to no name.
  package var name: Range<Int>?
  /// One letter for its kind; upper case if it is external.
  ///
  ///     T code      D data      B zero-filled data      R read-only data (ELF)      S another section (Mach-O)
  ///     C common    A absolute  I another name (Mach-O), chosen when it is loaded (ELF)
  ///     U undefined w undefined and weak (ELF; v an object)    W weak (ELF; V an object)
  package var letter: UInt8
  package var address: UInt64
  /// In bytes; 0 where the format does not say (all but commons in Mach-O and bitcode).
  package var size: UInt64 = 0
  package var flags: Flags = []

  package struct Flags: OptionSet, Hashable, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Other files of a link see it.
    package static let external = Flags(rawValue: 1)
    package static let undefined = Flags(rawValue: 1 << 1)
    package static let common = Flags(rawValue: 1 << 2)
    package static let absolute = Flags(rawValue: 1 << 3)
    /// A definition that yields to a strong one, or a reference that may stay unresolved.
    package static let weak = Flags(rawValue: 1 << 4)
    /// Seen while linking only, not by other images: private extern, hidden or internal visibility.
    package static let hidden = Flags(rawValue: 1 << 5)
    package static let thumb = Flags(rawValue: 1 << 6)
    package static let indirect = Flags(rawValue: 1 << 7)
    package static let neverStripped = Flags(rawValue: 1 << 8)
    package static let alternativeEntry = Flags(rawValue: 1 << 9)
    package static let threadLocal = Flags(rawValue: 1 << 10)
    package static let protected = Flags(rawValue: 1 << 11)
    /// Weak, and hidden in the linked image unless its address is taken.
    package static let autoHide = Flags(rawValue: 1 << 12)

    /// Their names for reports, in the order of the bits.
    package static let names: [(flag: Flags, name: String)] = [
      (.external, "external"), (.undefined, "undefined"), (.common, "common"), (.absolute, "absolute"),
      (.weak, "weak"), (.hidden, "hidden"), (.thumb, "thumb"), (.indirect, "indirect"),
      (.neverStripped, "no-dead-strip"), (.alternativeEntry, "alt-entry"), (.threadLocal, "thread-local"),
      (.protected, "protected"), (.autoHide, "auto-hide"),
    ]
  }
}

/// The symbols that options of `nm` select. Debugging symbols are never selected.
package struct SymbolSelection: Hashable, Sendable {
  /// `-g`
  package var externalOnly: Bool
  /// `-U`
  package var definedOnly: Bool
  /// `-u`
  package var undefinedOnly: Bool

  package init(externalOnly: Bool = false, definedOnly: Bool = false, undefinedOnly: Bool = false) {
    self.externalOnly = externalOnly
    self.definedOnly = definedOnly
    self.undefinedOnly = undefinedOnly
  }

  @inline(__always)
  func takes(isExternal: Bool, isUndefined: Bool) -> Bool {
    !(externalOnly && !isExternal) && !(definedOnly && isUndefined) && !(undefinedOnly && !isUndefined)
  }

  package func takes(_ symbol: Symbol) -> Bool {
    takes(isExternal: symbol.flags.contains(.external), isUndefined: symbol.flags.contains(.undefined))
  }
}
