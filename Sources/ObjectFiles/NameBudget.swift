/// How many bytes of names, or of other things, a file may have: every symbol may point to one long name, for more text
/// than there is room.
package struct NameBudget: Sendable {
  private var left: Int
  private let field: String

  /// No table of names is shared so much: in real ones a name is there for one or two symbols, and a symbol has 16 bytes
  /// besides. What is named is kept, or printed: at 10 MB it has to fit with the rest into half a gigabyte.
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

  /// For a name that is put together from many places, of which `place` is one, or for an `item` of another kind.
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
