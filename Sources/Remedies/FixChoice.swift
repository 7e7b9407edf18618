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

  /// The plugins to change.
  var plugins: Set<PluginID> { best?.plugins ?? [] }
  /// Whether not all choices were tried.
  private(set) var isCut = false

  private let shares: [PluginID: Int]
  private var best: (plugins: Set<PluginID>, cost: Cost)?
  private var steps = 0

  /// The limit of the work, in clashes that are looked at. An app has a few dozen plugins. If so many meet that the best
  /// choice is not found by then, a good one is taken.
  private static let maxSteps = 1_000_000

  /// - Parameters:
  ///   - edges: each has at most one plugin that cannot change.
  ///   - shares: the price of each plugin among as many others.
  init(_ edges: Set<Edge>, shares: [PluginID: Int]) {
    self.shares = shares
    // Plugins beside one that cannot change have no choice.
    let forced = edges.filter { !$0.fixed.isEmpty }.reduce(into: Set<PluginID>()) { forced, edge in
      forced.formUnion(edge.plugins.filter { !edge.fixed.contains($0) })
    }
    let open = edges.map(\.plugins).sorted { $0.lexicographicallyPrecedes($1) }
    search(forced, cost(of: forced), open.compactMap { Self.open($0, forced) })
  }

  /// The plugins of a clash that do not change; nil if there are no two.
  private static func open(_ plugins: [PluginID], _ chosen: Set<PluginID>) -> [PluginID]? {
    let staying = plugins.filter { !chosen.contains($0) }
    return staying.count > 1 ? staying : nil
  }

  private func cost(of plugins: Set<PluginID>) -> Cost {
    plugins.reduce(into: Cost()) { cost, plugin in
      cost.count += 1
      cost.share += shares[plugin] ?? 0
    }
  }

  /// - Parameter open: the plugins of each clash that is not ended, without the chosen ones.
  private mutating func search(_ chosen: Set<PluginID>, _ cost: Cost, _ open: [[PluginID]]) {
    steps += open.count + 1
    if let best {
      var least = cost
      least.count += Self.least(open)
      if !(least < best.cost) { return }
      if steps > Self.maxSteps {
        isCut = true
        return
      }
    }
    var degrees: [PluginID: Int] = [:]
    for plugins in open { for plugin in plugins { degrees[plugin, default: 0] += 1 } }
    // The plugin that meets the most others comes first, and the later one of two: the first is the one that an app gets
    // today.
    guard let plugin = degrees.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else {
      best = (chosen, cost)
      return
    }
    // Either it changes, or all that it meets do.
    let others = Set(open.filter { $0.contains(plugin) }.flatMap(\.self)).subtracting([plugin])
    for added in [[plugin], others] {
      let next = chosen.union(added)
      search(next, self.cost(of: next), open.compactMap { Self.open($0, next) })
    }
  }

  /// So many plugins have to change at least: clashes that have no plugin in common have one each.
  private static func least(_ open: [[PluginID]]) -> Int {
    var seen: Set<PluginID> = []
    var count = 0
    for plugins in open where seen.isDisjoint(with: plugins) {
      seen.formUnion(plugins)
      count += plugins.count - 1
    }
    return count
  }
}
