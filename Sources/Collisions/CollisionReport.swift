package import Artifacts
package import Findings
package import Linking
import Store

/// A link of a slice by a linker, as a report shows it.
package struct LinkSummary: Sendable {
  package var slice: Slice
  package var linker: String
  package var isClosed: Bool
  package var outcome: LinkVerdict.Outcome
  /// Members of static libraries.
  package var loaded: [String]
  /// The place that each name defined by two or more inputs is taken from.
  package var winners: [(name: String, place: String)]

  fileprivate var json: JSONValue {
    [
      "slice": .string(slice.description), "linker": .string(linker), "closed": .bool(isClosed),
      "verdict": .string(outcome.rawValue), "loaded": .array(loaded.map { .string($0) }),
      "winners": .object(winners.map { ($0.name, .string($0.place)) }),
    ]
  }
}

extension LinkSummary {
  package init(_ verdict: LinkVerdict, slice: Slice, isClosed: Bool) {
    self.init(
      slice: slice, linker: verdict.linker, isClosed: isClosed, outcome: verdict.outcome,
      loaded: verdict.loaded.map(\.place.description),
      winners: verdict.winners.map { ($0.name, $0.place.description) })
  }
}

/// The result of `check` for one app.
package struct CollisionReport: Sendable {
  /// Indexed by `PluginID`.
  package var plugins: [PluginName] = []
  package var inputs = PluginInputs()
  /// The versions of a known library in plugins: `3.45.1 and 3.39.0`.
  package var versions: @Sendable (_ library: String, [PluginID]) -> String? = { _, _ in nil }
  package var links: [LinkSummary] = []
  /// The linker that was asked for; nil if nothing was linked. It may have handed over slices to another one.
  package var linker: String?
  /// One for each name and slice.
  package var collisions: [Collision] = []

  package var compared: [ComparedPlugin] = []
  package var coverage = Coverage()
  /// Indexed by `PluginID`; empty unless the check is asked for them.
  package var facts: [PluginFacts] = []
  /// Classes that configurations name, so that the app creates objects of them by name.
  package var entryClasses: [PluginID: [String]] = [:]
  /// Nil if no plugin has a policy.
  package var picture: MessagePicture?

  package init() {}

  /// The facts about a plugin.
  package subscript(plugin: PluginID) -> PluginFacts { facts[plugin.index] }

  package func report(app: String?, _ detail: AppReport.Detail, canBeRead: Bool) async -> AppReport {
    var report = AppReport(app: app, Report([]), isWhole: canBeRead)
    (report.compared, report.coverage, report.linker) = (compared, coverage, linker)
    switch detail {
    case .each: report.report = Report(collisions.map { $0.finding(plugins) })
    case .values: report.values = await values(depth: app == nil ? 1 : 3)
    case .short, .whole, .page:
      let groups = grouped(collisions, plugins: plugins, versions)
      let findings =
        detail == .page
        ? groups.map { $0.findingWithScope(inputs) } : CollisionGroup.findings(groups, isWhole: detail == .whole)
      report.report = Report(findings)
      report.verdict = CollisionGroup.verdict(groups, inputs, compared)
      report.picture = picture
      report.isCut = detail == .short
    }
    return report
  }

  /// The JSON members of a report, rendered at this depth on all cores: shared libraries have thousands of names in a
  /// slice.
  private func values(depth: Int) async -> [(key: String, value: JSONValue)] {
    var texts: [JSONValue] = []
    // The worst come first; otherwise they stay in the order in which they were found.
    let byLevel = Dictionary(grouping: collisions, by: \.level).sorted { $0.key > $1.key }.flatMap(\.value)
    try? await inParts(
      byLevel, of: 256, { JSONValue.shown($0.lazy.map(\.json), depth: depth + 1) }, { texts.append($0) })
    return [("linkSets", .array(links.map(\.json))), ("findings", .array(texts))]
  }
}
