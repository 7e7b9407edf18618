package import Findings
import Store
package import SystemPackage

/// Steps and their dependencies. The initializer refuses cycles and outputs that clash.
package struct Graph: Sendable {
  /// In the order in which they were declared.
  package let steps: [Step]
  /// For each step, by index: the steps that make something that it reads, in ascending order.
  package let needs: [[Int]]
  /// Relative folders that globs and input folders leave out.
  package let hidden: Set<FilePath>
  let outputs: GraphOutputs

  /// - Parameters:
  ///   - hidden: the tool's own folders (`.npi`, the output folder), relative to the root.
  ///   - sources: the files that declare the steps, relative to the root; they are never outputs.
  /// - Throws: all mistakes together.
  package init(
    _ steps: [Step], hidden: [FilePath] = [Graph.stateFolder], sources: [FilePath] = []
  ) throws(Mistakes) {
    self.steps = steps
    self.hidden = Set(hidden.map { $0.lexicallyNormalized() })
    var mistakes = GraphCheck.names(steps) + GraphCheck.outputs(steps, sources)
    outputs = GraphOutputs(steps)
    let edges = GraphEdges(steps, outputs, hidden: self.hidden)
    needs = edges.needs.map { Array(Set($0.keys)).sorted() }
    mistakes += GraphCheck.circles(steps, edges.needs)
    if !mistakes.isEmpty { throw Mistakes(mistakes) }
  }

  package static let stateFolder: FilePath = ".npi"

  /// Descriptions of outputs by built-in steps, for other steps; the only part of `stateFolder` that may hold outputs.
  package static let recordsFolder = stateFolder.appending("records")

  /// The steps that make the targets (steps' names, outputs' paths; none: all), and all that these need, in order.
  package func selection(_ targets: [String]) throws(Mistakes) -> [Int] {
    if targets.isEmpty { return Array(steps.indices) }
    var open: [Int] = []
    var mistakes: [Mistake] = []
    for target in targets {
      if let index = self.index(of: target) {
        open.append(index)
      } else {
        let candidates = steps.map(\.name) + steps.flatMap { $0.outputs.map(\.string) }
        mistakes.append(
          Mistake(
            "there is no target '\(target)'",
            hint: didYouMean(target, among: candidates) ?? "the targets are: \(namesOfSome)"))
      }
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    return Graph.reached(from: open) { needs[$0] }.sorted()
  }

  /// As `a, b and 7 more`.
  private var namesOfSome: String { listed(steps.map(\.name), limit: 8) }

  /// Whether a step comes after another one because it needs it, directly or not.
  func isOrdered(_ step: Int, after other: Int) -> Bool {
    Graph.reached(from: needs[step], goal: other) { needs[$0] }.contains(other)
  }

  /// These steps and all that can be reached from them. The search ends early at the goal.
  static func reached(from steps: [Int], goal: Int? = nil, _ next: (Int) -> some Sequence<Int>) -> Set<Int> {
    var open = steps
    var reached: Set<Int> = []
    while let step = open.popLast() {
      guard reached.insert(step).inserted else { continue }
      if step == goal { break }
      open += next(step)
    }
    return reached
  }

  private func index(of target: String) -> Int? {
    let name = Array(target.utf8)
    if let index = steps.firstIndex(where: { Array($0.name.utf8) == name }) { return index }
    let path = FilePath(target).lexicallyNormalized()
    return steps.firstIndex { $0.outputs.contains(path) }
  }
}

/// The edges between steps, each with the output that causes it.
struct GraphEdges {
  /// For each step, the steps that it needs, each with an output that it reads.
  private(set) var needs: [[Int: FilePath]]

  private let made: GraphOutputs

  private let hidden: Set<FilePath>

  init(_ steps: [Step], _ made: GraphOutputs, hidden: Set<FilePath>) {
    self.made = made
    self.hidden = hidden
    needs = Array(repeating: [:], count: steps.count)
    let outputs = steps.enumerated().flatMap { index, step in
      step.outputs.map { (step: index, path: $0, names: $0.components.map(\.nameBytes)) }
    }
    var weak: [(step: Int, maker: Int, output: FilePath)] = []
    for (index, step) in steps.enumerated() {
      for program in step.action.programs {
        if let path = program.pathInTree { connect(index, toMakersOf: path, alsoBelow: false) }
      }
      for input in step.inputs {
        switch input {
        case .path(let path, _): connect(index, toMakersOf: path, alsoBelow: true)
        case .glob(let glob, _):
          // A step's globs do not find its own outputs.
          for output in outputs where output.step != index && !isHidden(output.path, from: nil) {
            switch glob.touches(output.names) {
            case .yes: connect(index, output.step, output.path)
            case .perhaps: weak.append((index, output.step, output.path))
            case .no: break
            }
          }
        }
      }
    }
    // Whether an output is a folder is unknown before it is made, so such an edge is dropped if it would close a cycle.
    for edge in weak {
      guard !Graph.reached(from: [edge.maker], goal: edge.step, { needs[$0].keys }).contains(edge.step) else {
        continue
      }
      connect(edge.step, edge.maker, edge.output)
    }
  }

  private mutating func connect(_ step: Int, _ maker: Int, _ output: FilePath) {
    if needs[step][maker] == nil { needs[step][maker] = output }
  }

  private mutating func connect(_ step: Int, toMakersOf path: FilePath, alsoBelow: Bool) {
    for above in path.andFoldersAbove {
      if let maker = made.makers[above] { connect(step, maker, above) }
    }
    guard alsoBelow else { return }
    // A step may read a folder that holds its own output: the output is left out of what it reads.
    for (maker, output) in made.below[path] ?? [] where maker != step && !isHidden(output, from: path) {
      connect(step, maker, output)
    }
  }

  /// Globs, and folders above the hidden one, do not find files in a hidden folder.
  private func isHidden(_ output: FilePath, from folder: FilePath?) -> Bool {
    hidden.contains { output.starts(with: $0) && !(folder?.starts(with: $0) ?? false) }
  }
}

struct GraphOutputs: Sendable {
  /// The index of the step, by the path of its output.
  private(set) var makers: [FilePath: Int] = [:]
  /// For each folder above an output: the steps that make something below it.
  private(set) var below: [FilePath: [(step: Int, output: FilePath)]] = [:]
  /// The first path components of all outputs, which rule out most paths with one lookup.
  private var tops: Set<[UInt8]> = []

  init(_ steps: [Step]) {
    for (index, step) in steps.enumerated() {
      for output in step.outputs {
        makers[output] = makers[output] ?? index
        if let top = output.components.first { tops.insert(top.nameBytes) }
        for folder in Array(output.andFoldersAbove.dropFirst()) + ["."] {
          below[folder, default: []].append((index, output))
        }
      }
    }
  }

  /// The steps that make the path, something above it or, if it is a folder, something below it.
  func touching(_ path: FilePath) -> [Int] {
    guard path.isRelative, let top = path.components.first else { return [] }
    guard path == "." || tops.contains(top.nameBytes) else { return [] }
    return (below[path] ?? []).map(\.step) + path.andFoldersAbove.compactMap { makers[$0] }
  }
}

extension FilePath {
  /// This path, then the folders above it that it names, innermost first.
  var andFoldersAbove: some Sequence<FilePath> {
    sequence(first: self) { path in
      let folder = path.removingLastComponent()
      return folder.isEmpty || folder == path ? nil : folder
    }
  }
}
