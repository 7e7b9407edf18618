import Findings
import SystemPackage

/// Steps, and the files that they read and make: steps are boxes, files are not.
package struct GraphPicture: Picture {
  private enum Node {
    case step(Int)
    case file(String)
  }

  private enum Part {
    case step(Int)
    /// `isFound` marks a dependency through a pattern or a folder.
    case arrow(from: Node, to: Node, isFound: Bool)
  }

  private let steps: [Step]
  private let parts: [Part]

  package init(_ graph: Graph, _ selection: [Int]) {
    steps = graph.steps
    parts = selection.flatMap { index -> [Part] in
      let step = graph.steps[index]
      let reads = step.inputs.map { Part.arrow(from: .file($0.text), to: .step(index), isFound: false) }
      // An edge through a file shows already that one step needs another.
      let inputs = Set(step.inputs.map(\.text))
      let needs = graph.needs[index].filter { need in
        !graph.steps[need].outputs.contains { inputs.contains($0.string) }
      }
      let found = needs.map { Part.arrow(from: .step($0), to: .step(index), isFound: true) }
      let makes = step.outputs.map { Part.arrow(from: .step(index), to: .file($0.string), isFound: false) }
      return [.step(index)] + reads + found + makes
    }
  }

  /// A file whose path looks like a step's name is written with `./`.
  private func name(_ node: Node) -> String {
    switch node {
    case .step(let index): "step " + steps[index].name
    case .file(let path): path.utf8.starts(with: "step ".utf8) ? "./" + path : path
    }
  }

  package var graphviz: String {
    var lines = ["digraph build {", "  rankdir=LR;", "  node [fontname=\"sans-serif\"];"]
    for part in parts {
      switch part {
      case .step(let index):
        lines.append(
          "  \(graphvizQuoted(name(.step(index)))) [shape=box, label=\(graphvizQuoted(steps[index].summary))];")
      case .arrow(let from, let to, let isFound):
        let style = isFound ? " [style=dashed]" : ""
        lines.append("  \(graphvizQuoted(name(from))) -> \(graphvizQuoted(name(to)))\(style);")
      }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// A node is declared where it first occurs; later lines use its number.
  package var mermaid: String {
    var lines = ["flowchart LR"]
    var numbers: [[UInt8]: Int] = [:]
    func number(_ node: Node) -> String {
      let key = Array(name(node).utf8)
      if let known = numbers[key] { return "n\(known)" }
      let number = "n\(numbers.count)"
      numbers[key] = numbers.count
      switch node {
      case .step(let index): lines.append("  \(number)[\(mermaidQuoted(steps[index].summary))]")
      case .file(let path): lines.append("  \(number)([\(mermaidQuoted(path))])")
      }
      return number
    }
    for part in parts {
      switch part {
      case .step(let index): _ = number(.step(index))
      case .arrow(let from, let to, let isFound):
        let (from, to) = (number(from), number(to))
        lines.append("  \(from) \(isFound ? "-.->" : "-->") \(to)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  package var svg: String {
    var boxes: [LayeredDrawing.Box] = []
    var arrows: [LayeredDrawing.Arrow] = []
    var numbers: [[UInt8]: Int] = [:]
    func number(_ node: Node) -> Int {
      let key = Array(name(node).utf8)
      if let known = numbers[key] { return known }
      numbers[key] = boxes.count
      switch node {
      case .step(let index): boxes.append(LayeredDrawing.Box(text: steps[index].summary, isStep: true))
      case .file(let path): boxes.append(LayeredDrawing.Box(text: path, isStep: false))
      }
      return boxes.count - 1
    }
    for part in parts {
      switch part {
      case .step(let index): _ = number(.step(index))
      case .arrow(let from, let to, let isFound):
        arrows.append(LayeredDrawing.Arrow(from: number(from), to: number(to), isDashed: isFound))
      }
    }
    return LayeredDrawing(boxes: boxes, arrows: arrows).svg
  }
}
