import Documents
import Findings

// What completions offer, of a manifest that need not be finished; nothing of one that cannot be read.
extension Project {
  /// Steps, deliverables, and outputs that steps name.
  package static func targets(_ options: Options) -> [String] {
    guard let root = merged(options) else { return [] }
    let steps = root["steps"]?.members ?? []
    let outputs = steps.flatMap { ($0.node["outputs"]?.texts ?? []) + ($0.node["output"]?.texts ?? []) }
    return (steps + (root["deliverables"]?.members ?? [])).map(\.key) + outputs.compactMap(\.text) + [Plan.recordStep]
  }

  /// Of `config`.
  package static func configurationKeys(_ options: Options) -> [String] {
    (merged(options)?["config"]?.members ?? []).map(\.key)
  }

  private static func merged(_ options: Options) -> Node? { (try? Layers(options, read: readRecipe))?.merged }
}
