package import ObjectFiles

/// A new file as changes to an old one: ranges of the old file, and the bytes that stand in their place. All offsets
/// are those of the old file, so that changes of its parts are found apart from each other and put together.
package struct ByteEdits: Sendable {
  package struct Edit: Sendable {
    package var range: Range<Int>
    package var bytes: [UInt8]

    /// How many bytes the file gets longer.
    var growth: Int { bytes.count - range.count }
  }

  /// In the order of the file; none overlaps another. Of two at one offset the first is in front.
  private(set) var edits: [Edit] = []
  /// The growth of all edits up to each one, it included.
  private var growths: [Int] = []

  init() {}

  /// Edits in any order. Throws if two overlap: parts of a damaged file may lie in one another.
  init(_ edits: [Edit]) throws(FormatError) {
    // Insertions at one place keep their order.
    let order = edits.indices.sorted {
      (edits[$0].range.lowerBound, edits[$0].range.upperBound, $0)
        < (edits[$1].range.lowerBound, edits[$1].range.upperBound, $1)
    }
    for edit in order.map({ edits[$0] }) {
      if let last = self.edits.last, last.range.upperBound > edit.range.lowerBound {
        throw .invalid("object file", at: edit.range.lowerBound, "two of its parts are in one place")
      }
      append(edit)
    }
  }

  package var isEmpty: Bool { edits.isEmpty }
  package var growth: Int { growths.last ?? 0 }

  /// Adds an edit behind all others.
  private mutating func append(_ edit: Edit) {
    edits.append(edit)
    growths.append(growth + edit.growth)
  }

  /// Adds the edits of a part of the file that lies behind all parts that were edited before.
  mutating func append(_ part: ByteEdits) { for edit in part.edits { append(edit) } }

  /// The new offset of what begins at an old one. Bytes that were inserted there come before it.
  func place(of offset: Int) -> Int {
    let next = sortedIndex(below: edits.count) { edits[$0].range.upperBound > offset }
    return offset + (next == 0 ? 0 : growths[next - 1])
  }

  /// A part of the new file: new bytes, or a range of the old file.
  package enum Piece {
    case bytes([UInt8])
    case range(Range<Int>)
  }

  /// Calls `body` with the pieces of the new file in their order. `range` is the old file.
  package func forEachPiece(of range: Range<Int>, _ body: (Piece) -> Void) {
    var end = range.lowerBound
    for edit in edits {
      if edit.range.lowerBound > end { body(.range(end..<edit.range.lowerBound)) }
      if !edit.bytes.isEmpty { body(.bytes(edit.bytes)) }
      end = edit.range.upperBound
    }
    if end < range.upperBound { body(.range(end..<range.upperBound)) }
  }

  /// The whole new file.
  package func applied(to reader: borrowing ByteReader) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(reader.count + growth)
    forEachPiece(of: reader.range) { piece in
      switch piece {
      case .bytes(let bytes): output += bytes
      case .range(let range): reader.append(range, to: &output)
      }
    }
    return output
  }
}

/// Bytes of a file that are changed in place.
struct EditedBytes {
  let start: Int
  private(set) var bytes: [UInt8]
  let endianness: Endianness

  init(
    _ range: Range<Int>, _ field: @autoclosure () -> String, _ reader: borrowing ByteReader, _ endianness: Endianness
  ) throws(FormatError) {
    start = range.lowerBound
    bytes = try reader.copy(range, field())
    self.endianness = endianness
  }

  /// Writes a number at an offset of the old file; nothing if it is not all inside.
  mutating func put(_ value: UInt64, at place: Int, bytes count: Int) {
    guard place >= start, place - start <= bytes.count - count else { return }
    for index in 0..<count {
      let shift = UInt64(8 * (endianness == .little ? index : count - 1 - index))
      bytes[place - start + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  func edit(of range: Range<Int>) -> ByteEdits.Edit { .init(range: range, bytes: bytes) }
}

extension [UInt8] {
  /// Fills up with zeros until `growth` over `old` bytes is a multiple of `unit`.
  mutating func pad(over old: Int, toMultipleOf unit: Int) {
    let odd = (count - old) % unit
    if odd != 0 { self += [UInt8](repeating: 0, count: odd > 0 ? unit - odd : -odd) }
  }
}
