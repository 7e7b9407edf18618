import Artifacts
import Findings

extension CollisionGroup {
  /// The verdict on an app: a cause for each set of plugins that have something in common.
  static func verdict(
    _ groups: [CollisionGroup], _ inputs: PluginInputs, _ compared: [ComparedPlugin]
  ) -> AppVerdict {
    let groups = groups.filter { $0.key.level > .note }
    let labels = PluginNames.labels(groups.flatMap(\.plugins))
    let named = Dictionary(grouping: compared, by: \.name).filter { $1.count == 1 }.map { ($1[0].path, $0) }
    let names = Dictionary(named) { first, _ in first }
    let byPlugins = Dictionary(grouping: groups, by: \.plugins)
    let causes = byPlugins.map { plugins, own -> (order: Order, cause: AppVerdict.Cause) in
      let own = own.sorted { $0.order > $1.order }
      let paths = inputs.paths(own[0].first.sites)
      // An input may be a folder with several plugins.
      let inputNames = paths.compactMap { names[$0] }
      let isNamed = inputNames.count == plugins.count
      let text = "\(together(isNamed ? inputNames : plugins.map { labels[$0] ?? $0 })): \(what(own))"
      let worst = own[0].finding(isWhole: false)
      let cause = AppVerdict.Cause(
        own[0].key.level, text, advice: worst.hint, edit: worst.shownEdit, plugins: paths)
      return (own[0].order.with(own.reduce(0) { $0 + $1.nameCount }), cause)
    }
    return AppVerdict(
      outcome(groups),
      causes.sorted { $0.order == $1.order ? $0.cause.text < $1.cause.text : $0.order > $1.order }.map(\.cause))
  }

  /// The weight of a cause. Nobody but a vendor can end what one plugin does to itself.
  struct Order: Comparable {
    var level: Level
    var leads: Bool
    var harm: Int
    var isShared: Bool
    var count: Int

    func with(_ count: Int) -> Order {
      Order(level: level, leads: leads, harm: harm, isShared: isShared, count: count)
    }

    private var weights: (Level, Int, Int, Int, Int) { (level, leads ? 1 : 0, harm, isShared ? 1 : 0, count) }

    static func < (a: Order, b: Order) -> Bool { a.weights < b.weights }
  }

  private var order: Order {
    Order(level: key.level, leads: rule.leads, harm: harm, isShared: plugins.count > 1, count: nameCount)
  }

  /// The sentence that says whether the app builds, as far as these plugins decide it.
  private static func outcome(_ groups: [CollisionGroup]) -> String {
    let errors = groups.filter { $0.key.level == .error }
    if errors.isEmpty { return "nothing was found that stops the build" }
    let failing = errors.filter { $0.key.verdict == .error }
    if failing.isEmpty { return "this app must not be built like this" }
    if failing.allSatisfy({ $0.first.slice != nil }) { return "this app does not link" }
    let isAndroid = failing.allSatisfy { $0.rule.platform == "android" }
    return "this app does not build" + (isAndroid ? " for Android" : "")
  }

  /// Counts the things that the plugins have in common. A single finding about a single thing gives its message instead.
  private static func what(_ groups: [CollisionGroup]) -> String {
    let worst = groups[0]
    if groups.count == 1, worst.nameCount == 1 { return worst.finding(isWhole: false).message }
    let isSaid = worst.key.verdict == .error || groups.contains { !$0.rule.isInCommon }
    return counted(groups) + (groups.count == 1 ? worst.versions : "") + (isSaid ? "" : ": \(worst.outcome)")
  }

  /// `1 library in different builds (OpenSSL), 26 symbols of the same names, 5 classes`, the largest count first.
  static func counted(_ groups: [CollisionGroup]) -> String {
    var counts: [(rule: any CollisionRule.Type, count: Int, name: String?)] = []
    for group in groups {
      if let index = counts.firstIndex(where: { $0.rule == group.rule }) {
        counts[index].count += group.nameCount
        if counts[index].name != group.library { counts[index].name = nil }
      } else {
        let name = group.nameCount == 1 ? group.first.name.shown : group.library
        counts.append((group.rule, group.nameCount, name))
      }
    }
    return counts.sorted { ($0.rule.leads ? 1 : 0, $0.count) > ($1.rule.leads ? 1 : 0, $1.count) }
      .map { rule, count, name in rule.counted(count) + (name.map { $0.isEmpty ? "" : " (\($0))" } ?? "") }
      .joined(separator: ", ")
  }

  static func together(_ plugins: [String]) -> String {
    plugins.count == 1 ? "\(plugins[0]) alone" : enumerated(plugins)
  }

  // MARK: Scope

  /// The finding of a page, with its lists as data.
  func findingWithScope(_ inputs: PluginInputs) -> Finding {
    var finding = finding(isWhole: false)
    finding.scope.plugins = inputs.paths(all.flatMap(\.sites))
    finding.scope.slices = slices.filter { !$0.isEmpty }
    if nameCount > 1 {
      var names: [FindingScope.Name] = []
      for collision in all where names.last?.raw != collision.name.text {
        names.append(FindingScope.Name(raw: collision.name.text, demangled: collision.name.demangled))
      }
      finding.scope.names = names
    }
    return finding
  }
}
