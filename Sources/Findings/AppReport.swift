/// The report on one app of several, or, without a name, on everything that a command was given.
package struct AppReport: Sendable {
  /// The audience of a report.
  package enum Detail: Sendable {
    /// A reader: related findings are one finding, and lists are cut.
    case short
    /// The same, with lists to their end.
    case whole
    /// A page that folds its lists: each group of findings by itself, with its scope.
    case page
    /// A baseline: each finding by itself.
    case each
    /// A program: `values` in place of findings, if the command has such.
    case values
  }

  package let app: String?
  package var report: Report
  /// Whether everything of it could be read.
  package let isWhole: Bool
  /// Nil for a command that does not judge an app.
  package var verdict: AppVerdict?
  /// Members of an object for programs, if there is more to report than findings.
  package var values: [(key: String, value: JSONValue)]?
  /// The messages between plugins, for formats that can show a picture.
  package var picture: MessagePicture?
  /// The plugins that were compared, in the order in which they were named; empty for a command that compares none.
  package var compared: [ComparedPlugin] = []
  /// The rules and families that judged, and those that could not.
  package var coverage = Coverage()
  /// The linker that gave the verdicts; nil where nothing was linked.
  package var linker: String?
  /// Whether text and Markdown count what a reader does not see at once. The whole report is shown otherwise.
  package var isCut = false

  package init(app: String? = nil, _ report: Report, isWhole: Bool = true) {
    self.app = app
    self.report = report
    self.isWhole = isWhole
  }

  /// One report of all apps, for formats without apps: a finding of several apps is there once, with a note of these,
  /// and so is a plugin that was compared in several.
  package static func together(_ reports: [AppReport]) -> AppReport {
    if let only = reports.first, only.app == nil { return only }
    var whole = AppReport(shared(reports), isWhole: reports.allSatisfy(\.isWhole))
    for plugin in reports.flatMap(\.compared) {
      if let index = whole.compared.firstIndex(where: { $0.path == plugin.path }) {
        whole.compared[index].add(plugin)
      } else {
        whole.compared.append(plugin)
      }
    }
    whole.coverage = Coverage.together(reports.map { ($0.app, $0.coverage) })
    let linkers = Set(reports.compactMap(\.linker)).sorted()
    if !linkers.isEmpty { whole.linker = linkers.joined(separator: ", ") }
    return whole
  }

  private static func shared(_ reports: [AppReport]) -> Report {
    var apps: [Finding: [String]] = [:]
    for each in reports {
      for finding in each.report.findings { apps[finding, default: []] += each.app.map { [$0] } ?? [] }
    }
    return Report(
      apps.map { finding, names in
        var finding = finding
        if !names.isEmpty {
          finding.notes.append("in the app\(names.count == 1 ? "" : "s") \(names.joined(separator: ", "))")
          finding.scope.apps = names
        }
        return finding
      })
  }
}
