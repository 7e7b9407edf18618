package import Findings

extension CollisionReport {
  /// From this many groups on, what to do first is said before all else.
  private static let fewest = 4
  private static let mostLines = 10
  /// What a report shows that is not asked for all.
  private static let mostFindings = 14

  /// For people. `isWhole`: every group, and lists to their end.
  package func report(app: String?, isWhole: Bool, canBeRead: Bool) -> AppReport {
    let groups = groups
    var report = AppReport(app: app, Report(groups.compactMap { $0.finding(isWhole: isWhole) }), isWhole: canBeRead)
    report.overview = Self.overview(groups)
    if !isWhole { report.mostFindings = Self.mostFindings }
    return report
  }

  /// Which plugins have what in common, the worst first, a line for each set of plugins.
  private static func overview(_ groups: [CollisionGroup]) -> [String] {
    guard groups.count >= fewest else { return [] }
    var order: [[String]] = []
    var byPlugins: [[String]: [CollisionGroup]] = [:]
    for group in groups {
      if byPlugins[group.plugins] == nil { order.append(group.plugins) }
      byPlugins[group.plugins, default: []].append(group)
    }
    let names = shortNames(Set(order.joined()))
    let lines = order.map { plugins -> (level: Level, count: Int, text: String) in
      let own = byPlugins[plugins] ?? []
      let worst = own.map(\.level).max() ?? .note
      var counts: [(rule: RuleID, count: Int)] = []
      for group in own {
        let what = group.rule.collisions(0)
        if let index = counts.firstIndex(where: { $0.rule.collisions(0) == what }) {
          counts[index].count += group.nameCount
        } else {
          counts.append((group.rule, group.nameCount))
        }
      }
      let what = counts.sorted { $0.count > $1.count }.map { $0.rule.collisions($0.count) }.joined(separator: ", ")
      return (
        worst, own.reduce(0) { $0 + $1.nameCount },
        "\(worst.rawValue): \(list(plugins.map { names[$0] ?? $0 })): \(what)"
      )
    }.sorted { ($0.level, $0.count, $1.text) > ($1.level, $1.count, $0.text) }
    let isAlone = order.allSatisfy { $0.count == 1 }
    var shown = [
      isAlone
        ? "what to do first: a plugin must carry each once"
        : "what to do first: let these share one copy of what they both carry, or leave one of them out"
    ]
    shown += lines.prefix(mostLines).map { "  \($0.text)" }
    if lines.count > mostLines { shown.append("  and \(lines.count - mostLines) more") }
    return shown
  }

  /// Their last parts, where these tell them from each other.
  private static func shortNames(_ plugins: Set<String>) -> [String: String] {
    let last = Dictionary(
      uniqueKeysWithValues: plugins.map { ($0, $0.split(separator: "/").last.map(String.init) ?? $0) })
    let counts = Dictionary(last.values.map { ($0, 1) }, uniquingKeysWith: +)
    return last.filter { counts[$0.value] == 1 }
  }

  private static func list(_ plugins: [String]) -> String {
    switch plugins.count {
    case 1: "\(plugins[0]) alone"
    case 2...4: "\(plugins.dropLast().joined(separator: ", ")) and \(plugins[plugins.count - 1])"
    default: "\(plugins.prefix(3).joined(separator: ", ")) and \(plugins.count - 3) more"
    }
  }
}
