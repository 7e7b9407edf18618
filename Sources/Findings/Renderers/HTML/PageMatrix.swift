/// Tables of who meets whom: plugin by plugin, and, for many apps, app by plugin.
struct PageMatrix {
  let model: PageModel

  /// More columns are too many for a reader; the cards have them all.
  private static let maxPlugins = 60

  // MARK: Plugins

  /// Nothing unless a finding is about two plugins.
  var plugins: Markup {
    let involved = model.plugins.indices.compactMap { plugin -> (plugin: Int, worst: Level, count: Int)? in
      let own = model.cards.filter { $0.plugins.contains(plugin) }
      return own.map(\.worst).max().map { (plugin, $0, own.count) }
    }
    let shown = involved.sorted { ($0.worst, $0.count, $1.plugin) > ($1.worst, $1.count, $0.plugin) }
      .prefix(Self.maxPlugins).map(\.plugin)
    guard shown.count > 1, model.cards.contains(where: { $0.plugins.count > 1 }) else { return "" }
    let cells = Dictionary(
      grouping: model.cards.indices.flatMap { card in pairs(of: card).map { ($0, card) } }, by: \.0
    )
    .mapValues { $0.map(\.1) }
    let heads = shown.dropLast().map { plugin -> Markup in
      "<th scope=\"col\"><span>\(model.plugins[plugin].label)</span></th>"
    }
    let rows = shown.enumerated().map { row, plugin -> Markup in
      let columns = shown.prefix(row + 1).dropLast(row + 1 == shown.count ? 1 : 0)
      let own = columns.map { column -> Markup in
        let pair = [min(column, plugin), max(column, plugin)]
        return cell(cells[pair] ?? [], pair)
      }
      return "<tr><th scope=\"row\">\(model.plugins[plugin].label)</th>\(own)</tr>\n"
    }
    let left = involved.count - shown.count
    let more: Markup? = left > 0 ? "<p>\(left) more plugins with fewer findings have cards only.</p>\n" : nil
    return """
      <section id="matrix"><h2>Who meets whom</h2>
      \(kinds)<div class="scroll" tabindex="0" role="region" aria-label="Findings by pairs of plugins">
      <table class="matrix"><thead><tr><td></td>\(heads)</tr></thead><tbody>
      \(rows)</tbody></table></div>
      \(more)</section>

      """
  }

  /// Every two plugins that a card is about; a card of a single plugin is on the diagonal.
  private func pairs(of card: Int) -> [[Int]] {
    let plugins = model.cards[card].plugins
    if plugins.count == 1 { return [[plugins[0], plugins[0]]] }
    return plugins.indices.flatMap { row in plugins.prefix(row).map { [$0, plugins[row]] } }
  }

  private func cell(_ cards: [Int], _ pair: [Int]) -> Markup {
    let place: Markup = "data-p=\"\(pair[0]) \(pair[1])\""
    let findings = cards.flatMap { model.cards[$0].items.map(\.item.finding) }
    guard let first = cards.first else { return "<td></td>" }
    let kinds = Dictionary(grouping: findings, by: \.rule).map { "\($1.count) \($0)" }.sorted()
    let worst = findings.map(\.level).max() ?? .note
    return """
      <td class="\(worst.rawValue)" \(place)><a href="#c\(first)" title="\(kinds.joined(separator: ", "))">\(findings.count)</a></td>
      """
  }

  /// Buttons that show one kind of collision in the table and in the list.
  private var kinds: Markup? {
    if model.rules.count < 2 { return nil }
    let all = model.cards.flatMap { $0.items.map(\.item) }
    let buttons = model.rules.enumerated().map { number, rule -> Markup in
      """
      <button type="button" data-k="\(number)" aria-pressed="false">\(rule.rawValue) <b>\(all.count { $0.rule == number })</b></button>
      """
    }
    return """
      <div class="kinds" role="group" aria-label="Kind of collision" hidden>
      <button type="button" data-k="" aria-pressed="true">all kinds <b>\(all.count)</b></button>\(buttons)</div>

      """
  }

  // MARK: Apps

  func apps(_ reports: [AppReport]) -> Markup {
    if model.apps.isEmpty { return "" }
    let shown = model.plugins.indices.prefix { index in
      reports.contains { $0.compared.contains { $0.path == model.plugins[index].path } }
    }
    let heads = shown.map { plugin -> Markup in "<th scope=\"col\"><span>\(model.plugins[plugin].label)</span></th>" }
    let rows = zip(model.apps, reports).enumerated().map { number, app -> Markup in
      let own = model.cards.flatMap(\.items).map(\.item).filter { $0.apps.contains(number) }
      let worst = own.map(\.finding.level).max()
      let has = Set(app.1.compared.map(\.path))
      let cells = shown.map { plugin -> Markup in
        guard has.contains(model.plugins[plugin].path) else { return "<td></td>" }
        let findings = own.filter { $0.plugins.contains(plugin) }.map(\.finding)
        let level = findings.map(\.level).max()
        return "<td class=\"\(level?.rawValue ?? "none")\">\(findings.isEmpty ? "✓" : String(findings.count))</td>"
      }
      return """
        <tr><th scope="row">\(app.0)</th><td class="\(worst?.rawValue ?? "none") outcome">\
        <a href="#findings" data-a="\(number)">\(app.1.verdict?.headline ?? app.1.report.summary)</a></td>\(cells)</tr>

        """
    }
    return """
      <section id="apps"><h2>Apps</h2>
      <p>Each number counts what was found about a plugin in an app; ✓ is a plugin without findings.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Apps and their plugins">
      <table class="matrix"><thead><tr><td></td><th scope="col"><span>verdict</span></th>\(heads)</tr></thead><tbody>
      \(rows)</tbody></table></div></section>

      """
  }
}
