package import Artifacts
package import BuildEngine
package import Documents
package import Findings

/// A kind of step or deliverable: the keys that it has in a manifest, and the step of the build that it becomes.
package protocol PlannedKind: Sendable {
  static var kind: Kind { get }
  /// Mistakes that only the kind can see are thrown.
  static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step
}

/// A kind of file that leaves the plugin's folder.
package protocol DeliverableKind: PlannedKind {
  /// What it is when it is looked at later.
  static var artifact: ArtifactKind { get }
  /// What follows `NAME-VERSION` in the name of the file.
  static var fileEnding: String { get }
  /// Whether only files of this kind have such an entry: then they are known whatever they are called.
  static func isMarked(by entry: [UInt8]) -> Bool
}

extension DeliverableKind {
  package static var fileEnding: String { artifact.ending ?? "" }
  package static func isMarked(by entry: [UInt8]) -> Bool { false }
}

/// The kinds there are. A new one is one file and one line here.
package enum Kinds {
  package static let steps: [any PlannedKind.Type] = [RunStep.self, UniversalLibraryStep.self, JarStep.self]
  package static let deliverables: [any DeliverableKind.Type] = [
    IOSZip.self, AAR.self, AppExtensionFile.self, ConfigFile.self, PolicyFile.self, PluginsConfig.self,
    WebTemplates.self,
  ]

  /// The kind of deliverable whose files have such names; of several endings the longest counts.
  static func deliverable(named name: String) -> ArtifactKind? {
    deliverables.map { $0.artifact }.filter { $0.ending.map(name.hasSuffix) ?? false }
      .max { ($0.ending?.count ?? 0) < ($1.ending?.count ?? 0) }
  }

  /// The kind of a zip whose name does not tell, by the names of its entries.
  static func deliverable(holding entries: some Sequence<[UInt8]>) -> ArtifactKind? {
    for entry in entries {
      if let kind = deliverables.first(where: { $0.isMarked(by: entry) }) { return kind.artifact }
    }
    return nil
  }

  /// What a file of that name is, as far as that tells.
  static func artifact(named name: String) -> ArtifactKind? {
    deliverable(named: name) ?? (name.hasSuffix(ArtifactKind.jar.ending ?? "") ? .jar : nil)
  }
}
