package import Findings

/// What the linker of an app meets, and what the runtime of Objective-C meets after it. A link is judged while its symbols
/// are in memory; this family puts together what the links of all slices came to.
package enum LinkCollisions: CollisionFamily {
  package static let name = "symbols"
  package static let rules: [any CollisionRule.Type] = [
    DuplicateSymbol.self, OneDefinitionRule.self, ProtocolDiffers.self, CategoryClash.self, ClassInLibrary.self,
    MisalignedLibrary.self,
  ]

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    if context.links.isEmpty { return .cannot("no plugin has code for Apple's platforms") }
    return .found(context.links.flatMap(\.collisions))
  }
}
