/// The findings of a page: the filters, and a card for each set of plugins. Lists are folded.
struct PageFindings {
  let model: PageModel

  private var count: Int { model.cards.reduce(0) { $0 + $1.items.count } }

  var markup: Markup {
    if model.cards.isEmpty { return "" }
    return """
      <section id="findings"><h2>Findings</h2>
      \(count > 1 ? filters : nil)
      \(model.cards.enumerated().map(card))</section>

      """
  }

  // MARK: Filters

  /// Hidden until the script can answer them.
  private var filters: Markup {
    let levels = [Level.error, .warning, .note].filter { level in
      model.cards.contains { $0.items.contains { $0.item.finding.level == level } }
    }
    return """
      <form id="filters" role="search" hidden>
      <label class="wide">Search <input type="search" name="text" placeholder="a name, a file, a message"></label>
      \(select("Plugin", "p", model.plugins.map(\.label)))\(select("Kind", "k", model.rules.map(\.rawValue)))
      \(select("Level", "l", levels.map(\.rawValue), levels.map(\.rawValue)))\(select("Slice", "s", model.slices))
      \(select("App", "a", model.apps))
      <div class="tools"><output id="shown" aria-live="polite"></output>
      <button type="button" id="unfold">open all</button><button type="button" id="fold">close all</button>
      <button type="reset">show everything</button></div>
      </form>

      """
  }

  private func select(_ label: String, _ name: String, _ texts: [String], _ values: [String]? = nil) -> Markup? {
    if texts.count < 2 { return nil }
    let options = texts.enumerated().map { number, text -> Markup in
      "<option value=\"\(values?[number] ?? String(number))\">\(text)</option>"
    }
    return "<label>\(label) <select name=\"\(name)\"><option value=\"\">all</option>\(options)</select></label>"
  }

  // MARK: Cards

  private func card(_ number: Int, _ card: PageModel.Card) -> Markup {
    let names = card.plugins.map { plugin -> Markup in "<span class=\"plugin\">\(model.plugins[plugin].label)</span>" }
    let title = names.dropFirst().reduce(names.first ?? "") { "\($0) <span class=\"and\">and</span> \($1)" as Markup }
    let report = Report(card.items.map(\.item.finding))
    return """
      <section class="card \(card.worst.rawValue)" id="c\(number)"><h3>\(title) <small>\(report.summary)</small></h3>
      \(card.items.map { finding($0.number, $0.item, isOpen: count <= 3) })</section>

      """
  }

  private func finding(_ number: Int, _ item: PageModel.Item, isOpen: Bool) -> Markup {
    let finding = item.finding
    func list(_ name: String, _ numbers: [Int]) -> Markup? {
      numbers.isEmpty ? nil : " data-\(name)=\"\(numbers.map(String.init).joined(separator: " "))\""
    }
    let data: [Markup?] = [list("p", item.plugins), list("s", item.slices), list("a", item.apps)]
    let sites = finding.sites.map { site -> Markup in "<li>\(model.shown(site, of: item))" }
    let notes = finding.notes.map { note -> Markup in "<p>\(note)</p>" }
    let hint = finding.hint.map { hint -> Markup in "<p class=\"hint\">\(hint)</p>" }
    let edit = finding.edit.map(Markup.init)
    let level = finding.level.rawValue
    return """
      <details class="finding \(level)" id="f\(number)" data-k="\(item.rule)"\(data.compactMap(\.self))\(isOpen ? " open" : nil)>\
      <summary><b>\(level)</b> \(finding.message)</summary>\
      \(sites.isEmpty ? nil : "<ul>\(sites)</ul>" as Markup)\(notes)\(hint)\(edit)\(names(finding.scope.names))\
      <p class="about"><button popovertarget="r\(item.rule)">\(finding.rule.rawValue)</button> \
      <a href="#f\(number)">#f\(number)</a></p></details>

      """
  }

  /// More would make a page that no browser opens at once.
  private static let maxNames = 500

  private func names(_ names: [FindingScope.Name]) -> Markup? {
    if names.isEmpty { return nil }
    let items = names.prefix(Self.maxNames).map { name -> Markup in
      guard let demangled = name.demangled else { return "<li><code>\(name.raw)</code>" }
      return "<li><code>\(demangled)</code> <code class=\"raw\">\(name.raw)</code>"
    }
    let left = names.count - items.count
    let more: Markup? = left > 0 ? "<li>and \(left) more: --format json has all of them" : nil
    return "<details class=\"names\"><summary>all \(names.count) names</summary><ul>\(items)\(more)</ul></details>"
  }
}
