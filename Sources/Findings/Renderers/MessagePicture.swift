/// A picture in the languages of drawing tools.
package protocol Picture: Sendable {
  var graphviz: String { get }
  var mermaid: String { get }
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

  // MARK: HTML

  /// More columns or rows are too many for a browser and a reader.
  private static let maxColumns = 30
  private static let maxRows = 400
  private static let (column, row) = (190, 34)

  /// A self-contained drawing with a column for each end and a row for each arrow.
  var svg: String {
    let (columns, rows) = (ends.prefix(Self.maxColumns), arrows.prefix(Self.maxRows))
    let (width, height) = (columns.count * Self.column, (rows.count + 2) * Self.row)
    func x(_ end: End) -> Int? {
      numbers[end].flatMap { $0 < columns.count ? $0 * Self.column + Self.column / 2 : nil }
    }
    var lines = ["<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" role=\"img\">"]
    for end in columns {
      guard let x = x(end) else { continue }
      let kind = end == .nobody ? "lost" : "end"
      lines.append("<line class=\"\(kind)\" x1=\"\(x)\" y1=\"\(Self.row)\" x2=\"\(x)\" y2=\"\(height)\"/>")
      lines.append(
        "<text class=\"\(kind)\" x=\"\(x)\" y=\"\(Self.row - 12)\">\(shownMarkup(Self.cut(end.text)))</text>")
    }
    for (index, arrow) in rows.enumerated() {
      guard let from = x(arrow.from), let to = x(arrow.to) else { continue }
      let (y, kind) = ((index + 2) * Self.row, arrow.isLost ? "lost" : "sent")
      // An arrow from a plugin to itself is a short one to the side.
      let end = from == to ? from + 24 : to
      let back = end > from ? -8 : 8
      lines.append("<path class=\"\(kind)\" d=\"M\(from) \(y)H\(end)m\(back) -5l\(-back) 5l\(back) 5\"/>")
      lines.append("<text x=\"\((from + end) / 2)\" y=\"\(y - 7)\">\(shownMarkup(Self.cut(arrow.label)))</text>")
    }
    lines.append("</svg>")
    let left = arrows.count - rows.count + (ends.count - columns.count)
    if left > 0 { lines.append("<p>and more: npi-pack graph --messages draws all of it</p>") }
    return lines.joined(separator: "\n")
  }

  static let style = """
    figure { margin: 1rem 0; overflow-x: auto } svg text { font: 12px system-ui, sans-serif; text-anchor: middle }
      svg line { stroke: #aaa } svg path { stroke: #28c; fill: none }
      svg .lost { stroke: #c22; stroke-dasharray: 4 } svg text.lost { fill: #c22; stroke: none }
    """

  private static func cut(_ text: String) -> String { text.count <= 60 ? text : text.prefix(59) + "…" }
}
