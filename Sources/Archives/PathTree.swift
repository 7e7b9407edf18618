/// The paths of an archive, with each folder and entry once, so that a path does not repeat those of its parents.
struct PathTree {
  /// The root is 0.
  typealias Node = Int

  private struct Edge<Part: Hashable>: Hashable {
    let parent: Node
    let part: Part
  }

  private var edges: [Edge<[UInt8]>: Node] = [:]
  /// The same for names that are equal on a Mac. Parts can be folded one by one, because no letter merges with a slash.
  private var foldedEdges: [Edge<String>: Node] = [:]
  private var nodes: [(parent: Node, folded: Node, part: [UInt8])] = [(0, 0, [])]

  /// The node of a path, which need not be valid.
  mutating func enter(_ path: [UInt8]) -> Node {
    var node = 0
    for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let edge = Edge(parent: node, part: Array(part))
      if let known = edges[edge] {
        node = known
        continue
      }
      let foldedEdge = Edge(parent: nodes[node].folded, part: EntryPath.collisionKey(part))
      let folded = foldedEdges[foldedEdge] ?? foldedEdges.count + 1
      foldedEdges[foldedEdge] = folded
      nodes.append((node, folded, edge.part))
      node = nodes.count - 1
      edges[edge] = node
    }
    return node
  }

  func path(_ node: Node) -> [UInt8] {
    var parts: [[UInt8]] = []
    var node = node
    while node != 0 {
      parts.append(nodes[node].part)
      node = nodes[node].parent
    }
    return Array(parts.reversed().joined(separator: [UInt8(ascii: "/")]))
  }

  func parent(_ node: Node) -> Node { nodes[node].parent }

  /// Equal for paths that are the same on a file system that ignores case or normalizes names.
  func folded(_ node: Node) -> Node { nodes[node].folded }
}
