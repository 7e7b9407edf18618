import Store
import SystemPackage

/// Which step makes what.
struct GraphOutputs: Sendable {
  /// By the path of the output.
  private(set) var makers: [FilePath: Int] = [:]
  /// For each folder above an output: the steps that make something below it.
  private(set) var below: [FilePath: [(step: Int, output: FilePath)]] = [:]
  /// The first names of all outputs: most paths can be told from these by one look.
  private var tops: Set<[UInt8]> = []

  init(_ steps: [Step]) {
    for (index, step) in steps.enumerated() {
      for output in step.outputs {
        makers[output] = makers[output] ?? index
        if let top = output.components.first { tops.insert(top.nameBytes) }
        var folder = output
        while !folder.isEmpty, folder.removeLastComponent() {
          below[folder.isEmpty ? "." : folder, default: []].append((index, output))
        }
      }
    }
  }

  /// The steps that make the path, something above it or, if it is a folder, something below it.
  func touching(_ path: FilePath) -> [Int] {
    guard path.isRelative, let top = path.components.first else { return [] }
    guard path == "." || tops.contains(top.nameBytes) else { return [] }
    var steps = (below[path] ?? []).map(\.step)
    var above = path
    while !above.isEmpty {
      if let maker = makers[above] { steps.append(maker) }
      if !above.removeLastComponent() { break }
    }
    return steps
  }
}
