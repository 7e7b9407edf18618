// The meaning of an object file's relocations, processor by processor (`<mach-o/x86_64/reloc.h>`, `arm64`, `arm`,
// `generic`). `place` is the address of the bytes, `content` the number in them.
//
//   x86_64   `signed…` are distances, with 1, 2 or 4 bytes of the instruction behind them; the others of instructions are
//            distances to a pointer to the symbol; the next relocation counts from the `subtractor`
//   arm64    instructions have the page, or the offset in it, of the symbol or of a pointer to it (`pointerToGOT`: a
//            distance in data); `addend` is that of the next relocation; a signed pointer has its addend in the lower half
//   i386     a pointer or distance; a difference, whose other end is in the next relocation (`pair`)
//   arm      the same; a move instruction has half of an address, and the address field of the `pair` the other half
//
// With a symbol the content is the addend (arm64's instructions have a relocation for it), else the address. A distance
// counts from the end of the bytes; with a symbol, x86_64's is the addend alone, 32-bit processors' the distance to 0.

/// A symbol or address that a linker writes into some bytes of a section.
package struct MachOReference: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    /// Its number in the symbol table: a claim.
    case symbol(UInt32)
    /// The section is counted from 1; 0 stands for the one that has the address.
    case address(UInt64, section: UInt32)
  }

  /// The address of the bytes.
  package var place: UInt64
  /// In bytes.
  package var length: Int
  /// The bits that the linker writes, of the bytes as a little-endian number. The others are the file's own.
  package var mask: UInt64
  /// The type in the processor's own numbers.
  package var type: UInt8
  package var isRelative: Bool
  package var target: Target
  package var addend: Int64
  /// The target that is subtracted.
  package var base: Target?
  /// False if the type is not known here: then only the symbol or section of the target is meaningful.
  package var isKnown = true

  /// False for a part of an instruction and for a distance. 0 is a pointer for every processor, 11 a signed one for
  /// arm64.
  var isPointer: Bool {
    type == ARM64Relocation.pointer.rawValue || type == ARM64Relocation.signedPointer.rawValue
  }
}

extension MachOFile {
  /// Calls `body` with each reference of sections, numbered from 0. Throws for relocations out of bounds or shared.
  package func forEachReference(
    of sections: [MachOSection], where isWanted: (MachOSection) -> Bool, _ reader: borrowing ByteReader,
    _ body: (_ section: Int, MachOReference) throws(FormatError) -> Void
  ) throws(FormatError) {
    try forEach(of: sections, where: isWanted, reader) { (number: Int, section: MachOSection) throws(FormatError) in
      try MachOReferences(section, self, reader).forEach(reader) { (reference: MachOReference) throws(FormatError) in
        try body(number, reference)
      }
    }
  }

  /// By section; nil for those that are not wanted or have no relocations.
  package func referenceIndices(
    of sections: [MachOSection], where isWanted: (MachOSection) -> Bool, _ reader: borrowing ByteReader
  ) throws(FormatError) -> [MachOReferenceIndex?] {
    var indices = [MachOReferenceIndex?](repeating: nil, count: sections.count)
    try forEach(of: sections, where: isWanted, reader) { (number: Int, section: MachOSection) throws(FormatError) in
      indices[number] = try MachOReferenceIndex(section, self, reader)
    }
    return indices
  }

  /// Calls `body` with each wanted section that has relocations. Throws for tables that sections share: a small file
  /// would be slow to read.
  private func forEach(
    of sections: [MachOSection], where isWanted: (MachOSection) -> Bool, _ reader: borrowing ByteReader,
    _ body: (_ number: Int, MachOSection) throws(FormatError) -> Void
  ) throws(FormatError) {
    var budget = NameBudget(bytes: reader.count, "relocations")
    for (number, section) in sections.enumerated() where section.relocationCount > 0 && isWanted(section) {
      try budget.spend(
        8 * Int(section.relocationCount), at: range.lowerBound, "relocations of section \(section.name)")
      try body(number, section)
    }
  }
}

/// The references of a section. A plain value: it keeps no bytes.
struct MachOReferences: Sendable {
  let section: MachOSection
  private let file: MachOFile
  let relocations: MachORelocations

  /// Parts of a reference that one relocation leaves for the next.
  struct Pending {
    var relocation: MachORelocation?
    var base: MachOReference.Target?
    var addend: Int64 = 0
  }

  init(_ section: MachOSection, _ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    self.section = section
    self.file = file
    relocations = try MachORelocations(section, file, reader)
    let cpus: [CPUType] = [.arm64, .arm64_32, .x86_64, .i386, .arm]
    guard file.endianness == .little, cpus.contains(file.architecture.cpu),
      !section.isZeroFill || relocations.range.isEmpty
    else {
      throw .unsupported(
        "relocations of section \(section.name)", at: relocations.range.lowerBound,
        "relocations of \(file.architecture) are not read")
    }
  }

  /// Calls `body` with each reference, in the order of the relocations. Throws for bytes that are not in the section.
  func forEach(
    _ reader: borrowing ByteReader, _ body: (MachOReference) throws(FormatError) -> Void
  ) throws(FormatError) {
    let content = try reader.slice(file.range, "Mach-O file", .little)
    var pending = Pending()
    try relocations.forEach(reader) { (relocation: MachORelocation) throws(FormatError) in
      if let reference = try reference(relocation, &pending, content) { try body(reference) }
    }
  }

  /// As `forEach`, for the relocations of these numbers, in this order.
  func forEach(
    of numbers: some Sequence<Int>, _ reader: borrowing ByteReader,
    _ body: (MachOReference) throws(FormatError) -> Void
  ) throws(FormatError) {
    let content = try reader.slice(file.range, "Mach-O file", .little)
    var pending = Pending()
    for number in numbers {
      let relocation = try relocations.relocation(number, reader)
      if let reference = try reference(relocation, &pending, content) { try body(reference) }
    }
  }

  /// Nil for a relocation that is a part of the next one.
  private func reference(
    _ relocation: MachORelocation, _ pending: inout Pending, _ content: borrowing ByteReader
  ) throws(FormatError) -> MachOReference? {
    do throws(FormatError) {
      switch file.architecture.cpu {
      case .x86_64: return try x86_64(relocation, &pending, content)
      case .i386, .arm:
        return try narrow(relocation, &pending, isARM: file.architecture.cpu == .arm, content)
      default: return try arm64(relocation, &pending, content)
      }
    } catch {
      guard case .unsupported = error.reason else { throw error }
      pending = Pending()
      var reference = self.reference(relocation, 0, mask: 0, 0, base: nil)
      reference.isKnown = false
      return reference
    }
  }

  // MARK: 64 bits

  private func x86_64(
    _ relocation: MachORelocation, _ pending: inout Pending, _ reader: borrowing ByteReader
  ) throws(FormatError) -> MachOReference? {
    guard let type = X86_64Relocation(rawValue: relocation.type) else { throw unknown(relocation) }
    if type == .subtractor {
      pending.base = target(relocation, 0)
      return nil
    }
    let size = 1 << Int(relocation.size)
    var value = try number(at: relocation, size, reader) &+ type.bytesBehind
    if case .section = relocation.target, type != .pointer { value &+= place(relocation) &+ UInt64(size) }
    defer { pending = Pending() }
    return reference(relocation, size, mask: .max, value, base: pending.base)
  }

  private func arm64(
    _ relocation: MachORelocation, _ pending: inout Pending, _ reader: borrowing ByteReader
  ) throws(FormatError) -> MachOReference? {
    let type = ARM64Relocation(rawValue: relocation.type)
    switch type {
    case .subtractor:
      pending.base = target(relocation, 0)
      return nil
    case .addend:
      guard case .section(let number) = relocation.target else { throw unknown(relocation) }
      pending.addend = Int64(Int32(bitPattern: number << 8) >> 8)
      return nil
    default: break
    }
    defer { pending = Pending() }
    switch type {
    case .pointer, .pointerToGOT:
      let size = 1 << Int(relocation.size)
      return reference(relocation, size, mask: .max, try number(at: relocation, size, reader), base: pending.base)
    case .signedPointer:
      // The upper half says how the pointer is signed.
      let value = try number(at: relocation, 4, reader)
      return reference(relocation, 8, mask: 0xFFFF_FFFF, value, base: pending.base)
    case .branch26, .page21, .pageOffset12, .gotPage21, .gotPageOffset12, .threadLocalPage21, .threadLocalPageOffset12:
      guard case .symbol = relocation.target else { throw unknown(relocation) }
      let value = UInt64(bitPattern: pending.addend)
      return reference(relocation, 4, mask: 0, value, base: nil)
    case .subtractor, .addend, nil: throw unknown(relocation)
    }
  }

  // MARK: Common parts

  func place(_ relocation: MachORelocation) -> UInt64 { section.address &+ UInt64(relocation.address) }

  /// The content, sign-extended.
  func number(
    at relocation: MachORelocation, _ size: Int, _ reader: borrowing ByteReader
  ) throws(FormatError) -> UInt64 {
    guard UInt64(relocation.address) + UInt64(size) <= section.size else {
      throw .outOfBounds("relocations of section \(section.name)", at: relocations.range.lowerBound)
    }
    let offset = reader.range.lowerBound + Int(section.offset) + Int(relocation.address)
    func read<T: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
      _ type: T.Type, _ reader: borrowing ByteReader
    ) throws(FormatError) -> UInt64 {
      UInt64(truncatingIfNeeded: try reader.integer(at: offset, "relocated bytes", as: T.self))
    }
    return switch size {
    case 1: try read(Int8.self, reader)
    case 2: try read(Int16.self, reader)
    case 4: try read(Int32.self, reader)
    default: try read(Int64.self, reader)
    }
  }

  /// `value` is the addend if there is a symbol, else the address.
  func reference(
    _ relocation: MachORelocation, _ length: Int, mask: UInt64, _ value: UInt64, base: MachOReference.Target?
  ) -> MachOReference {
    let width: UInt64 = length == 8 ? .max : (1 << UInt64(8 * length)) - 1
    var addend: UInt64 = 0
    switch relocation.target {
    case .symbol: addend = value
    case .section: break
    case .address(let address): addend = value &- UInt64(address)
    }
    // Addresses of 32 bits wrap around.
    if !file.is64Bit { addend = UInt64(truncatingIfNeeded: Int64(Int32(truncatingIfNeeded: addend))) }
    return MachOReference(
      place: place(relocation), length: length, mask: mask & width, type: relocation.type,
      isRelative: relocation.isRelative, target: target(relocation, value), addend: Int64(bitPattern: addend),
      base: base)
  }

  func target(_ relocation: MachORelocation, _ value: UInt64) -> MachOReference.Target {
    switch relocation.target {
    case .symbol(let number): .symbol(number)
    case .section(let section): .address(file.is64Bit ? value : value & 0xFFFF_FFFF, section: section)
    case .address(let address): .address(UInt64(address), section: 0)
    }
  }

  func unknown(_ relocation: MachORelocation) -> FormatError {
    .unsupported(
      "relocations of section \(section.name)", at: relocations.range.lowerBound,
      "type \(relocation.type) is not known here")
  }
}
