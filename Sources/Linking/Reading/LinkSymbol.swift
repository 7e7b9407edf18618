import ObjectFiles

/// An external symbol of an object file, as a linker sees it.
package struct LinkSymbol: Sendable {
  package enum Kind: UInt8, Sendable {
    case undefined
    /// A definition without storage; the value is its size.
    case common
    /// The value is a number, and no address.
    case absolute
    /// Another name for the symbol whose `NameID` is the value.
    case alias
    /// In a section.
    case regular
  }

  package struct Flags: OptionSet, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A definition that yields to a strong one.
    package static let weak = Flags(rawValue: 1)
    /// Global while linking, private in the image.
    package static let hidden = Flags(rawValue: 1 << 1)
    /// Hidden unless its address is taken.
    package static let autoHide = Flags(rawValue: 1 << 2)
    /// It lies in a section of instructions.
    package static let code = Flags(rawValue: 1 << 3)
    package static let neverStripped = Flags(rawValue: 1 << 4)
    package static let bitcode = Flags(rawValue: 1 << 5)
    /// It lies in a section of strings or constants, which linkers merge one by one.
    package static let literal = Flags(rawValue: 1 << 6)
    /// A new name from `-alias`. It is visible even if its file is hidden.
    package static let another = Flags(rawValue: 1 << 7)
  }

  package var name: NameID
  package var kind: Kind
  package var flags: Flags
  /// The exponent of a power of two.
  package var alignment: UInt8 = 0
  /// Counted from 1; 0 is none.
  package var section: UInt8 = 0
  package var value: UInt64 = 0

  package var isDefinition: Bool { kind != .undefined }
  package var isWeak: Bool { flags.contains(.weak) }
}

extension LinkSymbol {
  /// The properties of sections that matter to symbols, by number from 0.
  struct SectionKinds {
    fileprivate struct Kind {
      var alignment: UInt8
      var flags: Flags
      var atomless: AtomlessKind
    }

    fileprivate let kinds: [Kind]
    fileprivate let profile: LinkerProfile
    fileprivate let hasFirstClasses: Bool

    init(_ sections: [MachOSection], _ profile: LinkerProfile) {
      self.profile = profile
      hasFirstClasses = sections.contains(where: AtomlessKind.isOfFirstClasses)
      kinds = sections.map { section in
        Kind(
          alignment: UInt8(min(section.alignment, 63)),
          flags: (section.hasInstructions ? .code : [] as Flags).union(section.isOfLiterals ? .literal : []),
          atomless: AtomlessKind(section).intersection(profile.atomless))
      }
    }
  }

  /// A symbol of a Mach-O object file. The caller sets its name, whose text `reader` has. Nil for a symbol that other
  /// files do not see.
  init?(_ entry: MachOSymbol, named place: Range<Int>, _ reader: borrowing ByteReader, _ sections: SectionKinds) {
    guard entry.isExternal, !entry.isDebug else { return nil }
    name = NameID(rawValue: .max)
    flags = entry.isPrivateExternal ? .hidden : []
    value = entry.value
    switch entry.kind {
    case .undefined:
      kind = entry.isCommon ? .common : .undefined
      if entry.isCommon { alignment = UInt8(entry.commonAlignment) }
      return
    case .absolute:
      let atomless = AtomlessKind(absolute: place, reader, hasFirstClasses: sections.hasFirstClasses)
      guard atomless.isDisjoint(with: sections.profile.atomless) else { return nil }
      kind = .absolute
    case .indirect: kind = .alias
    case .section:
      kind = .regular
      section = entry.section
      if entry.isWeakDefinition { flags.insert(.weak) }
      if entry.isWeakDefinition, entry.isWeakReference { flags.insert(.autoHide) }
      let isLinkerPrivate = reader.starts(with: "l", at: place.lowerBound)
      if sections.profile.atomless.contains(.localLabel), reader.starts(with: "L", at: place.lowerBound) { return nil }
      if section > 0, Int(section) <= sections.kinds.count {
        let place = sections.kinds[Int(section) - 1]
        if !place.atomless.subtracting(isLinkerPrivate ? [] : .literalLabel).isEmpty { return nil }
        // A symbol has the alignment of its section, or less by its address.
        alignment = min(place.alignment, UInt8(entry.value.trailingZeroBitCount))
        flags.formUnion(place.flags)
      }
      if sections.profile.hidesLinkerPrivate, isLinkerPrivate { flags.insert(.hidden) }
      if sections.profile.keepsReferencedDynamically, entry.isReferencedDynamically { flags.insert(.neverStripped) }
    default: return nil
    }
    if entry.isNeverStripped { flags.insert(.neverStripped) }
  }

  /// A symbol of a bitcode file. The caller sets its name.
  init?(_ symbol: Symbol, _ profile: LinkerProfile) {
    guard symbol.flags.contains(.external) || symbol.flags.contains(.undefined) else { return nil }
    name = NameID(rawValue: .max)
    flags = .bitcode
    kind = symbol.flags.contains(.undefined) ? .undefined : symbol.flags.contains(.common) ? .common : .regular
    if kind == .common, profile.knowsSizesOfBitcode { value = symbol.size }
    if symbol.flags.contains(.hidden) { flags.insert(.hidden) }
    if symbol.flags.contains(.neverStripped) { flags.insert(.neverStripped) }
    if isDefinition, symbol.flags.contains(.weak) { flags.insert(.weak) }
    if isWeak, symbol.flags.contains(.autoHide) { flags.insert(.autoHide) }
    if symbol.letter | 0x20 == UInt8(ascii: "t") { flags.insert(.code) }
  }
}
