package import Findings

/// Collisions at link time, and in the Objective-C runtime afterwards. A link is judged while its symbols are in
/// memory; this family collects the results of all slices.
package enum LinkCollisions: CollisionFamily {
  package static let name = "symbols"
  package static let rules: [any CollisionRule.Type] = [
    DuplicateSymbol.self, OneDefinitionRule.self, ProtocolDiffers.self, CategoryClash.self, ClassInLibrary.self,
    MisalignedLibrary.self, ShadowedLibrary.self, SymbolInLibrary.self,
  ]

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    if context.links.isEmpty { return .cannot("no plugin has code for Apple's platforms") }
    return .found(context.links.flatMap(\.collisions))
  }
}
