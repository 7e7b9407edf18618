/// A limit on the bytes of names, or of other things, that a file may have: if every symbol points to one long name,
/// the text would not fit into memory.
package struct NameBudget: Sendable {
  private var left: Int
  private let field: String

  /// No real file shares its names so much: a name belongs to one or two symbols, and a symbol has 16 bytes besides.
  /// All names are kept or printed: those of a file of 10 MB have to fit with the rest into half a gigabyte.
  package init(_ reader: borrowing ByteReader, _ field: String = "names of the symbols") {
    left = (16 << 20) + 16 * reader.count
    self.field = field
  }

  package init(bytes: Int, _ field: String) {
    left = bytes
    self.field = field
  }

  @inline(__always)
  package mutating func spend(_ name: Range<Int>?) throws(FormatError) {
    guard let name else { return }
    try spend(name.count, at: name.lowerBound)
  }

  /// Spends bytes on a name that is put together from many places, of which `place` is one, or on an `item` of
  /// another kind.
  @inline(__always)
  package mutating func spend(
    _ count: Int, at place: Int, _ item: @autoclosure () -> String? = nil
  ) throws(FormatError) {
    left -= count
    guard left >= 0 else {
      throw .invalid(
        item() ?? field, at: place, "more than any real file has: it is damaged, or made to fill the memory")
    }
  }
}
