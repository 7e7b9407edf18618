extension MachOReferences {
  /// For i386 and arm, where some references take two relocations, the second of which is a `pair`.
  func narrow(
    _ relocation: MachORelocation, _ pending: inout Pending, isARM: Bool, _ reader: borrowing ByteReader
  ) throws(FormatError) -> MachOReference? {
    let (generic, arm) = (I386Relocation(rawValue: relocation.type), ARMRelocation(rawValue: relocation.type))
    if relocation.type == ARMRelocation.pair.rawValue {
      guard let first = pending.relocation else { throw unknown(relocation) }
      pending.relocation = nil
      return try pair(first, relocation, reader)
    }
    if let first = pending.relocation { throw unknown(first) }
    switch (isARM ? nil : generic, isARM ? arm : nil) {
    case (.pointer, _), (.threadLocal, _), (_, .pointer):
      let size = 1 << Int(relocation.size)
      var value = try number(at: relocation, size, reader)
      if relocation.isRelative { value &+= place(relocation) &+ UInt64(size) }
      return reference(relocation, size, mask: .max, value, base: nil)
    case (.difference, _), (.localDifference, _), (_, .difference), (_, .localDifference), (_, .half),
      (_, .halfDifference):
      pending.relocation = relocation
      return nil
    case (_, .branch24): return branch(relocation, try word(relocation, reader))
    case (_, .thumbBranch): return thumbBranch(relocation, try word(relocation, reader))
    default: throw unknown(relocation)
    }
  }

  private func word(
    _ relocation: MachORelocation, _ reader: borrowing ByteReader
  ) throws(FormatError) -> UInt32 {
    UInt32(truncatingIfNeeded: try number(at: relocation, 4, reader))
  }

  private func pair(
    _ first: MachORelocation, _ second: MachORelocation, _ reader: borrowing ByteReader
  ) throws(FormatError) -> MachOReference {
    var other: MachOReference.Target?
    var (value, mask, size): (UInt64, UInt64, Int)
    let type = ARMRelocation(rawValue: first.type)
    if type == .half || type == .halfDifference {
      (value, mask) = MachOReferences.half(try word(first, reader), other: second.address & 0xFFFF, first.size)
      size = 4
    } else {
      size = 1 << Int(first.size)
      (value, mask) = (try number(at: first, size, reader), .max)
    }
    if type != .half {
      guard case .address = first.target, case .address(let base) = second.target else { throw unknown(first) }
      other = target(second, 0)
      value &+= UInt64(base)
    }
    return reference(first, size, mask: mask, value, base: other)
  }

  /// The address of which `movw` or `movt` has one half, and the mask of that half. Bit 0 of `size` says that it is
  /// the upper half, bit 1 that it is Thumb code.
  private static func half(_ word: UInt32, other: UInt32, _ size: UInt8) -> (value: UInt64, mask: UInt64) {
    let own: UInt32
    let mask: UInt64
    if size & 2 != 0 {
      let (first, second) = (word & 0xFFFF, word >> 16)
      own = (first & 0xF) << 12 | (first >> 10 & 1) << 11 | (second >> 12 & 7) << 8 | second & 0xFF
      mask = 0x70FF_040F
    } else {
      own = (word >> 16 & 0xF) << 12 | word & 0xFFF
      mask = 0x000F_0FFF
    }
    return (UInt64(size & 1 != 0 ? own << 16 | other : other << 16 | own), mask)
  }

  private func branch(_ relocation: MachORelocation, _ word: UInt32) -> MachOReference {
    // With the condition "never" it is a branch into Thumb code (`blx`), which may lead into the middle of a word.
    let isExchange = word >> 28 == 0xF
    var distance = Int64(Int32(bitPattern: word << 8) >> 6)
    if isExchange { distance += Int64(word >> 24 & 1) << 1 }
    let value = place(relocation) &+ 8 &+ UInt64(bitPattern: distance)
    return reference(relocation, 4, mask: isExchange ? 0x01FF_FFFF : 0x00FF_FFFF, value, base: nil)
  }

  private func thumbBranch(_ relocation: MachORelocation, _ word: UInt32) -> MachOReference {
    let (first, second) = (word & 0xFFFF, word >> 16)
    let sign = first >> 10 & 1
    let bits = [~(second >> 13 ^ sign) & 1, ~(second >> 11 ^ sign) & 1]
    let raw = sign << 24 | bits[0] << 23 | bits[1] << 22 | (first & 0x3FF) << 12 | (second & 0x7FF) << 1
    var value = place(relocation) &+ 4 &+ UInt64(bitPattern: Int64(Int32(bitPattern: raw << 7) >> 7))
    // A branch into ARM code leads to a whole word.
    if second & 0x1000 == 0 { value &= ~3 }
    return reference(relocation, 4, mask: 0x2FFF_07FF, value, base: nil)
  }
}
