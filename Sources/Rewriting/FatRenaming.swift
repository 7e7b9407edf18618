import ObjectFiles

/// The changes of a universal file besides its slices: the table at its beginning, and the gaps between slices, each of
/// which begins at a multiple of its alignment.
struct FatRenaming {
  private let fat: FatFile

  init(_ fat: FatFile) { self.fat = fat }

  /// - Parameter slices: the edits of each slice, by its index.
  func edits(_ reader: borrowing ByteReader, slices: [ByteEdits]) throws(FormatError) -> ByteEdits {
    let start = reader.range.lowerBound
    let entry = fat.is64Bit ? 32 : 20
    let head = start..<start + 8 + entry * fat.slices.count
    var table = try EditedBytes(head, "fat header", reader, fat.endianness)
    var edits: [ByteEdits.Edit] = []
    var (end, newEnd) = (head.upperBound, head.upperBound - start)
    let order = fat.slices.indices.sorted { fat.slices[$0].range.lowerBound < fat.slices[$1].range.lowerBound }
    for index in order {
      let slice = fat.slices[index]
      let unit = 1 << slice.alignment
      let place = (newEnd + unit - 1) & ~(unit - 1)
      let size = slice.range.count + slices[index].growth
      guard fat.is64Bit || place + size <= Int(UInt32.max) else {
        throw .unsupported("slice \(slice.architecture)", at: head.lowerBound, "the file would have more than 4 GiB")
      }
      edits.append(
        .init(range: end..<slice.range.lowerBound, bytes: [UInt8](repeating: 0, count: place - newEnd)))
      edits += slices[index].edits
      let field = start + 8 + index * entry + 8
      let width = fat.is64Bit ? 8 : 4
      table.put(UInt64(place), at: field, bytes: width)
      table.put(UInt64(size), at: field + width, bytes: width)
      (end, newEnd) = (slice.range.upperBound, place + size)
    }
    return try ByteEdits(edits + [table.edit(of: head)])
  }
}
