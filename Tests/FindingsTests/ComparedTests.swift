import Lanes
import Findings
import Foundation
import SystemPackage
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A report ends with what was compared, what was not, and why.
@Suite struct ComparedTests {
  private static let hostile = "Ev|il\n::error::\"<b>&`*\u{1B}[2J\u{202E}"

  private static func plugin(_ name: String, version: String? = "1.4.0", unread: [String] = []) -> ComparedPlugin {
    var plugin = ComparedPlugin(name: name, version: version, path: "plugins/\(name)-1.4.0.zip")
    plugin.slices = ["android-arm64-v8a", "ios-arm64"]
    plugin.code = ["2 libraries", "412 classes"]
    plugin.unread = unread
    return plugin
  }

  private static func report(of app: String? = nil, _ plugins: [ComparedPlugin], misses: Bool = true) -> AppReport {
    let finding = Finding("duplicate-symbol", .warning, "_f is there twice", at: [Place("Rally.zip", "lib.a")])
    var report = AppReport(app: app, Report([finding]))
    report.compared = plugins
    report.linker = "ld-prime"
    let words = (one: "rule of mobilesmith", many: "rules of mobilesmith")
    report.coverage.add("config-keys", Judgement<Finding>.found([]), of: "mobilesmith", called: words)
    let last: Judgement<Finding> = misses ? .cannot("set its prefix") : .found([])
    report.coverage.add("unprefixed-class", last, of: "mobilesmith", called: words)
    return report
  }

  private var context: ReportContext {
    var context = ReportContext()
    context.version = "9.8.7"
    return context
  }

  private func texts(_ reports: [AppReport], _ context: ReportContext? = nil) -> [(name: String, text: String)] {
    Renderers.all.map { ($0.name, $0.init(context ?? self.context).render(reports)) }
  }

  @Test func everyFormatSaysIt() {
    let report = Self.report([Self.plugin("Rally"), Self.plugin("Scan", version: nil, unread: ["x.jar (too large)"])])
    let facts = [
      "Rally", "1.4.0", "ios-arm64", "2 libraries", "412 classes", "x.jar (too large)", "Scan", "ld-prime", "9.8.7",
      "unprefixed-class", "set its prefix",
    ]
    for (name, text) in texts([report]) {
      for fact in facts { #expect(text.contains(fact), "\(name) does not say \(fact):\n\(text)") }
    }
  }

  @Test func aReportOfNothingComparedStaysAsItWas() throws {
    let plain = AppReport(Self.report([]).report)
    for (name, text) in texts([plain]) {
      let isSilent = !text.contains("compared") && !text.contains("9.8.7")
      #expect(isSilent || ["sarif", "html"].contains(name), "\(name): \(text)")
    }
    #expect(GitHubRenderer(context).render([plain]).split(separator: "\n").count == 1)
  }

  /// Its last line is the one that counts: files of reports are told by it.
  @Test func textIsATableBeforeTheSummary() {
    let report = Self.report([Self.plugin("Rally"), Self.plugin("Scan", version: nil, unread: ["x.jar (too large)"])])
    #expect(
      TextRenderer(context).render([report]).hasSuffix(
        """
        compared by npi-pack 9.8.7, linker ld-prime
          plugin  version  platforms and slices          code found                not looked at
          Rally   1.4.0    android-arm64-v8a, ios-arm64  2 libraries, 412 classes
          Scan             android-arm64-v8a, ios-arm64  2 libraries, 412 classes  x.jar (too large)
        1 of 2 rules of mobilesmith checked; not: unprefixed-class (set its prefix)

        1 warning

        """))
  }

  /// Of many plugins a reader sees the first and those of which something was not looked at.
  @Test func manyPluginsAreCutForReaders() {
    var report = Self.report((1...30).map { Self.plugin("P\($0)x", unread: $0 == 29 ? ["a.so (damaged)"] : []) })
    report.isCut = true
    for (name, text) in texts([report]) {
      let count = (1...30).count { text.contains("P\($0)x") }
      #expect(count == (["text": 13, "markdown": 15][name] ?? 30), "\(name)")
      #expect(text.contains("P29x"))
    }
    #expect(TextRenderer().render([report]).contains("  and 17 more plugins: -v shows all of them\n"))
  }

  @Test func eachIsRecognizedAsAReport() {
    for reports in [
      [Self.report([Self.plugin("Rally")])], [Self.report(of: "A", [Self.plugin("Rally")]), Self.report(of: "B", [])],
    ] {
      for type in Renderers.all {
        let text = Array(type.init(context).render(reports).utf8)
        #expect(Renderers.isReport(Array(text.prefix(4096)), Array(text.suffix(4096))), "\(type.name)")
        #expect(Renderers.all.count { $0.isReport(head: String(decoding: text, as: UTF8.self), tail: "") } <= 1)
      }
    }
    #expect(!Renderers.isReport(Array("int main;\n".utf8), Array("int main;\n".utf8)))
  }

  @Test func theDateStandsOnlyWhereAFormatHasAField() {
    var dated = context
    dated.date = "2026-01-31T12:00:00Z"
    let reports = [Self.report([Self.plugin("Rally")])]
    for ((name, text), (_, without)) in zip(texts(reports, dated), texts(reports)) {
      #expect((text != without) == ["sarif", "junit", "html"].contains(name), "\(name)")
    }
    #expect(SARIFRenderer(dated).render(reports).contains("\"endTimeUtc\": \"2026-01-31T12:00:00Z\""))
    #expect(HTMLRenderer(dated).render(reports).contains(">2026-01-31 12:00:00 UTC</time>"))
    #expect(JUnitRenderer(dated).render(reports).contains(" timestamp=\"2026-01-31T12:00:00\">"))
  }

  // MARK: Several apps

  @Test func whatAppsShareIsComparedOnce() {
    var again = Self.plugin("Rally", unread: ["x.jar (too large)"])
    again.slices = ["ios-arm64"]
    let together = AppReport.together([
      Self.report(of: "One", [Self.plugin("Rally")]), Self.report(of: "Two", [again, Self.plugin("Scan")]),
    ])
    #expect(together.compared.map(\.name) == ["Rally", "Scan"])
    #expect(together.compared[0].unread == ["x.jar (too large)"])
    #expect(together.compared[0].slices == ["android-arm64-v8a", "ios-arm64"])
    #expect(together.linker == "ld-prime")
    #expect(
      together.coverage.lines == ["1 of 2 rules of mobilesmith checked; not: unprefixed-class (set its prefix)"])
  }

  @Test func whatWasNotJudgedInOneAppIsSaid() {
    let together = AppReport.together([Self.report(of: "One", [], misses: false), Self.report(of: "Two", [])])
    #expect(
      together.coverage.lines == [
        "in One: 2 rules of mobilesmith checked",
        "in Two: 1 of 2 rules of mobilesmith checked; not: unprefixed-class (set its prefix)",
      ])
  }

  // MARK: What programs read

  @Test func jsonHasMembersForIt() throws {
    let text = JSONRenderer(context).render([Self.report([Self.plugin("Rally", unread: ["a (b)"])])])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["version", "findings", "compared", "coverage", "linker", "tool"])
    let plugin = try #require((object["compared"] as? [[String: Any]])?.first)
    #expect(Set(plugin.keys) == ["name", "version", "path", "slices", "code", "unread"])
    let coverage = try #require((object["coverage"] as? [String: [String: Any]])?["mobilesmith"])
    #expect(coverage["judged"] as? [String] == ["config-keys"])
    #expect(coverage["missing"] as? [[String: String]] == [["name": "unprefixed-class", "reason": "set its prefix"]])
  }

  /// Of several apps each says its own.
  @Test func jsonKeepsAppsApart() throws {
    let reports = ["One", "Two"].map { app in
      var report = Self.report(of: app, [Self.plugin("Of\(app)")])
      report.values = [("linkSets", [])]
      return report
    }
    let text = JSONRenderer(context).render(reports)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let apps = try #require(object["apps"] as? [[String: Any]])
    #expect(apps.map { ($0["compared"] as? [[String: Any]])?.first?["name"] as? String } == ["OfOne", "OfTwo"])
  }

  @Test(.tools) func sarifIsValid() async throws {
    let scratch = Scratch()
    var context = context
    (context.folder, context.date) = (scratch.path.string, "2026-01-31T12:00:00Z")
    let report = Self.report([Self.plugin("Rally"), Self.plugin(Self.hostile, unread: [Self.hostile])])
    try scratch.write("log.sarif", SARIFRenderer(context).render([report]))
    try scratch.write(
      "look.py",
      """
      import json
      from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as SARIF
      SARIF.model_validate_json(open("log.sarif").read())
      run = json.load(open("log.sarif"))["runs"][0]
      print([artifact["location"]["uri"] for artifact in run["artifacts"]][0])
      print([notification["level"] for notification in run["invocations"][0]["toolExecutionNotifications"]])
      print(run["properties"]["linker"], sorted(run["properties"]["coverage"]))
      """)
    #expect(
      try await Tool.check(["python3", "look.py"], in: scratch.path) == """
        plugins/Rally-1.4.0.zip
        ['warning', 'note']
        ld-prime ['mobilesmith']

        """)
  }

  // MARK: Text of others

  @Test func noNameBreaksAFormat() throws {
    let name = Self.hostile
    let report = Self.report([Self.plugin(name, version: name, unread: [name]), Self.plugin("Rally")])
    for (format, text) in texts([report]) {
      #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"), "\(format)")
      for line in text.split(separator: "\n") where format != "github" { #expect(!line.hasPrefix("::"), "\(format)") }
    }
    let lines = GitHubRenderer(context).render([report]).split(separator: "\n")
    #expect(lines.count == 2 && lines[1].hasPrefix("::notice title=npi-pack::compared by npi-pack 9.8.7"))
    #expect(!HTMLRenderer(context).render([report]).contains("<b>&"))
    let junit = XMLParser(data: Data(JUnitRenderer(context).render([report]).utf8))
    #expect(junit.parse())
    let json = JSONRenderer(context).render([report])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect((object["compared"] as? [[String: Any]])?.first?["name"] as? String == name)
    let rows = MarkdownRenderer(context).render([report]).split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count == 4)
    for row in rows { #expect(row.replacing("\\|", with: "").count { $0 == "|" } == 6, "\(row)") }
    #expect(rows[2].contains("\\<b\\>\\&\\`\\*"))
  }
}
