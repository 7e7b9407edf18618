package import Artifacts
package import Findings

/// An input that the user named: a file, a folder, or all that a release record lists.
package struct MessageParty: Sendable {
  /// The name of its release or of its file.
  package var name: String
  package var version: String?
  package var place: Place
  package var isApp: Bool
  /// Its files and folders.
  package var plugins: [PluginID]
  package var policies: [MessagePolicy]
  /// The parts of each policy that violate its host's schema.
  package var defects: [[Mistake]]

  package init(
    name: String, version: String?, place: Place, isApp: Bool, plugins: [PluginID], policies: [MessagePolicy],
    defects: [[Mistake]] = []
  ) {
    self.name = name
    self.version = version
    self.place = place
    self.isApp = isApp
    self.plugins = plugins
    self.policies = policies
    self.defects = defects
  }
}

/// Mismatches between the messages that plugins send to each other. Policies declare them, and no linker checks them.
package enum MessageCollisions: CollisionFamily {
  package static let name = "messages"
  package static let rules: [any CollisionRule.Type] = [
    DuplicateHandler.self, MissingPolicy.self, PolicyClass.self, PolicySchema.self, UnhandledMessage.self,
  ]

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let parties = context.parties
    if parties.allSatisfy(\.policies.isEmpty) { return .cannot("no plugin has a policy file") }
    let exchange = MessageExchange(parties.flatMap(\.policies))
    var collisions = UnhandledMessage.collisions(in: exchange) + DuplicateHandler.collisions(in: exchange)
    collisions += MissingPolicy.collisions(in: parties) + PolicyClass.collisions(in: context)
    collisions += PolicySchema.collisions(in: parties)
    var plugins: [String: PluginID] = [:]
    for party in parties {
      for file in [party.place] + party.policies.map(\.place) {
        if let path = file.parts.first, let plugin = party.plugins.first { plugins[path] = plugin }
      }
    }
    for index in collisions.indices {
      for site in collisions[index].sites.indices {
        collisions[index].sites[site].plugin = collisions[index].sites[site].artifact.parts.first.flatMap {
          plugins[$0]
        }
      }
    }
    return .found(collisions)
  }
}
