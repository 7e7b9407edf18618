import Findings
import SystemPackage

extension Graph {
  /// The steps and files in the language of Graphviz (`dot -Tsvg`): steps are boxes, what they read and make is not.
  /// With targets, only what these need.
  package func dot(_ selection: [Int]) -> String {
    var lines = ["digraph build {", "  rankdir=LR;", "  node [fontname=\"sans-serif\"];"]
    for index in selection {
      let step = steps[index]
      let name = Graph.quoted("step " + step.name)
      lines.append("  \(name) [shape=box, label=\(Graph.quoted(step.summary))];")
      for input in step.inputs { lines.append("  \(Graph.file(input.text)) -> \(name);") }
      for need in needs[index] where !isNamed(need, by: step) {
        // What it finds by a pattern or in a folder.
        lines.append("  \(Graph.quoted("step " + steps[need].name)) -> \(name) [style=dashed];")
      }
      for output in step.outputs { lines.append("  \(name) -> \(Graph.file(output.string));") }
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// Whether an edge through a file shows already that one step needs another.
  private func isNamed(_ need: Int, by step: Step) -> Bool {
    let inputs = Set(step.inputs.map(\.text))
    return steps[need].outputs.contains { inputs.contains($0.string) }
  }

  /// A text as Graphviz draws it: a node that has no label shows its name. It reads backslashes and, as HTML has them,
  /// signs by their names (`&lt;`).
  private static func quoted(_ text: String) -> String {
    let text = printable(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"" + text.replacing("&", with: "&amp;") + "\""
  }

  /// No file is called as a step is.
  private static func file(_ path: String) -> String { quoted(path.hasPrefix("step ") ? "./" + path : path) }

}
