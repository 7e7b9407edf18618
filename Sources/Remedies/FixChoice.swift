import Collisions

/// The cheapest plugins to change: at most one plugin of each clash stays as it is. With two plugins in each clash this
/// is the vertex cover of a graph, found by branch and bound.
struct FixChoice {
  /// Plugins that meet in the same clashes, and those of them that cannot change.
  struct Edge: Hashable {
    var plugins: [PluginID]
    var fixed: Set<PluginID>
  }

  /// Fewer plugins are always cheaper; `share` decides among as many.
  private struct Cost: Comparable {
    var count = 0
    var share = 0

    static func < (a: Self, b: Self) -> Bool { (a.count, a.share) < (b.count, b.share) }
  }

  private let edges: [Edge]
  private let shares: [PluginID: Int]
  private var best: (plugins: Set<PluginID>, cost: Cost)?
  private var steps = 0

  /// An app has a few dozen plugins. If there are so many that the best choice is not found by then, a good one is taken.
  private static let maxSteps = 200_000

  /// The plugins to change.
  ///
  /// - Parameters:
  ///   - edges: each has at most one plugin that cannot change.
  ///   - shares: the price of each plugin among as many others.
  static func plugins(_ edges: Set<Edge>, shares: [PluginID: Int]) -> Set<PluginID> {
    // Plugins beside one that cannot change have no choice.
    let forced = edges.filter { !$0.fixed.isEmpty }.reduce(into: Set<PluginID>()) { forced, edge in
      forced.formUnion(edge.plugins.filter { !edge.fixed.contains($0) })
    }
    let open = edges.filter { edge in edge.plugins.count { !forced.contains($0) } > 1 }
    var choice = FixChoice(
      edges: open.sorted { $0.plugins.lexicographicallyPrecedes($1.plugins) }, shares: shares)
    choice.search(forced, choice.cost(of: forced))
    return choice.best?.plugins ?? forced
  }

  private init(edges: [Edge], shares: [PluginID: Int]) { (self.edges, self.shares) = (edges, shares) }

  private func cost(of plugins: Set<PluginID>) -> Cost {
    plugins.reduce(into: Cost()) { cost, plugin in
      cost.count += 1
      cost.share += shares[plugin] ?? 0
    }
  }

  private mutating func search(_ chosen: Set<PluginID>, _ cost: Cost) {
    steps += 1
    if let best, !(cost < best.cost) || steps > Self.maxSteps { return }
    guard let pair = openPair(chosen) else {
      best = (chosen, cost)
      return
    }
    // The plugin that meets more others is tried first, and the later one of two: the first is the one that an app gets
    // today.
    for plugin in pair.sorted(by: { (degree($0, chosen), $0) > (degree($1, chosen), $1) }) {
      var next = cost
      next.count += 1
      next.share += shares[plugin] ?? 0
      search(chosen.union([plugin]), next)
    }
  }

  /// Two plugins of a clash that both stay as they are; nil if there are none.
  private func openPair(_ chosen: Set<PluginID>) -> [PluginID]? {
    for edge in edges {
      let staying = edge.plugins.filter { !chosen.contains($0) }
      if staying.count > 1 { return Array(staying.prefix(2)) }
    }
    return nil
  }

  private func degree(_ plugin: PluginID, _ chosen: Set<PluginID>) -> Int {
    edges.count { $0.plugins.contains(plugin) && $0.plugins.count { !chosen.contains($0) } > 1 }
  }
}
