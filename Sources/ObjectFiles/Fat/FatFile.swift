// Fat ("universal") files: several architectures in one file (`<mach-o/fat.h>`):
//
//   fat_header     magic CAFEBABE (or CAFEBABF: 64-bit table), number of slices                   8 bytes
//   fat_arch       cputype, cpusubtype, offset, size, align (a power of two's exponent)           20 bytes a slice
//   fat_arch_64    cputype, cpusubtype, offset (64), size (64), align, reserved                   32 bytes a slice
//   the slices     each a whole Mach-O file or static archive, at a multiple of 2^align
//
// Big endian on every disk; the swapped form (BEBAFECA) was written by some old tools and is read too.
// CAFEBABE is also the magic number of a Java class file: `FileKind` tells them apart.

/// The table of a fat file. A plain value: it keeps no bytes.
package struct FatFile: Hashable, Sendable {
  package struct Slice: Hashable, Sendable {
    package var architecture: Architecture
    /// The `cpusubtype` field as it stands, capability bits included.
    package var rawSubtype: UInt32
    /// The slice's bytes, or the rest of them in a file that is cut off. They are in bounds, and overlap neither
    /// another slice nor the table.
    package var range: Range<Int>
    /// The exponent of the power of two at a multiple of which the slice begins: 0…15.
    package var alignment: Int
  }

  package var is64Bit: Bool
  package var endianness: Endianness
  /// In file order, each with an architecture of its own; at least one if the file was read strictly.
  package var slices: [Slice]
  /// Slices that are cut off or missing; empty if it was read strictly.
  package var damage: [FormatError] = []

  /// The largest alignment of a slice, as an exponent (`MAXSECTALIGN`).
  package static let maximumAlignment = 15
  /// There are some dozens of architectures; a table may claim as many slices as a file has room for.
  package static let maxSlices = 1024
}

extension FatFile {
  /// Reads the table of a fat file, the whole of which is `reader`'s window.
  ///
  /// Refuses what `llvm-lipo` refuses: no slices, a table that is cut off, a slice out of bounds, over the table or
  /// over another slice, at an offset that is not a multiple of its alignment, two slices of one architecture, and
  /// more slices than are read. Unless `isStrict`, a file may end too early, and its last slices are shorter or
  /// missing.
  package init(_ reader: borrowing ByteReader, isStrict: Bool = true) throws(FormatError) {
    let start = reader.range.lowerBound
    var table = try reader.slice(reader.range, "fat header", .big)
    switch try table.read("magic number", as: UInt32.self) {
    case 0xCAFE_BABE: (endianness, is64Bit) = (.big, false)
    case 0xCAFE_BABF: (endianness, is64Bit) = (.big, true)
    case 0xBEBA_FECA: (endianness, is64Bit) = (.little, false)
    case 0xBFBA_FECA: (endianness, is64Bit) = (.little, true)
    default: throw .invalid("magic number", at: start, "this is not a fat file")
    }
    table.endianness = endianness
    let count: UInt32 = try table.read("number of slices")
    guard count > 0 else { throw .invalid("number of slices", at: start + 4, "a fat file with no slices") }
    let tableSize = UInt64(count) * (is64Bit ? 32 : 20)
    let tableRange = try reader.claimed(start: 8, size: tableSize, at: start + 4, "table of \(count) slices")
    guard count <= UInt32(FatFile.maxSlices) else {
      throw .invalid(
        "number of slices", at: start + 4,
        "\(count) are more than there are architectures (at most \(FatFile.maxSlices) are read)")
    }
    slices = []
    // A table may hold as many slices as the file has room for, so they are compared in order and not each with each.
    var seen: Set<Architecture> = []
    for number in 0..<Int(count) {
      let entry = table.offset
      var cut: FormatError?
      let slice = try Slice(&table, number: number, is64Bit: is64Bit, in: reader, &cut)
      if let cut {
        if isStrict { throw cut }
        damage.append(cut)
        if slice.range.isEmpty { continue }
      }
      guard slice.range.lowerBound >= tableRange.upperBound else {
        throw .invalid("slice \(slice.architecture)", at: entry + 8, "overlaps the header")
      }
      guard seen.insert(slice.architecture).inserted else {
        throw .invalid("slice \(number)", at: entry, "a second slice for \(slice.architecture)")
      }
      slices.append(slice)
    }
    let sorted = slices.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for (first, second) in zip(sorted, sorted.dropFirst()) where second.range.lowerBound < first.range.upperBound {
      throw .invalid(
        "slice \(second.architecture)", at: second.range.lowerBound, "overlaps the slice \(first.architecture)")
    }
  }
}

extension FatFile.Slice {
  fileprivate init(
    _ table: inout ByteReader, number: Int, is64Bit: Bool, in file: borrowing ByteReader, _ cut: inout FormatError?
  ) throws(FormatError) {
    let cpu: UInt32 = try table.read("cputype of slice \(number)")
    rawSubtype = try table.read("cpusubtype of slice \(number)")
    let architecture = Architecture(cpu: CPUType(rawValue: cpu), subtype: rawSubtype)
    self.architecture = architecture
    let place = table.offset
    let offset = try table.readAddress(is64Bit, "offset of slice \(architecture)")
    let size = try table.readAddress(is64Bit, "size of slice \(architecture)")
    let alignmentPlace = table.offset
    let exponent: UInt32 = try table.read("alignment of slice \(architecture)")
    if is64Bit { try table.skip(4, "reserved word of slice \(architecture)") }
    guard exponent <= FatFile.maximumAlignment else {
      throw .invalid(
        "alignment of slice \(architecture)", at: alignmentPlace,
        "2^\(exponent) is too large (at most 2^\(FatFile.maximumAlignment))")
    }
    guard offset & (1 << UInt64(exponent) - 1) == 0 else {
      throw .invalid(
        "offset of slice \(architecture)", at: place, "\(offset) is not a multiple of its alignment, \(1 << exponent)")
    }
    alignment = Int(exponent)
    do throws(FormatError) {
      range = try file.claimed(start: offset, size: size, at: place, "slice \(architecture)")
    } catch {
      cut = error
      let end = file.range.upperBound
      range = offset < UInt64(file.count) ? (file.range.lowerBound + Int(offset))..<end : end..<end
    }
  }
}
