package import BuildEngine
package import Documents
package import Findings

/// A kind of step or deliverable: the keys that it has in a manifest, and the step of the build that it becomes.
package protocol PlannedKind: Sendable {
  static var kind: Kind { get }
  /// Mistakes that only the kind can see are thrown.
  static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step
}

/// The kinds there are. A new one is one file and one line here.
package enum Kinds {
  package static let steps: [any PlannedKind.Type] = [RunStep.self, UniversalLibraryStep.self, JarStep.self]
  package static let deliverables: [any PlannedKind.Type] = [IOSZip.self, AAR.self, ConfigFile.self]
}
