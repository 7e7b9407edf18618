/// A report as SARIF 2.1.0, the OASIS format that code-scanning services read: one run, the rules that spoke, a result
/// a finding. A site inside a container is a logical location, because only the container is a file. What a finding is known
/// again by stands in `partialFingerprints` (3.27.17): uploading the same state twice opens no second alert.
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
      // A service keeps one of several that are alike.
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

  /// A service that is told of a failure does not take what is missing for mended (3.20). What was not judged or not read is
  /// no failure, and is said there, too.
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

  /// The plugins as what was analysed (3.24.6), and in bags of properties (3.8) what the standard has no field for.
  private func compared(_ report: AppReport) -> [(key: String, value: JSONValue)] {
    let artifacts = report.compared.map { plugin -> JSONValue in
      ["location": artifact(plugin.path), "roles": ["analysisTarget"], "properties": plugin.json]
    }
    var properties = report.linker.map { [(key: "linker", value: JSONValue.string($0))] } ?? []
    if !report.coverage.parts.isEmpty { properties.append(("coverage", report.coverage.json)) }
    return (artifacts.isEmpty ? [] : [("artifacts", .array(artifacts))])
      + (properties.isEmpty ? [] : [("properties", .object(properties))])
  }

  /// Where relative addresses begin; without an address of its own, which would be another on each machine (3.14.14).
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
    let details = finding.notes + (finding.hint.map { ["hint: \($0)"] } ?? [])
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
    // The first is the name that GitHub looks for.
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

  /// Below the folder a path from there, which is the same on every machine; else a whole address.
  private func artifact(_ path: String) -> JSONValue {
    let start = isAbsolute(context.base) ? context.base : context.folder + "/" + context.base
    var absolute: [Substring] = []
    for part in parts(isAbsolute(path) ? path : start + "/" + path) where part != "." {
      if part == ".." { _ = absolute.popLast() } else { absolute.append(part) }
    }
    let base = parts(context.folder)
    if absolute.starts(with: base) {
      let inside = absolute.dropFirst(base.count).joined(separator: "/")
      return ["uri": .string(inside.isEmpty ? "." : escaped(inside)), "uriBaseId": .string(SARIFRenderer.baseName)]
    }
    return ["uri": .string("file:///" + escaped(absolute.joined(separator: "/")))]
  }

  private func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  private func parts(_ path: String) -> [Substring] {
    path.unicodeScalars.split(separator: "/").map { Substring($0) }
  }

  /// A relative reference (RFC 3986): everything but unreserved characters and `/` is escaped.
  private func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || (48...57).contains(byte))
      if isPlain || "-._~/".utf8.contains(byte) { return String(scalar) }
      let hex = String(byte, radix: 16, uppercase: true)
      return "%" + (hex.count < 2 ? "0" : "") + hex
    }.joined()
  }
}
