package import Artifacts
package import BuildEngine
package import Documents
package import Findings
package import SystemPackage

/// A kind of step or deliverable: the keys that it has in a manifest, and the step of the build that it becomes.
package protocol PlannedKind: Sendable {
  static var kind: Kind { get }
  /// Throws mistakes that only the kind can find.
  static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step
}

/// A kind of file that leaves the plugin's folder.
package protocol DeliverableKind: PlannedKind {
  /// The kind of artifact that its files are, with the ending of their names.
  static var artifact: ArtifactKind { get }
  /// Whether only files of this kind have such an entry, which then identifies files with any name.
  static func isMarked(by entry: [UInt8]) -> Bool
  /// The summary of the JSON Schema that a recipe may have for documents of this kind; nil if no recipe may have one.
  static var schema: String? { get }
  /// Tells the user where a released file or folder goes: a command line, or a few words.
  static func destination(_ path: FilePath, _ declaration: Manifest.Declaration, version: String) -> String
  /// A document of this kind as rules judge it. `defects` violate the host's schema; nil if the host has none.
  static func read(
    _ document: Node, at place: Place, _ schema: DocumentSchema?
  ) throws(Mistakes) -> (Inventory, defects: [Mistake]?)
}

extension DeliverableKind {
  package static func isMarked(by entry: [UInt8]) -> Bool { false }
  package static var schema: String? { nil }
  package static func destination(
    _ path: FilePath, _ declaration: Manifest.Declaration, version: String
  ) -> String {
    ShellText.line(["gh", "release", "upload", version, path.string])
  }
  package static func read(
    _ document: Node, at place: Place, _ schema: DocumentSchema?
  ) throws(Mistakes) -> (Inventory, defects: [Mistake]?) {
    (Inventory(place: place, role: artifact), schema.map { $0.mistakes(in: document, root: "the \(kind.name)") })
  }
}

/// All kinds. A new one needs one file and one line here.
package enum Kinds {
  package static let steps: [any PlannedKind.Type] = [
    RunStep.self, UniversalLibraryStep.self, StaticLibraryStep.self, PrefixSymbolsStep.self, HideSymbolsStep.self,
    RelocateStep.self,
    JarStep.self,
  ]
  @TaskLocal package static var deliverables: [any DeliverableKind.Type] = [
    IOSZip.self, FrameworkFile.self, XCFrameworkFile.self, AAR.self, AppExtensionFile.self, ConfigFile.self,
    PolicyFile.self, PluginsConfig.self,
    WebTemplates.self, SwiftPackage.self, MavenRepository.self,
    Podspec.self, PlainFile.self,
  ]

  /// The kind of deliverable whose files have such names; of several endings the longest counts.
  static func deliverable(named name: String) -> ArtifactKind? {
    deliverables.map { $0.artifact }.filter { $0.ending.map(name.hasSuffix) ?? false }
      .max { ($0.ending?.count ?? 0) < ($1.ending?.count ?? 0) }
  }

  /// The kind of a zip with any name, by the names of its entries.
  static func deliverable(holding entries: some Sequence<[UInt8]>) -> ArtifactKind? {
    for entry in entries {
      if let kind = deliverables.first(where: { $0.isMarked(by: entry) }) { return kind.artifact }
    }
    return nil
  }

  /// The kind of a file, if its name determines it.
  static func artifact(named name: String) -> ArtifactKind? {
    deliverable(named: name) ?? (name.hasSuffix(ArtifactKind.jar.ending ?? "") ? .jar : nil)
  }

  /// Registers the kinds with modules that know none of them, so that they recognize files while `operation` runs.
  package static func registered<Result>(
    with more: [any DeliverableKind.Type] = [], isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    let kinds = deliverables + more
    let artifacts = kinds.map { $0.artifact }
    let names = StableName.Deliverables((artifacts + [.release]).filter { $0.folder == nil }.map(\.fileEnding))
    return try await $deliverables.withValue(kinds) {
      try await ArtifactKind.$deliverables.withValue(artifacts) {
        try await StableName.$deliverables.withValue(names) { try await operation() }
      }
    }
  }
}
