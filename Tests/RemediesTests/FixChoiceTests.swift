import Collisions
import Linking
import Testing
import TestSupport

@testable import Remedies

/// The plugins that change are the fewest, and of as many the cheapest: every other set is tried beside.
@Suite struct FixChoiceTests {
  private struct Drawn {
    var edges: Set<FixChoice.Edge> = []
    var shares: [PluginID: Int] = [:]
    let plugins: [PluginID]

    init(_ seed: Int) {
      var random = Seeded(seed: seed)
      plugins = (0..<(2 + random.number(7))).map { PluginID($0) }
      for plugin in plugins { shares[plugin] = random.number(4) }
      for _ in 0..<random.number(12) {
        let members = Array(plugins.shuffled(using: &random).prefix(2 + random.number(3))).sorted()
        let fixed = random.once(in: 4) ? Set([members[random.number(members.count)]]) : []
        edges.insert(FixChoice.Edge(plugins: members, fixed: fixed))
      }
    }

    func ends(_ chosen: Set<PluginID>) -> Bool {
      edges.allSatisfy { edge in
        edge.plugins.count { !chosen.contains($0) || edge.fixed.contains($0) } <= 1
          && (edge.fixed.isEmpty || edge.plugins.allSatisfy { chosen.contains($0) || edge.fixed.contains($0) })
      }
    }

    func cost(_ chosen: Set<PluginID>) -> [Int] { [chosen.count, chosen.reduce(0) { $0 + (shares[$1] ?? 0) }] }

    var cheapest: [Int]? {
      (0..<1 << plugins.count).map { bits in Set(plugins.filter { bits >> $0.index & 1 == 1 }) }.filter(ends).map(cost)
        .min { $0.lexicographicallyPrecedes($1) }
    }
  }

  @Test(arguments: Seeded.seeds(400)) func itIsTheCheapestSet(_ seed: Int) {
    let drawn = Drawn(seed)
    let chosen = FixChoice(drawn.edges, shares: drawn.shares).plugins
    #expect(drawn.ends(chosen))
    #expect(drawn.cost(chosen) == drawn.cheapest)
  }

  /// A ring of many plugins with chords, and one that all the others meet.
  @Test func manyPluginsTakeNoTime() {
    let plugins = (0..<300).map { PluginID($0) }
    var edges = Set(
      plugins.indices.map { FixChoice.Edge(plugins: [plugins[$0], plugins[($0 + 1) % 300]].sorted(), fixed: []) })
    for index in 1..<300 { edges.insert(FixChoice.Edge(plugins: [plugins[0], plugins[index]], fixed: [])) }
    let chosen = FixChoice(edges, shares: [:]).plugins
    #expect(chosen.contains(plugins[0]))
    #expect(chosen.count >= 150 && chosen.count < 200)
  }
}
