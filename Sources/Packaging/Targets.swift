import Documents
import Findings
import Store

// Completions in a shell. The manifest need not be finished.
extension Project {
  /// Steps, deliverables, and outputs of steps; none if there is no manifest, nil if it cannot be read.
  package static func targets(_ options: Options) -> [String]? {
    guard (try? FileSystem.status(of: options.manifestPath, followingLinks: true)) != .some(nil) else { return [] }
    guard let root = merged(options) else { return nil }
    let steps = root["steps"]?.members ?? []
    let outputs = steps.flatMap { ($0.node["outputs"]?.texts ?? []) + ($0.node["output"]?.texts ?? []) }
    return (steps + (root["deliverables"]?.members ?? [])).map(\.key) + outputs.compactMap(\.text) + [Plan.recordStep]
  }

  package static func configurationKeys(_ options: Options) -> [String] {
    (merged(options)?["config"]?.members ?? []).map(\.key)
  }

  private static func merged(_ options: Options) -> Node? { (try? Layers(options, read: readRecipe))?.merged }
}
