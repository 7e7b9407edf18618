/// Finds the references of a section by their addresses, and decodes no others.
///
/// Compilers write relocations from the last address to the first, so that they are found where they are. `ld -r` writes
/// them in the order of its atoms: those are sorted once.
package struct MachOReferenceIndex: Sendable {
  private let references: MachOReferences
  /// The offset of each relocation in the section (upper half) and its number, sorted; nil if the file's order serves.
  private let order: [UInt64]?

  package init(_ section: MachOSection, _ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    references = try MachOReferences(section, file, reader)
    let relocations = references.relocations
    var isDescending = true
    var last: UInt32 = .max
    try relocations.forEach(reader) { (relocation: MachORelocation) throws(FormatError) in
      if relocation.address > last || relocations.isSecondHalf(relocation) { isDescending = false }
      last = relocation.address
    }
    if isDescending {
      order = nil
      return
    }
    var order: [UInt64] = []
    order.reserveCapacity(relocations.count)
    try relocations.forEach(reader) { (relocation: MachORelocation) throws(FormatError) in
      if !relocations.isSecondHalf(relocation) { last = relocation.address }
      order.append(UInt64(last) << 32 | UInt64(order.count))
    }
    order.sort()
    self.order = order
  }

  /// Calls `body` with each reference whose bytes begin at one of these addresses. Of two at one address the file's first
  /// comes first; otherwise the order is not defined.
  package func forEach(
    in addresses: Range<UInt64>, _ reader: borrowing ByteReader,
    _ body: (MachOReference) throws(FormatError) -> Void
  ) throws(FormatError) {
    let start = references.section.address
    guard addresses.lowerBound >= start else { return }
    let (first, end) = (addresses.lowerBound - start, addresses.upperBound - start)
    let count = references.relocations.count
    if let order {
      let low = sortedIndex(below: count) { order[$0] >> 32 >= first }
      let high = order[low...].firstIndex { $0 >> 32 >= end } ?? count
      try references.forEach(of: order[low..<high].lazy.map { Int($0 & 0xFFFF_FFFF) }, reader, body)
    } else {
      let relocations = references.relocations
      let low = try sortedIndex(below: count) { (number: Int) throws(FormatError) in
        try UInt64(relocations.address(number, reader)) < end
      }
      var high = low
      while high < count, try UInt64(relocations.address(high, reader)) >= first { high += 1 }
      if low < high { try references.forEach(of: low..<high, reader, body) }
    }
  }
}
