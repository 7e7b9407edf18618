// How `lipo -create` makes one fat file of many files, so that ours has the same bytes (llvm-lipo 19, whose source and
// results agree):
//
//   slices         of thin Mach-O files, static archives, and fat files, which are taken apart
//   alignment      2^14 for ARM, 2^12 for x86 and PowerPC; archives 2^3 (64-bit members) or 2^2; a slice of a fat file
//                  keeps the one that its table has; other CPUs: what their segments or sections ask for
//   order          by subtype within a CPU type, 64-bit ARM last, else by alignment (see `SliceOrder`)
//   header         fat_header and fat_arch, big endian; fat_arch_64 beyond 4 GiB (llvm-lipo does so when told -fat64)
//   gaps           zeros
//
// Two things we do that llvm-lipo 19 does not: static archives in fat inputs are taken apart too (Apple's lipo does),
// and subtypes that differ in capability bits alone are the same architecture (as in Apple's lipo; llvm-lipo writes a
// file here that it then refuses to read).

/// One file that goes into a universal library: what is in it, and nothing of its bytes.
package struct UniversalInput: Hashable, Sendable {
  package struct Slice: Hashable, Sendable {
    package var architecture: Architecture
    package var rawSubtype: UInt32
    /// Where the slice is in its file.
    package var range: Range<Int>
    /// The exponent of the power of two at a multiple of which it is put.
    package var alignment: Int

    package init(architecture: Architecture, rawSubtype: UInt32, range: Range<Int>, alignment: Int) {
      self.architecture = architecture
      self.rawSubtype = rawSubtype
      self.range = range
      self.alignment = alignment
    }
  }

  /// How the file is called in errors.
  package var name: String
  package var slices: [Slice]

  package init(name: String, slices: [Slice]) {
    self.name = name
    self.slices = slices
  }
}

/// The layout of a fat file: a header, then slices to be copied out of the input files. It needs no content in memory:
/// write `header`; for each slice write `padding` zeros, then the bytes of `source` out of its input.
///
/// `lipo` makes the output executable if any input is: that is for the caller, who knows the files.
package struct UniversalLibrary: Hashable, Sendable {
  package struct Slice: Hashable, Sendable {
    package var architecture: Architecture
    /// The input's index in the array that the layout was made from.
    package var input: Int
    /// Where its bytes are in that input.
    package var source: Range<Int>
    /// Zero bytes to be written before it.
    package var padding: Int
    /// Where it begins in the output.
    package var destination: Int
    /// The exponent of the power of two that `destination` is a multiple of.
    package var alignment: Int
  }

  /// Which table the header has.
  package enum Table: Sendable {
    /// 32-bit where everything fits in 4 GiB, else 64-bit.
    case automatic
    case fat64
  }

  /// The fat header and table, whole.
  package var header: [UInt8]
  /// In the order of the output.
  package var slices: [Slice]
  /// The size of the output in bytes.
  package var size: Int
}

extension UniversalLibrary {
  /// Lays the slices of `inputs` out as `lipo -create` does with the same files in the same order.
  package init(
    _ inputs: [UniversalInput], table: Table = .automatic
  ) throws(UniversalLibraryError) {
    var pieces: [(slice: UniversalInput.Slice, input: Int)] = []
    var owners: [Architecture: String] = [:]
    for (index, input) in inputs.enumerated() {
      for slice in input.slices {
        if let first = owners.updateValue(input.name, forKey: slice.architecture) {
          throw .sameArchitecture(slice.architecture, first: first, second: input.name)
        }
        pieces.append((slice, index))
      }
    }
    guard !pieces.isEmpty else { throw .noInputs }
    let sorted = SliceOrder.sorted(pieces) { $0.slice }

    let entrySize: Int
    let placed = Self.place(sorted, tableEntry: 20)
    let fits = placed.allSatisfy { $0.destination <= Int(UInt32.max) && $0.source.count <= Int(UInt32.max) }
    if fits, table == .automatic {
      (slices, entrySize) = (placed, 20)
    } else {
      (slices, entrySize) = (Self.place(sorted, tableEntry: 32), 32)
    }
    size = slices.last.map { $0.destination + $0.source.count } ?? 0

    header = []
    header.append(bigEndian: entrySize == 20 ? 0xCAFE_BABE : 0xCAFE_BABF, as: UInt32.self)
    header.append(bigEndian: slices.count, as: UInt32.self)
    for (slice, piece) in zip(slices, sorted) {
      header.append(bigEndian: piece.slice.architecture.cpu.rawValue, as: UInt32.self)
      header.append(bigEndian: piece.slice.rawSubtype, as: UInt32.self)
      if entrySize == 20 {
        header.append(bigEndian: slice.destination, as: UInt32.self)
        header.append(bigEndian: slice.source.count, as: UInt32.self)
        header.append(bigEndian: slice.alignment, as: UInt32.self)
      } else {
        header.append(bigEndian: slice.destination, as: UInt64.self)
        header.append(bigEndian: slice.source.count, as: UInt64.self)
        header.append(bigEndian: slice.alignment, as: UInt32.self)
        header.append(bigEndian: 0, as: UInt32.self)
      }
    }
  }

  private static func place(
    _ pieces: [(slice: UniversalInput.Slice, input: Int)], tableEntry: Int
  ) -> [Slice] {
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
  fileprivate mutating func append<T: FixedWidthInteger & UnsignedInteger>(
    bigEndian value: some BinaryInteger, as type: T.Type
  ) {
    for shift in stride(from: T.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
