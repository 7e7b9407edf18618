import Findings

/// The inputs that the user named, by the numbers of the plugins in them. One input may be a release of several files.
package struct PluginInputs: Sendable {
  private var paths: [PluginID: String] = [:]

  package init(_ parties: [MessageParty] = []) {
    for party in parties { for plugin in party.plugins { paths[plugin] = party.place.description } }
  }

  /// The plugins that lie in an input.
  package func plugins(in path: String) -> [PluginID] { paths.filter { $0.value == path }.keys.sorted() }

  /// Each once, sorted. A file that a link line names stands for itself.
  func paths(_ sites: [Collision.Site]) -> [String] {
    Set(sites.map { site in site.plugin.flatMap { paths[$0] } ?? site.artifact.parts.first ?? "" }).sorted()
  }
}
