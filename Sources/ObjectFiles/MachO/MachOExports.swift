// The names that an image exports, as dyld looks them up (`<mach-o/loader.h>`, see `MachOLoaderInfo`): a trie.
//
//   node   size of the export (ULEB128, 0: no name ends here), the export, number of edges 1, the edges
//   edge   the next bytes of the name and a NUL, then the offset of the node there (ULEB128, from the trie's start)
//
//   export                       flags (ULEB128), the address, from the start of the image (ULEB128)
//   re-export (flag 8)           flags, the library's number (both ULEB128), the name there and a NUL; empty: the same name
//   with a resolver (flag 10)    flags, the address of a stub, the address of a function that chooses (all ULEB128)
//
//   flags  0 regular, 1 thread-local, 2 absolute (the address is a value) in the two lowest bits; 4 weak definition

package struct MachOExport: Hashable, Sendable {
  /// Put together from the trie's edges: its bytes are nowhere in the file in one piece.
  package var name: [UInt8]
  package var flags: Flags
  /// From the start of the image; 0 for a re-export, the stub's if there is a resolver.
  package var address: UInt64 = 0
  /// The number of the library that has a re-export, counted from 1 over the load commands.
  package var library: UInt64?
  /// A re-export's name in that library, if it is another.
  package var importedName: [UInt8]?
  /// The function that chooses the implementation when it is first called, from the start of the image.
  package var resolver: UInt64?
  /// Where the node of the trie begins.
  package var place = 0

  package struct Flags: OptionSet, Hashable, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let weak = Flags(rawValue: 0x4)
    package static let reexport = Flags(rawValue: 0x8)
    package static let resolver = Flags(rawValue: 0x10)
  }

  package var isThreadLocal: Bool { flags.rawValue & 3 == 1 }
  package var isAbsolute: Bool { flags.rawValue & 3 == 2 }
}

/// The exports of a Mach-O image. A plain value: it keeps no bytes.
package struct MachOExports: Hashable, Sendable {
  /// The trie's bytes; empty if there is none.
  package let range: Range<Int>

  package init(_ info: MachOLoaderInfo) { range = info.exports }

  package init(_ file: MachOFile, _ reader: borrowing ByteReader) throws(FormatError) {
    self.init(try MachOLoaderInfo(file, reader))
  }

  private struct Node {
    /// The export that ends here, still without its name.
    var export: MachOExport?
    var edges: Int
    /// The offset of the next edge.
    var place: Int
    /// The length of the name that leads here.
    var length: Int
    let start: Int
  }

  /// Calls `body` with each export, in the order of the edges: a name comes after the names that it is a prefix of.
  package func forEach(
    _ reader: borrowing ByteReader, _ body: (MachOExport) throws(FormatError) -> Void
  ) throws(FormatError) {
    if range.isEmpty { return }
    var trie = try reader.slice(range, "export trie")
    var budget = NameBudget(reader)
    var name: [UInt8] = []
    var seen: Set<Int> = [range.lowerBound]
    // The stack is explicit, since the file decides how deep the trie is.
    var path = [try node(at: range.lowerBound, length: 0, trie)]
    while var node = path.popLast() {
      name.removeLast(name.count - node.length)
      guard node.edges > 0 else {
        guard var export = node.export else { continue }
        try budget.spend(name.count, at: node.place)
        export.name = name
        export.place = node.start
        try body(export)
        continue
      }
      try trie.seek(to: node.place, "edge of the export trie")
      let text = try trie.terminated("edge of the export trie")
      // Edges may overlap, so a small trie could spell far more text than the file has bytes.
      try budget.spend(text)
      trie.append(text, to: &name)
      let place = trie.offset
      let target = try trie.readULEB128("node of the export trie")
      node.edges -= 1
      node.place = trie.offset
      path.append(node)
      guard target < UInt64(range.count) else { throw .outOfBounds("node of the export trie", at: place) }
      let next = range.lowerBound + Int(target)
      guard seen.insert(next).inserted else {
        throw .invalid("node of the export trie", at: place, "several edges lead to node \(target)")
      }
      path.append(try self.node(at: next, length: name.count, trie))
    }
  }

  private func node(at place: Int, length: Int, _ trie: borrowing ByteReader) throws(FormatError) -> Node {
    var fields = try trie.slice(place..<range.upperBound, "node of the export trie")
    let size = try fields.readULEB128("size of an export")
    guard size <= UInt64(fields.remaining) else { throw .outOfBounds("size of an export", at: place) }
    var content = try fields.slice(fields.offset..<(fields.offset + Int(size)), "export")
    try fields.skip(Int(size), "export")
    let edges: UInt8 = try fields.read("number of edges of the export trie")
    return Node(
      export: size == 0 ? nil : try MachOExport(&content), edges: Int(edges), place: fields.offset, length: length,
      start: place)
  }
}

extension MachOExport {
  fileprivate init(_ fields: inout ByteReader) throws(FormatError) {
    name = []
    flags = Flags(rawValue: try fields.readULEB128("flags of an export"))
    if flags.contains(.reexport) {
      library = try fields.readULEB128("library of an export")
      let text = try fields.terminated("name of an export in its library")
      if !text.isEmpty { importedName = try fields.copy(text, "name of an export in its library") }
    } else {
      address = try fields.readULEB128("address of an export")
      if flags.contains(.resolver) { resolver = try fields.readULEB128("resolver of an export") }
    }
  }
}

extension ByteReader {
  /// The bytes from the cursor to the next NUL, which must exist. The cursor moves behind it.
  @_lifetime(self: copy self)
  package mutating func terminated(_ field: @autoclosure () -> String) throws(FormatError) -> Range<Int> {
    guard let text = terminatedRange(at: offset, in: offset..<range.upperBound) else {
      throw .truncated(field(), at: offset, needed: 1, available: 0)
    }
    try skip(text.count, field())
    try skip(1, field())
    return text
  }
}
