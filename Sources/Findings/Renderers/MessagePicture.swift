/// A picture in the languages of drawing tools.
package protocol Picture: Sendable {
  var graphviz: String { get }
  var mermaid: String { get }
  /// A drawing that no tool has to lay out.
  var svg: String { get }
}

/// A picture of messages, with an arrow from sender to receiver for each.
package struct MessagePicture: Picture {
  package enum End: Hashable, Sendable {
    case plugin(String)
    /// A message with several senders and several receivers: an arrow for each pair would be too many.
    case message(String)
    /// The missing receiver of a message, or its missing sender.
    case nobody

    var text: String {
      switch self {
      case .plugin(let name), .message(let name): name
      case .nobody: "nobody"
      }
    }
  }

  package struct Arrow: Sendable {
    package var from: End
    package var to: End
    package var label: String

    package init(from: End, to: End, label: String) {
      self.from = from
      self.to = to
      self.label = label
    }

    fileprivate var isLost: Bool { from == .nobody || to == .nobody }
  }

  private let arrows: [Arrow]
  /// Each once, in the order of their first places.
  private let ends: [End]
  private let numbers: [End: Int]

  /// `plugins` are in their order, and include those without messages.
  package init(plugins: [String], _ arrows: [Arrow]) {
    self.arrows = arrows
    var (ends, numbers): ([End], [End: Int]) = ([], [:])
    for end in plugins.map(End.plugin) + arrows.flatMap({ [$0.from, $0.to] }) where numbers[end] == nil {
      numbers[end] = ends.count
      ends.append(end)
    }
    (self.ends, self.numbers) = (ends, numbers)
  }

  private func node(_ end: End) -> String { "n\(numbers[end] ?? 0)" }

  package var graphviz: String {
    var lines = ["digraph messages {", "  rankdir=LR;", "  node [fontname=\"sans-serif\"];"]
    for end in ends {
      let style =
        switch end {
        case .plugin: "shape=box"
        case .message: "shape=plaintext"
        case .nobody: "shape=box, style=dashed, color=red, fontcolor=red"
        }
      lines.append("  \(node(end)) [\(style), label=\(graphvizQuoted(end.text))];")
    }
    for arrow in arrows {
      let style = arrow.isLost ? ", style=dashed, color=red, fontcolor=red" : ""
      lines.append("  \(node(arrow.from)) -> \(node(arrow.to)) [label=\(graphvizQuoted(arrow.label))\(style)];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  package var mermaid: String {
    var lines = ["flowchart LR"]
    for end in ends {
      let text = mermaidQuoted(end.text)
      switch end {
      case .plugin: lines.append("  \(node(end))[\(text)]")
      case .message: lines.append("  \(node(end))([\(text)])")
      case .nobody: lines.append("  \(node(end))[\(text)]:::nobody")
      }
    }
    for arrow in arrows {
      let line = arrow.isLost ? "-.->" : "-->"
      let label = arrow.label.isEmpty ? "" : "|\(mermaidQuoted(arrow.label))|"
      lines.append("  \(node(arrow.from)) \(line)\(label) \(node(arrow.to))")
    }
    if numbers[.nobody] != nil { lines.append("  classDef nobody stroke:#c22,color:#c22,stroke-dasharray:4") }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: SVG

  /// More columns or rows are too many for a browser and a reader.
  private static let maxColumns = 30
  private static let maxRows = 400
  private static let (column, row) = (190, 34)

  /// A self-contained drawing with a column for each end and a row for each arrow.
  package var svg: String {
    let (columns, rows) = (ends.prefix(Self.maxColumns), arrows.prefix(Self.maxRows))
    let left = arrows.count - rows.count + (ends.count - columns.count)
    let (width, height) = (max(1, columns.count) * Self.column, (rows.count + 3) * Self.row)
    func x(_ end: End) -> Int? {
      numbers[end].flatMap { $0 < columns.count ? $0 * Self.column + Self.column / 2 : nil }
    }
    var drawing = SVGDrawing(width: width, height: height, "messages between plugins", Self.style)
    for end in columns {
      guard let x = x(end) else { continue }
      let kind = end == .nobody ? "lost" : "end"
      drawing.add("<line class=\"\(kind)\" x1=\"\(x)\" y1=\"\(Self.row)\" x2=\"\(x)\" y2=\"\(height - Self.row)\"/>")
      drawing.text(end.text, x, Self.row - 12, kind)
    }
    for (index, arrow) in rows.enumerated() {
      guard let from = x(arrow.from), let to = x(arrow.to) else { continue }
      let (y, kind) = ((index + 2) * Self.row, arrow.isLost ? "lost" : "sent")
      // An arrow from a plugin to itself is a short one to the side.
      let end = from == to ? from + 24 : to
      let back = end > from ? -8 : 8
      drawing.add("<path class=\"\(kind)\" d=\"M\(from) \(y)H\(end)m\(back) -5l\(-back) 5l\(back) 5\"/>")
      drawing.text(arrow.label, (from + end) / 2, y - 7)
    }
    if left > 0 { drawing.text("and more: graph --messages --format graphviz has all", width / 2, height - 8) }
    return drawing.text
  }

  private static let style = """
    .drawing text { text-anchor: middle }
    .drawing line { stroke: #888 } .drawing path { stroke: #3b82c4; fill: none }
    .drawing .lost { stroke: #d33; stroke-dasharray: 4 } .drawing text.lost { fill: #d33; stroke: none }
    """
}
