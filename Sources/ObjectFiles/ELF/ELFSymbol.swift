/// One entry of an ELF symbol table, as it stands (`ELFSymbols` has the layout).
package struct ELFSymbol {
  package var nameOffset: UInt32
  /// Nil for a value that has no meaning here, as is `type`.
  package var binding: Binding?
  package var type: Kind?
  package var visibility: UInt8
  /// Its section's index, or one of `ELFSectionIndex`.
  package var section: UInt16
  package var value: UInt64
  package var size: UInt64

  package enum Binding: UInt8 {
    case local, global, weak
    /// There is one in the whole process (`STB_GNU_UNIQUE`).
    case unique = 10
  }

  package enum Kind: UInt8 {
    case object = 1
    case function, section, file, common, threadLocal
    /// A function chooses the target at load time (`STT_GNU_IFUNC`).
    case indirect = 10
  }

  package init(_ entries: borrowing ByteReader, at place: Int, is64Bit: Bool) throws(FormatError) {
    nameOffset = try entries.integer(at: place, "symbol")
    let info: UInt8 = try entries.integer(at: place + (is64Bit ? 4 : 12), "symbol")
    let other: UInt8 = try entries.integer(at: place + (is64Bit ? 5 : 13), "symbol")
    section = try entries.integer(at: place + (is64Bit ? 6 : 14), "symbol")
    value = try entries.address(at: place + (is64Bit ? 8 : 4), is64Bit: is64Bit, "symbol")
    size = try entries.address(at: place + (is64Bit ? 16 : 8), is64Bit: is64Bit, "symbol")
    binding = Binding(rawValue: info >> 4)
    type = Kind(rawValue: info & 0xF)
    visibility = other & 3
  }

  package var isCommon: Bool { type == .common || section == ELFSectionIndex.common }

  var flags: Symbol.Flags {
    var flags: Symbol.Flags = []
    if binding != .local { flags.insert(.external) }
    if binding == .weak { flags.insert(.weak) }
    if section == 0 { flags.insert(.undefined) }
    if section == ELFSectionIndex.absolute { flags.insert(.absolute) }
    if isCommon { flags.insert(.common) }
    if visibility == 1 || visibility == 2 { flags.insert(.hidden) }
    if visibility == 3 { flags.insert(.protected) }
    if type == .threadLocal { flags.insert(.threadLocal) }
    if type == .indirect { flags.insert(.indirect) }
    return flags
  }
}
