package import Artifacts
package import Store

/// Names, each with a checksum of the content behind it. A plugin may have hundreds of thousands of classes and
/// resources, so the names share one array.
package struct ContentTable: Sendable {
  package private(set) var names: [UInt8] = []
  private var items: [(end: Int, content: ContentChecksum)] = []

  package init() {}

  package var count: Int { items.count }

  /// The range of a name in `names`.
  package func range(of index: Int) -> Range<Int> { (index == 0 ? 0 : items[index - 1].end)..<items[index].end }

  package func name(of index: Int) -> ArraySlice<UInt8> { names[range(of: index)] }

  package func content(of index: Int) -> ContentChecksum { items[index].content }

  mutating func add(_ name: some Collection<UInt8>, _ content: ContentChecksum) { add(content) { $0 += name } }

  /// `append` appends the name.
  mutating func add(_ content: ContentChecksum, _ append: (inout [UInt8]) -> Void) {
    append(&names)
    items.append((names.count, content))
  }

  /// Adds all of another table, and returns their range in this one.
  mutating func add(_ other: ContentTable) -> Range<Int> {
    let (first, start) = (items.count, names.count)
    names += other.names
    items += other.items.map { (start + $0.end, $0.content) }
    return first..<items.count
  }
}

extension ContentTable {
  package func write(to writer: inout RecordWriter) {
    writer.add(bytes: names)
    writer.add(items) { writer, item in
      writer.add(item.end)
      writer.add(item.content)
    }
  }

  /// Nil if the bytes are no such record.
  package init?(_ reader: inout RecordReader) {
    guard let names = reader.bytes().map(Array.init) else { return nil }
    var last = 0
    let items = reader.list { reader -> (end: Int, content: ContentChecksum)? in
      guard let end = reader.number(), let content = reader.checksum(), end >= last, end <= names.count else {
        return nil
      }
      last = end
      return (end, content)
    }
    guard let items else { return nil }
    (self.names, self.items) = (names, items)
  }
}
