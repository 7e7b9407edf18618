import ObjectFiles

/// The nodes of an export trie (`MachOExports` has the layout), from which some exports go.
///
/// The other nodes stay where they are, and so do the offsets that lead to them: a node without its export, or without an
/// edge to what nothing is left of, only gets shorter.
struct ExportTrie {
  private struct Node {
    let range: Range<Int>
    /// With its size in front.
    let export: Range<Int>
    var edges: [(range: Range<Int>, target: Int)] = []
  }

  /// Each before those that it leads to.
  private var nodes: [Node] = []

  /// - Parameter range: a trie that has been walked, in which no two edges lead to one node.
  init(_ range: Range<Int>, _ reader: borrowing ByteReader) throws(FormatError) {
    var open = [range.lowerBound]
    while let place = open.popLast() {
      var fields = try reader.slice(place..<range.upperBound, "node of the export trie")
      let size = Int(truncatingIfNeeded: try fields.readULEB128("size of an export"))
      try fields.skip(size, "export")
      let export = place..<fields.offset
      let count: UInt8 = try fields.read("number of edges of the export trie")
      var edges: [(range: Range<Int>, target: Int)] = []
      for _ in 0..<count {
        let start = fields.offset
        _ = try fields.terminated("edge of the export trie")
        let target = range.lowerBound + Int(truncatingIfNeeded: try fields.readULEB128("node of the export trie"))
        edges.append((start..<fields.offset, target))
        open.append(target)
      }
      nodes.append(Node(range: place..<fields.offset, export: export, edges: edges))
    }
  }

  /// - Parameter places: of the nodes whose exports go.
  func edits(removing places: Set<Int>, _ reader: borrowing ByteReader) throws(FormatError) -> [ByteEdits.Edit] {
    var gone: Set<Int> = []
    var edits: [ByteEdits.Edit] = []
    for node in nodes.reversed() {
      let start = node.range.lowerBound
      let isExport = node.export.count > 1 && !places.contains(start)
      let edges = node.edges.filter { !gone.contains($0.target) }
      if !isExport, edges.isEmpty { gone.insert(start) }
      if edges.count == node.edges.count, !places.contains(start) { continue }
      var bytes = isExport ? try reader.copy(node.export, "export") : [0]
      bytes.append(UInt8(edges.count))
      for edge in edges { reader.append(edge.range, to: &bytes) }
      bytes += [UInt8](repeating: 0, count: node.range.count - bytes.count)
      edits.append(.init(range: node.range, bytes: bytes))
    }
    return edits
  }
}
