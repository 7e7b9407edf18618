import Android
import Artifacts
import BuildEngine
import Findings
import ObjectFiles
import Rules
import Store
import SystemPackage

/// The findings of all rules about an artifact, and the parts of it that could not be read.
struct LintResult: Sendable {
  /// At places as they are shown.
  var findings: [Finding]
  var coverage: Coverage
  var mistakes: [Mistake] = []
  /// The places of damaged items. A thin library is not damaged.
  var unreadable: [Place] = []
  /// Archives in a folder, which are not opened.
  var unopened: [String] = []
  var hasConfiguration: Bool

  init(_ inventory: Inventory, _ judging: Judging, _ order: LintOrder) {
    let found = AllRules.judge(inventory, judging, by: order.settings, of: order.host.host)
    findings = found.findings.map { $0.placed { inventory.path(to: $0) } }
    coverage = found.coverage
    mistakes = (inventory.mistakes + LintResult.unread(inventory, besides: found.findings)).map { mistake in
      var mistake = mistake
      mistake.place = mistake.place.map { inventory.path(to: $0) }
      return mistake
    }
    unreadable = inventory.unreadable.map { inventory.path(to: $0) }
    unopened = inventory.role == .tree ? inventory.unopened : []
    hasConfiguration = judging.configuration != nil
  }

  /// Nil for what is no fixed answer to the order: a part that could not be read may be read the next time.
  var record: [UInt8]? {
    guard mistakes.isEmpty, unreadable.isEmpty, unopened.isEmpty else { return nil }
    var writer = RecordWriter()
    StepDiagnostics(findings: findings, coverage: coverage).write(to: &writer)
    return writer.bytes
  }

  /// Nil if the bytes are no result.
  init?(_ record: [UInt8], of order: LintOrder) {
    var reader = RecordReader(record[...])
    guard let diagnostics = StepDiagnostics(from: &reader), reader.isAtEnd, diagnostics.notes.isEmpty,
      diagnostics.findings.allSatisfy({ $0.level != .off && $0.level <= order.settings[$0.rule]?.level ?? .off })
    else { return nil }
    (findings, coverage) = (diagnostics.findings, diagnostics.coverage)
    hasConfiguration = order.configuration != nil
  }

  /// Code that could not be read, or is of an unsupported kind, unless a rule reports it.
  private static func unread(_ inventory: Inventory, besides findings: [Finding]) -> [Mistake] {
    let damaged = inventory.facts(CodeFacts.self).filter { !$0.facts.errors.isEmpty }
    if damaged.isEmpty { return [] }
    var said: [Place: [String]] = [:]
    for finding in findings { for place in finding.sites { said[place, default: []].append(finding.message) } }
    return damaged.flatMap { item, code -> [Mistake] in
      let site = inventory.site(item)
      let said = said[site] ?? []
      // The finding of a rule is enough for a thin library.
      if code.kind == .thinArchive, !said.isEmpty { return [] }
      return code.errors.filter { error in !said.contains { $0.contains("\(error)") } }.map {
        Mistake("\($0)", at: site)
      }
    }
  }
}

extension Inventory {
  fileprivate var unreadable: [Place] {
    items.filter { item in
      let code = item.facts(CodeFacts.self)
      return item.damage != nil || item.facts(JarFacts.self)?.damage != nil
        || code.map { !$0.errors.isEmpty && $0.kind != .thinArchive } ?? false
    }.map { site($0) }
  }

  /// A place as it is shown: a file in a folder is shown by its own path.
  fileprivate func path(to place: Place) -> Place {
    guard role == .tree, !isFile, place.parts.count > 1, place.parts[0] == self.place.parts.first else { return place }
    var shown = place
    let folder = FilePath(place.parts[0])
    shown.parts = [folder == "." ? place.parts[1] : "\(folder)/\(place.parts[1])"] + place.parts.dropFirst(2)
    return shown
  }

  /// The names of deliverables in a folder that are archives, which are not opened.
  fileprivate var unopened: [String] {
    items.filter { $0.isFile && Kinds.deliverable(named: $0.name)?.isArchive == true }.map(\.name)
  }
}
