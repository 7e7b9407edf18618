import Documents
import Findings
import Store

// What completions offer, of a manifest that need not be finished.
extension Project {
  /// Steps, deliverables, and outputs that steps name; none where there is no manifest. Nil of one that cannot be read.
  package static func targets(_ options: Options) -> [String]? {
    guard (try? FileSystem.status(of: options.manifestPath, followingLinks: true)) != .some(nil) else { return [] }
    guard let root = merged(options) else { return nil }
    let steps = root["steps"]?.members ?? []
    let outputs = steps.flatMap { ($0.node["outputs"]?.texts ?? []) + ($0.node["output"]?.texts ?? []) }
    return (steps + (root["deliverables"]?.members ?? [])).map(\.key) + outputs.compactMap(\.text) + [Plan.recordStep]
  }

  /// The keys of `config`.
  package static func configurationKeys(_ options: Options) -> [String] {
    (merged(options)?["config"]?.members ?? []).map(\.key)
  }

  private static func merged(_ options: Options) -> Node? { (try? Layers(options, read: readRecipe))?.merged }
}
