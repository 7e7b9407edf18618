import Findings
import Store
import SystemPackage

/// Finds the inputs that are not there and that no step makes, before anything runs: all of them at once.
struct InputCheck {
  let graph: Graph
  let resolver: InputResolver

  func check(_ selection: [Int]) throws {
    var mistakes: [Mistake] = []
    for index in selection {
      let step = graph.steps[index]
      let made = graph.needs[index].flatMap { graph.steps[$0].outputs }
      for input in step.inputs {
        switch input {
        case .path(let path, let place):
          if made.contains(where: { path.starts(with: $0) || $0.starts(with: path) || path == "." }) { continue }
          if let mistake = try resolver.missing(path, place, of: step) { mistakes.append(mistake) }
        case .glob(let glob, let place):
          let visible = made.filter { output in !graph.hidden.contains { output.starts(with: $0) } }
          if visible.contains(where: { glob.touches($0.components.map(\.nameBytes)) != .no }) { continue }
          if try resolver.matches(glob, of: step).isEmpty {
            mistakes.append(resolver.nothing(glob, place, of: step))
          }
        }
      }
    }
    if !mistakes.isEmpty { throw Mistakes(mistakes) }
  }
}
