// Sections of a Mach-O file (`<mach-o/loader.h>`), behind the segment (`MachOSegment`) that they belong to:
//
//   section              sectname 16, segname 16, addr, size, offset, align, reloff, nreloc, flags,
//                        reserved1, reserved2                                        68 bytes (64-bit: 80, reserved3)
//
// An object file has one nameless segment; its sections name theirs. Symbols number sections from 1 over all segments.

package struct MachOSection: Hashable, Sendable {
  /// Bytes, as the fields hold them up to the first NUL.
  package var segment: FixedName
  package var name: FixedName
  package var address: UInt64
  package var size: UInt64
  /// From the start of the file or slice or member, not checked; meaningless where `isZeroFill`.
  package var offset: UInt32
  /// The exponent of a power of two.
  package var alignment: UInt32
  package var relocationOffset: UInt32
  package var relocationCount: UInt32
  package var flags: Flags
  /// In a section of pointers or stubs the number of the first one's indirect symbol; stubs have their size in
  /// `reserved2`.
  package var reserved1: UInt32
  package var reserved2: UInt32

  /// The section's type (`S_…`).
  package enum Kind: UInt8, Sendable {
    case regular, zeroFill, strings, literals4, literals8, literalPointers, nonLazyPointers, lazyPointers, stubs
    case initializers, terminators, coalesced, gigabyteZeroFill, interposing, literals16, dtraceObject
    case lazyLibraryPointers, threadLocal, threadLocalZeroFill, threadLocalVariables, threadLocalPointers
    case threadLocalInitializers, initializerOffsets
  }

  /// The kind in the lowest byte, attributes (`S_ATTR_…`) above.
  package struct Flags: OptionSet, Hashable, Sendable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let someInstructions = Flags(rawValue: 0x400)
    package static let debug = Flags(rawValue: 0x0200_0000)
    package static let liveSupport = Flags(rawValue: 0x0800_0000)
    package static let neverStripped = Flags(rawValue: 0x1000_0000)
    package static let pureInstructions = Flags(rawValue: 0x8000_0000)
  }

  /// Nil for a number that `<mach-o/loader.h>` does not know.
  package var kind: Kind? { Kind(rawValue: UInt8(truncatingIfNeeded: flags.rawValue)) }

  package func isAny(of kinds: Kind...) -> Bool { kind.map(kinds.contains) ?? false }

  /// It takes no room in the file.
  package var isZeroFill: Bool { isAny(of: .zeroFill, .gigabyteZeroFill, .threadLocalZeroFill) }
  package var hasInstructions: Bool { !flags.isDisjoint(with: [.pureInstructions, .someInstructions]) }
}

/// A name in a field of 16 bytes, filled with NUL.
package struct FixedName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  private let low: UInt64
  private let high: UInt64

  package init(low: UInt64, high: UInt64) {
    // Bytes behind the first NUL are not part of the name.
    let lowEnd = FixedName.length(low)
    let highEnd = lowEnd == 8 ? FixedName.length(high) : 0
    self.low = low & FixedName.mask(lowEnd)
    self.high = high & FixedName.mask(highEnd)
  }

  package init(stringLiteral text: String) {
    var (low, high, shift): (UInt64, UInt64, UInt64) = (0, 0, 0)
    for byte in text.utf8 {
      if shift < 64 { low |= UInt64(byte) << shift } else if shift < 128 { high |= UInt64(byte) << (shift - 64) }
      shift += 8
    }
    self.init(low: low, high: high)
  }

  package var bytes: [UInt8] {
    let all = [low, high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    return Array(all.prefix { $0 != 0 })
  }

  package func hasPrefix(_ prefix: FixedName) -> Bool {
    low & FixedName.mask(FixedName.length(prefix.low)) == prefix.low
      && high & FixedName.mask(FixedName.length(prefix.high)) == prefix.high
  }

  package var description: String { String(decoding: bytes, as: UTF8.self) }

  private static func length(_ word: UInt64) -> Int {
    ByteReader.zeros(in: word).trailingZeroBitCount / 8
  }

  private static func mask(_ count: Int) -> UInt64 { count == 8 ? .max : (1 << UInt64(8 * count)) - 1 }
}

/// Names that readers compare with those of each section. A literal is converted each time that it is used.
extension FixedName {
  package static let text: FixedName = "__TEXT"
  package static let data: FixedName = "__DATA"
  package static let constantData: FixedName = "__DATA_CONST"
  package static let dwarf: FixedName = "__DWARF"
  package static let llvm: FixedName = "__LLVM"
  package static let linkerNotes: FixedName = "__LD"
  /// The segment of Apple's first Objective-C runtime, and its only section that later compilers write.
  package static let firstRuntime: FixedName = "__OBJC"
  package static let firstImageInfo: FixedName = "__image_info"

  package static let code: FixedName = "__text"
  package static let strings: FixedName = "__cfstring"
  package static let frames: FixedName = "__eh_frame"
  package static let imageInfo: FixedName = "__objc_imageinfo"
  package static let classList: FixedName = "__objc_classlist"
  package static let categoryList: FixedName = "__objc_catlist"
  package static let secondCategoryList: FixedName = "__objc_catlist2"
  package static let protocolList: FixedName = "__objc_protolist"
  package static let objcPrefix: FixedName = "__objc_"
  package static let swiftPrefix: FixedName = "__swift"
}

extension MachOFile {
  package func sections(
    of segment: MachOSegment, _ reader: borrowing ByteReader
  ) throws(FormatError) -> [MachOSection] {
    var fields = try reader.slice(segment.sectionRange, "sections of load command \(segment.index)", endianness)
    var sections: [MachOSection] = []
    for _ in 0..<segment.sectionCount {
      sections.append(try MachOSection(&fields, isWide: segment.isWide, segment.index))
    }
    return sections
  }
}

extension MachOSection {
  fileprivate init(_ fields: inout ByteReader, isWide: Bool, _ command: Int) throws(FormatError) {
    name = try FixedName(&fields, "name of a section in load command \(command)")
    segment = try FixedName(&fields, "segment of a section in load command \(command)")
    address = try fields.readAddress(isWide, "address of section \(name)")
    size = try fields.readAddress(isWide, "size of section \(name)")
    offset = try fields.read("offset of section \(name)")
    alignment = try fields.read("alignment of section \(name)")
    relocationOffset = try fields.read("relocations of section \(name)")
    relocationCount = try fields.read("number of relocations of section \(name)")
    flags = Flags(rawValue: try fields.read("flags of section \(name)"))
    reserved1 = try fields.read("reserved words of section \(name)")
    reserved2 = try fields.read("reserved words of section \(name)")
    if isWide { try fields.skip(4, "reserved words of section \(name)") }
  }
}

extension FixedName {
  /// The bytes do not depend on the order of a file's integers.
  init(_ fields: inout ByteReader, _ field: @autoclosure () -> String) throws(FormatError) {
    var words: (UInt64, UInt64) = (try fields.read(field()), try fields.read(field()))
    if fields.endianness == .big { words = (words.0.byteSwapped, words.1.byteSwapped) }
    self.init(low: words.0, high: words.1)
  }
}

extension ByteReader {
  /// An address: 8 bytes in a 64-bit file, else 4.
  @_lifetime(self: copy self)
  mutating func readAddress(_ is64Bit: Bool, _ field: @autoclosure () -> String) throws(FormatError) -> UInt64 {
    is64Bit ? try read(field(), as: UInt64.self) : UInt64(try read(field(), as: UInt32.self))
  }
}
