/// The findings of a page, with numbers for all that a page links, sorts and filters by.
struct PageModel {
  struct Plugin {
    var path: String
    /// The name, with as many folders as tell it from others.
    var label: String
  }

  struct Item {
    var finding: Finding
    var rule: Int
    var plugins: [Int]
    var slices: [Int]
    var apps: [Int]
  }

  /// The findings of one set of plugins.
  struct Card {
    var plugins: [Int]
    /// With their numbers, which are those of their anchors.
    var items: [(number: Int, item: Item)]

    var worst: Level { items.map(\.item.finding.level).max() ?? .note }
  }

  /// Those that were compared, and then those that only findings name.
  private(set) var plugins: [Plugin] = []
  private(set) var rules: [RuleID] = []
  private(set) var slices: [String] = []
  let apps: [String]
  /// The worst first.
  private(set) var cards: [Card] = []

  init(_ report: AppReport, apps: [String]) {
    self.apps = apps
    let findings = report.report.findings
    let scopes = findings.map { finding in
      finding.scope.plugins.isEmpty ? [finding.sites.first?.parts.first ?? ""] : finding.scope.plugins
    }
    var pluginNumbers = Numbering(report.compared.map(\.path))
    for path in scopes.joined() { _ = pluginNumbers[path] }
    var (ruleNumbers, sliceNumbers) = (Numbering<RuleID>(), Numbering(Set(findings.flatMap(\.scope.slices)).sorted()))
    var appNumbers = Numbering(apps)
    let items = zip(findings, scopes).map { finding, paths in
      Item(
        finding: finding, rule: ruleNumbers[finding.rule], plugins: paths.map { pluginNumbers[$0] }.sorted(),
        slices: finding.scope.slices.map { sliceNumbers[$0] }, apps: finding.scope.apps.map { appNumbers[$0] })
    }
    let labels = PluginNames.labels(pluginNumbers.all)
    plugins = pluginNumbers.all.map { Plugin(path: $0, label: labels[$0] ?? $0) }
    (rules, slices) = (ruleNumbers.all, sliceNumbers.all)
    cards = Self.cards(items)
  }

  private static func cards(_ items: [Item]) -> [Card] {
    var sets = Numbering<[Int]>()
    var cards: [Card] = []
    for item in items {
      let number = sets[item.plugins]
      if number == cards.count { cards.append(Card(plugins: item.plugins, items: [])) }
      cards[number].items.append((0, item))
    }
    // Among equals the order of the report stays.
    let order = cards.indices.sorted { a, b in
      let (one, other) = (cards[a], cards[b])
      if one.worst != other.worst { return one.worst > other.worst }
      if (one.plugins.count > 1) != (other.plugins.count > 1) { return one.plugins.count > 1 }
      return a < b
    }
    var number = 0
    return order.map { index in
      var card = cards[index]
      for item in card.items.indices {
        number += 1
        card.items[item].number = number
      }
      return card
    }
  }

  func count(_ level: Level, of plugin: Int) -> Int {
    cards.reduce(0) { sum, card in
      sum + (card.plugins.contains(plugin) ? card.items.count { $0.item.finding.level == level } : 0)
    }
  }

  /// The number of the card of exactly these plugins.
  func card(of paths: [String]) -> Int? {
    let wanted = Set(paths)
    return cards.firstIndex { Set($0.plugins.map { plugins[$0].path }) == wanted }
  }

  /// A place, with the plugin's label for its path, which the table of plugins has.
  func shown(_ place: Place, of item: Item) -> String {
    let text = place.description
    for plugin in item.plugins {
      let path = printable(plugins[plugin].path)
      guard text.utf8.starts(with: path.utf8) else { continue }
      let rest = String(decoding: text.utf8.dropFirst(path.utf8.count), as: UTF8.self)
      if rest.isEmpty || [UInt8(ascii: "/"), UInt8(ascii: " "), UInt8(ascii: ":")].contains(rest.utf8.first) {
        return plugins[plugin].label + rest
      }
    }
    return text
  }
}

/// Numbers things in the order in which they come.
private struct Numbering<Thing: Hashable> {
  private(set) var all: [Thing] = []
  private var numbers: [Thing: Int] = [:]

  init(_ things: [Thing] = []) {
    for thing in things { _ = self[thing] }
  }

  subscript(thing: Thing) -> Int {
    mutating get {
      if let known = numbers[thing] { return known }
      numbers[thing] = all.count
      all.append(thing)
      return all.count - 1
    }
  }
}
