/// The end of a page: what was compared, and what the rules are about.
struct PageTables {
  let model: PageModel
  let context: ReportContext

  // MARK: Plugins

  func plugins(_ report: AppReport) -> Markup {
    let table = ComparedTable(report, context)
    if table.isEmpty { return "" }
    let coverage = table.coverage.map { line -> Markup in "<p>\(line)</p>\n" }
    return """
      <section id="plugins"><h2>What was \(table.heading == nil ? "judged" : "compared")</h2>
      \(table.heading.map { "<p>\($0)</p>\n" as Markup })\(report.compared.isEmpty ? nil : rows(report))\(coverage)</section>

      """
  }

  private func rows(_ report: AppReport) -> Markup {
    let all = report.compared
    let (largest, hasVersion) = (all.compactMap(\.size).max() ?? 0, all.contains { $0.version != nil })
    let isUnread = all.contains { !$0.unread.isEmpty }
    let heads: [String?] = [
      "plugin", hasVersion ? "version" : nil, largest > 0 ? "size" : nil, "platforms and slices", "code found",
      "findings",
      isUnread ? "not looked at" : nil,
    ]
    let rows = all.enumerated().map { number, plugin -> Markup in
      let cells: [Markup?] = [
        hasVersion ? "<td>\(plugin.version ?? "")</td>" : nil, largest > 0 ? size(plugin.size, of: largest) : nil,
        "<td>\(slices(plugin.slices))</td>",
        "<td>\(plugin.code.isEmpty && plugin.unread.isEmpty ? "no code" : plugin.code.joined(separator: ", "))</td>",
        "<td>\(counts(number))</td>", isUnread ? "<td>\(plugin.unread.joined(separator: "; "))</td>" : nil,
      ]
      let origin: Markup? = plugin.path == plugin.name ? nil : "<br><small>\(plugin.path)</small>"
      return "<tr id=\"p\(number)\"><th scope=\"row\">\(plugin.name)\(origin)</th>\(cells.compactMap(\.self))</tr>\n"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Plugins">
      <table class="plugins"><thead><tr>\(heads.compactMap(\.self).map { "<th scope=\"col\">\($0)</th>" as Markup })</tr></thead><tbody>
      \(rows)</tbody></table></div>

      """
  }

  private func size(_ size: Int64?, of largest: Int64) -> Markup {
    guard let size else { return "<td></td>" }
    let part = Int(size * 100 / largest)
    return "<td class=\"size\">\(Self.text(of: size))<span style=\"width:\(part)%\"></span></td>"
  }

  /// `3.4 MB`, in steps of 1,000.
  static func text(of size: Int64) -> String {
    if size < 1000 { return counted(Int(size), "byte") }
    let (unit, name): (Int64, String) =
      size < 1_000_000 ? (1000, "kB") : size < 1_000_000_000 ? (1_000_000, "MB") : (1_000_000_000, "GB")
    return "\(size / unit).\(size % unit * 10 / unit) \(name)"
  }

  private func slices(_ slices: [String]) -> Markup {
    let platforms = Dictionary(grouping: slices) { $0.split(separator: "-").first.map(String.init) ?? $0 }
    if slices.count <= 4 { return "\(slices.joined(separator: ", "))" }
    let short = platforms.map { "\($1.count) of \($0)" }.sorted().joined(separator: ", ")
    return "<details><summary>\(short)</summary>\(slices.joined(separator: ", "))</details>"
  }

  private func counts(_ plugin: Int) -> Markup {
    let parts = [Level.error, .warning, .note].compactMap { level -> Markup? in
      let count = model.count(level, of: plugin)
      return count == 0 ? nil : "<b class=\"\(level.rawValue)\">\(counted(count, level.rawValue))</b> "
    }
    return parts.isEmpty ? "none" : "\(parts)"
  }

  // MARK: Rules

  /// An explanation for each rule, which a button at each finding shows where the reader is.
  var rules: Markup {
    let pages = model.rules.enumerated().map { number, rule -> Markup in
      """
      <section popover id="r\(number)" class="rule"><h3>\(rule.rawValue)</h3>
      \(context.summary(rule).map { "<p><strong>\($0)</strong></p>\n" as Markup })\(context.help(rule).map(Self.markup))\
      <button type="button" popovertarget="r\(number)" popovertargetaction="hide">close</button></section>

      """
    }
    return "\(pages)"
  }

  /// The Markdown of rules: paragraphs, code that is indented, and code spans.
  static func markup(_ markdown: String) -> Markup {
    var blocks: [(isCode: Bool, lines: [String])] = []
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let isCode = line.utf8.starts(with: "    ".utf8)
      // An empty line ends a paragraph, and stands inside code.
      if line.isEmpty, blocks.last?.isCode != true { continue }
      if let last = blocks.indices.last, blocks[last].isCode, isCode || line.isEmpty {
        blocks[last].lines.append(String(line.dropFirst(4)))
      } else {
        blocks.append((isCode, [isCode ? String(line.dropFirst(4)) : line]))
      }
    }
    let parts = blocks.map { block -> Markup in
      if block.isCode { return "<pre>\(block.lines.map { "\($0)\n" as Markup })</pre>\n" }
      let spans = block.lines.joined(separator: " ").split(separator: "`", omittingEmptySubsequences: false)
      return
        "<p>\(spans.enumerated().map { $0 % 2 == 0 ? "\(String($1))" as Markup : "<code>\(String($1))</code>" })</p>\n"
    }
    return "\(parts)"
  }
}
