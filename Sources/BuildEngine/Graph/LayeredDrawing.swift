import Findings

/// A drawing of boxes in columns, with arrows from left to right: each box is one column right of the last that has an
/// arrow to it. In a column, boxes stand near those that lead to them.
struct LayeredDrawing {
  struct Box {
    var text: String
    var isStep: Bool
  }

  struct Arrow {
    var from: Int
    var to: Int
    var isDashed: Bool
  }

  let boxes: [Box]
  let arrows: [Arrow]

  private static let (row, gap, margin, height) = (38, 70, 16, 26)
  /// Longer texts are cut; the other formats have them whole.
  private static let maxText = 48

  var svg: String {
    let columns = columns
    let widths = columns.map { column in
      (column.map { min(Self.maxText, boxes[$0].text.unicodeScalars.count) }.max() ?? 0) * 7 + 20
    }
    let rows = columns.map(\.count).max() ?? 0
    var places = Array(repeating: (x: 0, y: 0), count: boxes.count)
    var x = Self.margin
    for (column, width) in zip(columns, widths) {
      // Short columns stand in the middle of long ones.
      let top = Self.margin + (rows - column.count) * Self.row / 2
      for (index, box) in column.enumerated() { places[box] = (x, top + index * Self.row) }
      x += width + Self.gap
    }
    let numbers = columns.enumerated().flatMap { number, column in column.map { ($0, number) } }
    let widthOf = Dictionary(uniqueKeysWithValues: numbers.map { ($0, widths[$1]) })
    var drawing = SVGDrawing(
      width: max(x - Self.gap, 0) + Self.margin, height: rows * Self.row + 2 * Self.margin, "steps and files",
      Self.style)
    for arrow in arrows {
      let (from, to) = (places[arrow.from], places[arrow.to])
      let start = (x: from.x + (widthOf[arrow.from] ?? 0), y: from.y + Self.height / 2)
      let end = (x: to.x - 1, y: to.y + Self.height / 2)
      let bend = Self.gap / 2
      drawing.add(
        """
        <path\(arrow.isDashed ? " class=\"found\"" : "") d="M\(start.x) \(start.y)C\(start.x + bend) \(start.y) \
        \(end.x - bend) \(end.y) \(end.x) \(end.y)m-6 -4l6 4l-6 4"/>
        """)
    }
    for (box, place) in zip(boxes.indices, places) {
      let (kind, corner) = boxes[box].isStep ? ("step", 2) : ("file", Self.height / 2)
      drawing.add(
        """
        <rect class="\(kind)" x="\(place.x)" y="\(place.y)" width="\(widthOf[box] ?? 0)" height="\(Self.height)" \
        rx="\(corner)"/>
        """)
      drawing.text(boxes[box].text, place.x + 10, place.y + 17, most: Self.maxText)
    }
    return drawing.text
  }

  private static let style = """
    .drawing path { fill: none; stroke: #888 } .drawing .found { stroke-dasharray: 4 }
    .drawing rect { stroke: #888; fill: #fff } .drawing .step { stroke: #3b82c4; fill: #e8f1fb } .drawing text { fill: #222 }
    """

  /// The boxes of each column from top to bottom.
  private var columns: [[Int]] {
    let before = Dictionary(grouping: arrows, by: \.to).mapValues { $0.map(\.from) }
    let column = numbers
    var columns = Array(repeating: [Int](), count: (column.max() ?? -1) + 1)
    for box in boxes.indices { columns[column[box]].append(box) }
    var row = Array(repeating: 0.0, count: boxes.count)
    for index in columns.indices {
      func middle(_ box: Int) -> Double {
        let rows = (before[box] ?? []).map { row[$0] }
        return rows.isEmpty ? .infinity : rows.reduce(0, +) / Double(rows.count)
      }
      let middles = Dictionary(uniqueKeysWithValues: columns[index].map { ($0, middle($0)) })
      columns[index].sort { a, b in
        let (one, other) = (middles[a] ?? 0, middles[b] ?? 0)
        return one == other ? a < b : one < other
      }
      for (place, box) in columns[index].enumerated() { row[box] = Double(place) }
    }
    return columns
  }

  /// The column of each box. Steps form no cycle, and a box that were in one would stay in the first column.
  private var numbers: [Int] {
    var column = Array(repeating: 0, count: boxes.count)
    var waiting = Array(repeating: 0, count: boxes.count)
    for arrow in arrows { waiting[arrow.to] += 1 }
    let after = Dictionary(grouping: arrows, by: \.from)
    var ready = boxes.indices.filter { waiting[$0] == 0 }
    while let box = ready.popLast() {
      for arrow in after[box] ?? [] {
        column[arrow.to] = max(column[arrow.to], column[box] + 1)
        waiting[arrow.to] -= 1
        if waiting[arrow.to] == 0 { ready.append(arrow.to) }
      }
    }
    return column
  }
}
