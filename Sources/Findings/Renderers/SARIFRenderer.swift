/// A report as SARIF 2.1.0, the OASIS format of code-scanning services: one run, its rules that have findings, and a
/// result for each finding. A site inside a container is a logical location, because only the container is a file. The
/// identity of a finding is in `partialFingerprints` (3.27.17): uploading the same state twice opens no second alert.
package struct SARIFRenderer: Renderer {
  package static let name = "sarif"
  private let context: ReportContext

  package init(_ context: ReportContext) { self.context = context }

  package static func isReport(head: String, tail: String) -> Bool {
    head.hasPrefix("{\n  \"$schema\": \"https://json.schemastore.org/sarif-")
  }

  package func render(_ reports: [AppReport]) -> String {
    let whole = AppReport.together(reports)
    let report = whole.report
    let ids = Set(report.findings.map(\.rule)).sorted { $0.rawValue < $1.rawValue }
    let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    let driver: JSONValue = [
      "name": "npi-pack", "version": .string(context.version), "rules": .array(ids.map(rule)),
    ]
    let base: JSONValue = ["description": ["text": "the folder in which npi-pack was started"]]
    var seen: [String: Int] = [:]
    let results = report.findings.map { finding in
      var fingerprint = context.digest(finding.identities.map(\.line).sorted().joined(separator: "\n"))
      seen[fingerprint, default: 0] += 1
      // A service keeps only one of several equal fingerprints.
      if let count = seen[fingerprint], count > 1 { fingerprint += ":\(count)" }
      return result(finding, numbers[finding.rule] ?? 0, fingerprint)
    }
    let run: [(key: String, value: JSONValue)] = [
      ("tool", ["driver": driver]), ("originalUriBaseIds", .object([(SARIFRenderer.baseName, base)])),
      ("columnKind", "unicodeCodePoints"), ("invocations", [invocation(whole)]),
    ]
    let document: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [.object(run + compared(whole) + [("results", .array(results))])],
    ]
    return document.shown
  }

  /// If a run has failed, a service does not take missing alerts for fixed ones (3.20). Parts that were not judged or
  /// not read are no failure, but are listed there, too.
  private func invocation(_ report: AppReport) -> JSONValue {
    func notification(_ level: JSONValue, _ text: String) -> JSONValue {
      ["level": level, "message": ["text": .string(text)]]
    }
    let unread = report.compared.flatMap { plugin in
      plugin.unread.map { notification("warning", "\(plugin.name): not looked at: \($0)") }
    }
    let missing = report.coverage.parts.flatMap { part in
      part.missing.map { notification("note", "\(part.title): \($0.name) was not judged: \($0.reason)") }
    }
    let notifications = context.mistakes.map { notification("error", $0.line) } + unread + missing
    var members: [(key: String, value: JSONValue)] = [("executionSuccessful", .bool(context.mistakes.isEmpty))]
    if let date = context.date { members.append(("endTimeUtc", .string(date))) }
    if !notifications.isEmpty { members.append(("toolExecutionNotifications", .array(notifications))) }
    return .object(members)
  }

  /// The plugins as analysis targets (3.24.6), with property bags (3.8) for data that the standard has no field for.
  private func compared(_ report: AppReport) -> [(key: String, value: JSONValue)] {
    let artifacts = report.compared.map { plugin -> JSONValue in
      ["location": artifact(plugin.path), "roles": ["analysisTarget"], "properties": plugin.json]
    }
    var properties = report.linker.map { [(key: "linker", value: JSONValue.string($0))] } ?? []
    if !report.coverage.parts.isEmpty { properties.append(("coverage", report.coverage.json)) }
    return (artifacts.isEmpty ? [] : [("artifacts", .array(artifacts))])
      + (properties.isEmpty ? [] : [("properties", .object(properties))])
  }

  /// The base of relative URIs. It has no URI of its own, which would differ from machine to machine (3.14.14).
  private static let baseName = "SRCROOT"

  private func rule(_ id: RuleID) -> JSONValue {
    let summary = context.summary(id) ?? id.rawValue
    var members: [(key: String, value: JSONValue)] = [
      ("id", .string(id.rawValue)), ("shortDescription", ["text": .string(summary)]),
    ]
    if let help = context.help(id) { members.append(("help", ["text": .string(summary), "markdown": .string(help)])) }
    return .object(members)
  }

  private func result(_ finding: Finding, _ number: Int, _ fingerprint: String) -> JSONValue {
    let details = finding.notes + finding.advice
    var members: [(key: String, value: JSONValue)] = [
      ("ruleId", .string(finding.rule.rawValue)), ("ruleIndex", .int(number)),
      ("level", .string(finding.level.rawValue)),
      ("message", ["text": .string(([finding.message] + details).joined(separator: "\n"))]),
      ("locations", .array(finding.sites.prefix(1).map { location($0, nil) })),
    ]
    if finding.sites.count > 1 {
      let others = finding.sites.dropFirst().enumerated().map { location($1, $0 + 1) }
      members.append(("relatedLocations", .array(others)))
    }
    // The first key is the one that GitHub looks for.
    members.append(
      (
        "partialFingerprints",
        ["primaryLocationLineHash": .string(fingerprint), "findingIdentity/v1": .string(fingerprint)]
      ))
    return .object(members)
  }

  private func location(_ place: Place, _ number: Int?) -> JSONValue {
    var physical: [(key: String, value: JSONValue)] = [("artifactLocation", artifact(place.parts.first ?? ""))]
    if let position = place.position {
      physical.append(("region", ["startLine": .int(position.line), "startColumn": .int(position.column)]))
    }
    var members: [(key: String, value: JSONValue)] = number.map { [("id", .int($0))] } ?? []
    members.append(("physicalLocation", .object(physical)))
    if place.parts.count > 1 {
      members.append(("logicalLocations", [["fullyQualifiedName": .string(place.description)]]))
    }
    return .object(members)
  }

  /// A path below the working folder is relative, and so the same on every machine; others are absolute URIs.
  private func artifact(_ path: String) -> JSONValue {
    let start = isAbsolute(context.base) ? context.base : context.folder + "/" + context.base
    var absolute: [Substring] = []
    for part in parts(isAbsolute(path) ? path : start + "/" + path) where part != "." {
      if part == ".." { _ = absolute.popLast() } else { absolute.append(part) }
    }
    let base = parts(context.folder)
    if absolute.starts(with: base) {
      let inside = absolute.dropFirst(base.count).joined(separator: "/")
      return [
        "uri": .string(inside.isEmpty ? "." : percentEncoded(inside)), "uriBaseId": .string(SARIFRenderer.baseName),
      ]
    }
    return ["uri": .string("file:///" + percentEncoded(absolute.joined(separator: "/")))]
  }

  private func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  private func parts(_ path: String) -> [Substring] {
    path.unicodeScalars.split(separator: "/").map { Substring($0) }
  }
}
