package import Artifacts
package import Findings
package import Linking

/// Collisions of one kind, which are found from the same facts. A new family is one file and one line in
/// `CollisionRegistry`.
package protocol CollisionFamily: Sendable {
  /// The family's name in a report's list of comparisons: `java-classes`.
  static var name: String { get }
  static var rules: [any CollisionRule.Type] { get }
  static func judge(_ context: CheckContext) -> Judgement<Collision>
}

extension Judgement<Collision> {
  /// No plugin has any of what the family compares.
  static var nothingToCompare: Self { .cannot("nothing to compare") }
}

/// The input of all families.
package struct CheckContext: Sendable {
  package let plugins: [PluginFacts]
  /// One for each slice of Apple's platforms.
  package let links: [SliceLink]
  package let parties: [MessageParty]
  package let locks: [LockFile]
  /// The platform and oldest system of the app; nil if they are not known.
  package let target: LinkTarget?
  package let android: AndroidApp

  package init(
    plugins: [PluginFacts], links: [SliceLink] = [], parties: [MessageParty] = [], locks: [LockFile] = [],
    target: LinkTarget? = nil, android: AndroidApp = AndroidApp()
  ) {
    self.plugins = plugins
    self.links = links
    self.parties = parties
    self.locks = locks
    self.target = target
    self.android = android
  }

  package subscript(plugin: PluginID) -> PluginFacts { plugins[plugin.index] }

  package var numbered: [(id: PluginID, facts: PluginFacts)] { plugins.enumerated().map { (PluginID($0), $1) } }
}

package struct CollisionRegistry: Sendable {
  package let families: [any CollisionFamily.Type]
  private let rules: [RuleID: any CollisionRule.Type]

  /// The registry of the whole program; a test may add to it.
  @TaskLocal package static var current = CollisionRegistry([
    LinkCollisions.self, DuplicateJavaClass.self, DuplicateNativeLibrary.self, MessageCollisions.self,
    DuplicateLibrary.self, ModuleMapClash.self, HeaderClash.self, ModuleRedefinition.self, DuplicateFramework.self,
    DuplicateBundle.self, LooseResourceClash.self, LostPrivacyManifest.self, DuplicatePackage.self,
    MissingFramework.self, NewerFramework.self, DuplicateNamespace.self, ManifestMerging.self, DuplicateAsset.self,
    DuplicateJavaResource.self, DuplicateResource.self, LibraryDemands.self, WideRules.self,
    KotlinMetadata.self, PageSizes.self, InterposedSymbol.self,
  ])

  package init(_ families: [any CollisionFamily.Type]) {
    self.families = families
    rules = Dictionary(families.flatMap { $0.rules }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package static func rule(_ id: RuleID) -> any CollisionRule.Type { current.rules[id] ?? DuplicateSymbol.self }

  package var ids: Set<RuleID> { Set(rules.keys) }
}
