// The layout of a fat file from `lipo -create`, byte for byte (llvm-lipo 19, whose source and results agree):
//
//   slices         of thin Mach-O files, static archives, and fat files, which are taken apart
//   alignment      2^14 for ARM, 2^12 for x86 and PowerPC; archives 2^3 (64-bit members) or 2^2; a slice of a fat file
//                  keeps the one that its table has; other CPUs: what their segments or sections ask for
//   order          by subtype within a CPU type, 64-bit ARM last, else by alignment (see `SliceOrder`)
//   header         fat_header and fat_arch, big endian; fat_arch_64 beyond 4 GiB (llvm-lipo does so when told -fat64)
//   gaps           zeros
//
// Unlike llvm-lipo 19, and like Apple's, we take static archives in fat inputs apart too, and subtypes that differ in
// capability bits alone are one architecture (llvm-lipo then writes a file that it cannot read).

/// One file that goes into a universal library: its slices, without their bytes.
package struct UniversalInput: Hashable, Sendable {
  /// The file's name in errors.
  package var name: String
  package var slices: [FatFile.Slice]

  package init(name: String, slices: [FatFile.Slice]) { (self.name, self.slices) = (name, slices) }
}

/// The layout of a fat file: a header, then slices to be copied out of the input files. It needs no content in
/// memory: write `header`; for each slice write `padding` zeros, then the bytes of `source` out of its input.
///
/// `lipo` makes the output executable if any input is. The caller has to do that.
package struct UniversalLibrary: Hashable, Sendable {
  package struct Slice: Hashable, Sendable {
    package var architecture: Architecture
    /// The input's index in the array that the layout was made from.
    package var input: Int
    package var source: Range<Int>
    /// Zero bytes to be written before it.
    package var padding: Int
    package var destination: Int
    /// The exponent of the power of two that `destination` is a multiple of.
    package var alignment: Int
  }

  package var header: [UInt8]
  /// In the order of the output.
  package var slices: [Slice]
  package var size: Int
}

extension UniversalLibrary {
  /// Lays slices out as `lipo -create` does. The table is 32-bit up to 4 GiB, unless `isWide` asks for 64-bit.
  package init(_ inputs: [UniversalInput], isWide: Bool = false) throws(LibraryError) {
    var pieces: [(slice: FatFile.Slice, input: Int)] = []
    var owners: [Architecture: String] = [:]
    for (index, input) in inputs.enumerated() {
      for slice in input.slices {
        if let first = owners.updateValue(input.name, forKey: slice.architecture) {
          let rule = "a universal library holds each architecture once"
          throw LibraryError(
            first == input.name
              ? "\(first) is given twice (\(slice.architecture)); \(rule): name it once"
              : "\(first) and \(input.name) are both for \(slice.architecture), and \(rule): leave one of them out "
                + "(code for a device and for a simulator of one architecture needs an XCFramework)")
        }
        pieces.append((slice, index))
      }
    }
    guard !pieces.isEmpty else { throw LibraryError("a universal library needs at least one input") }
    let sorted = SliceOrder.sorted(pieces) { $0.slice }

    slices = Self.place(sorted, tableEntry: 20)
    let fits = slices.allSatisfy { $0.destination <= Int(UInt32.max) && $0.source.count <= Int(UInt32.max) }
    let isWide = isWide || !fits
    if isWide { slices = Self.place(sorted, tableEntry: 32) }
    size = slices.last.map { $0.destination + $0.source.count } ?? 0

    header = []
    header.append(bigEndian: isWide ? 0xCAFE_BABF : 0xCAFE_BABE)
    header.append(bigEndian: slices.count)
    for (slice, piece) in zip(slices, sorted) {
      header.append(bigEndian: piece.slice.architecture.cpu.rawValue)
      header.append(bigEndian: piece.slice.rawSubtype)
      header.append(bigEndian: slice.destination, bytes: isWide ? 8 : 4)
      header.append(bigEndian: slice.source.count, bytes: isWide ? 8 : 4)
      header.append(bigEndian: slice.alignment)
      if isWide { header.append(bigEndian: 0) }
    }
  }

  private static func place(_ pieces: [(slice: FatFile.Slice, input: Int)], tableEntry: Int) -> [Slice] {
    var end = 8 + pieces.count * tableEntry
    return pieces.map { piece in
      let unit = 1 << piece.slice.alignment
      let start = (end + unit - 1) & ~(unit - 1)
      defer { end = start + piece.slice.range.count }
      return Slice(
        architecture: piece.slice.architecture, input: piece.input, source: piece.slice.range, padding: start - end,
        destination: start, alignment: piece.slice.alignment)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: some BinaryInteger, bytes: Int = 4) {
    for index in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}

/// The reason why files cannot become one library. It names inputs by their names there.
package struct LibraryError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
