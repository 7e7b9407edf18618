/// A report as one self-contained HTML page: what becomes of the app and what to do first, who meets whom, each finding
/// with its lists folded, and what was compared. The page works without its script, which only searches and filters.
package struct HTMLRenderer: Renderer {
  package static let name = "html"
  package let detail = AppReport.Detail.page
  private let context: ReportContext

  package init(_ context: ReportContext = ReportContext()) { self.context = context }

  package static func isReport(head: String, tail: String) -> Bool { head.hasPrefix("<!doctype html>\n") }

  package func render(_ reports: [AppReport]) -> String {
    let whole = AppReport.together(reports)
    let model = PageModel(whole, apps: reports.compactMap(\.app))
    let (matrix, tables) = (PageMatrix(model: model), PageTables(model: model, context: context))
    let title = Self.title(reports, whole)
    let worst = whole.report.findings.first?.level.rawValue ?? "none"
    let page: Markup = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>\(title) - npi-pack</title>
      <style>
      \(Self.style)</style>
      </head>
      <body>
      <header><h1 class="\(worst)">\(title)</h1>
      <p>\(facts(whole))</p></header>
      <main>
      \(unread)\(first(reports, model))\(matrix.apps(reports))\(matrix.plugins)\(PageFindings(model: model).markup)\
      \(reports.compactMap { each in each.picture.map { figure(each.app, $0) } })\(tables.plugins(whole))\(tables.rules)</main>
      <script>
      \(Self.script)</script>
      </body>
      </html>

      """
    return page.text
  }

  private static let style = Markup(own: String(decoding: PackageResources.page_css, as: UTF8.self))
  private static let script = Markup(own: String(decoding: PackageResources.page_js, as: UTF8.self))

  private static func title(_ reports: [AppReport], _ whole: AppReport) -> String {
    guard let only = reports.first, reports.count == 1 else {
      let failing = reports.count { $0.report.hasErrors }
      return failing == 0 ? "no errors in \(reports.count) apps" : "errors in \(failing) of \(reports.count) apps"
    }
    return (only.app.map { "\($0): " } ?? "") + (only.verdict?.headline ?? whole.report.summary)
  }

  private func facts(_ report: AppReport) -> Markup {
    let date = context.date.map { date -> Markup in
      "<time datetime=\"\(date)\">\(date.replacingBytes { [0x54: " ", 0x5A: " UTC"][$0] })</time>"
    }
    let texts = [
      report.compared.isEmpty ? nil : counted(report.compared.count, "plugin"), report.linker.map { "linker \($0)" },
      report.verdict == nil && report.compared.isEmpty ? nil : report.report.summary,
      context.version.isEmpty ? nil : "npi-pack \(context.version)",
    ].compactMap(\.self)
    let all = texts.map { "<span>\($0)</span>" as Markup } + (date.map { [$0] } ?? [])
    return "\(all)"
  }

  private var unread: Markup? {
    if context.mistakes.isEmpty { return nil }
    let items = context.mistakes.map { mistake -> Markup in
      let lines = mistake.notes.map { "<br>\($0)" as Markup } + (mistake.hint.map { ["<br>\($0)"] } ?? [])
      return "<li class=\"error\">\(mistake.line)\(lines)</li>\n"
    }
    return "<section id=\"unread\"><h2>Not everything could be read</h2>\n<ul>\(items)</ul></section>\n"
  }

  /// The first causes of all apps.
  private func first(_ reports: [AppReport], _ model: PageModel) -> Markup? {
    var apps: [AppVerdict.Cause: Int] = [:]
    var order: [AppVerdict.Cause] = []
    for cause in reports.flatMap({ $0.verdict?.causes ?? [] }) {
      if apps[cause] == nil { order.append(cause) }
      apps[cause, default: 0] += 1
    }
    if order.isEmpty { return nil }
    let sorted = order.enumerated().sorted { a, b in
      (b.element.level, apps[b.element] ?? 0, a.offset) < (a.element.level, apps[a.element] ?? 0, b.offset)
    }.map(\.element)
    let shown = sorted.prefix(Self.maxCauses)
    let items = shown.enumerated().map { index, cause -> Markup in
      let text: Markup =
        model.card(of: cause.plugins).map { "<a href=\"#c\($0)\">\(cause.text)</a>" } ?? "\(cause.text)"
      let count = reports.count > 1 ? " (\(counted(apps[cause] ?? 0, "app")))" : ""
      // What several in a row ask for is there once.
      let isShared = index + 1 < shown.count && shown[index + 1].advice == cause.advice
      let advice: Markup? = isShared ? nil : cause.advice.map { "<p class=\"hint\">\($0)</p>" }
      return
        "<li class=\"\(cause.level.rawValue)\"><b>\(cause.level.rawValue)</b> \(text)\(count)\(advice)\(cause.edit.map(Markup.init))</li>\n"
    }
    let left = sorted.count - items.count
    let more: Markup? = left > 0 ? "<p><a href=\"#findings\">and \(counted(left, "more cause"))</a></p>\n" : nil
    return "<section id=\"first\"><h2>What to do first</h2>\n<ol>\(items)</ol>\n\(more)</section>\n"
  }

  private static let maxCauses = 10

  private func figure(_ app: String?, _ picture: MessagePicture) -> Markup {
    let title = "who sends what to whom\(app.map { " in \($0)" } ?? "")"
    return """
      <section class="messages"><h2>\(title)</h2>
      <figure class="scroll" tabindex="0" aria-label="\(title)">\(Markup(own: picture.svg))</figure></section>

      """
  }
}
