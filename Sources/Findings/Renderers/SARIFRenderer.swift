/// A report as SARIF 2.1.0, the OASIS format that code-scanning services read: one run, the rules that spoke, a result
/// a finding. A site inside a container is a logical location, because only the container is a file.
package struct SARIFRenderer: Renderer {
  package let name = "sarif"
  private let version: String
  private let summary: @Sendable (RuleID) -> String?

  /// `version` is the tool's; `summary` says what a rule is about.
  package init(version: String, summary: @escaping @Sendable (RuleID) -> String?) {
    self.version = version
    self.summary = summary
  }

  package func render(_ report: Report) -> String {
    let ids = Set(report.findings.map(\.rule)).sorted { $0.rawValue < $1.rawValue }
    let driver: JSONValue = [
      "name": "npi-pack", "version": .string(version), "rules": .array(ids.map(rule)),
    ]
    let run: JSONValue = ["tool": ["driver": driver], "results": .array(report.findings.map(result))]
    let document: JSONValue = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
    ]
    return document.shown
  }

  private func rule(_ id: RuleID) -> JSONValue {
    ["id": .string(id.rawValue), "shortDescription": ["text": .string(summary(id) ?? id.rawValue)]]
  }

  private func result(_ finding: Finding) -> JSONValue {
    let details = finding.notes + (finding.hint.map { ["hint: \($0)"] } ?? [])
    return [
      "ruleId": .string(finding.rule.rawValue), "level": .string(finding.level.rawValue),
      "message": ["text": .string(([finding.message] + details).joined(separator: "\n"))],
      "locations": .array(finding.sites.map(location)),
    ]
  }

  private func location(_ place: Place) -> JSONValue {
    var physical: [(key: String, value: JSONValue)] = [
      ("artifactLocation", ["uri": .string(uri(place.parts.first ?? ""))])
    ]
    if let position = place.position {
      physical.append(("region", ["startLine": .int(position.line), "startColumn": .int(position.column)]))
    }
    var members: [(key: String, value: JSONValue)] = [("physicalLocation", .object(physical))]
    if place.parts.count > 1 {
      members.append(("logicalLocations", [["fullyQualifiedName": .string(place.description)]]))
    }
    return .object(members)
  }

  /// A relative reference (RFC 3986): everything but unreserved characters and `/` is escaped.
  private func uri(_ path: String) -> String {
    path.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || (48...57).contains(byte))
      if isPlain || "-._~/".utf8.contains(byte) { return String(scalar) }
      let hex = String(byte, radix: 16, uppercase: true)
      return "%" + (hex.count < 2 ? "0" : "") + hex
    }.joined()
  }
}
