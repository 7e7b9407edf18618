import Lanes
import Findings
import Foundation
import Packaging
import Rules
import SystemPackage
import TestSupport
import Testing

/// What a rule says when it is on and cannot judge, for each reason that a rule has.
@Suite struct CoverageTests {
  struct Case: Sendable {
    let rule: String
    let reason: String
    /// How the rule is set: `warning`, or a map.
    var settings = "warning"
    /// What is linted.
    var artifacts = ["tree"]
    var app: String?
    /// More of the recipe.
    var recipe = ""

    init(
      _ rule: String, _ reason: String, _ settings: String = "warning", _ artifacts: [String] = ["tree"],
      app: String? = nil, recipe: String = ""
    ) {
      (self.rule, self.reason, self.settings, self.artifacts) = (rule, reason, settings, artifacts)
      (self.app, self.recipe) = (app, recipe)
    }
  }

  private static let noKey = "the configuration's key for it is not set"
  private static let noConfiguration = "the configuration is not known: lint it together with this"
  private static let noManifest = "there is no AndroidManifest.xml that can be read"
  private static let initializer = "{ level: error, ios: Entry, methods: [-init] }"

  private static let cases: [Case] = [
    Case("unprefixed-class", "set its prefix"),
    Case("provided-by-host", "the libraries of the host are not listed"),
    Case("unsupported-framework", "the frameworks of the host's apps are not listed"),
    Case("needs-info-plist", "no keys are listed"),
    Case("url-scheme", "the app that contains it is not known: --app, or app: in the manifest"),
    Case("url-scheme", "a build in Xcode sets the schemes of the app that contains it", app: "app"),
    Case("required-resources", "nothing is listed"),
    Case("extension-unsafe-api", "no APIs are listed"),
    Case("app-group", "no entitlements of it or its app are known"),
    Case("unsupported-class", "no classes are listed"),
    Case("unsupported-class", "no classes are listed", "{ level: error, ios: { UIWebView: no } }", ["empty.aar"]),
    Case("missing-architecture", "the host's architectures are not set"),
    Case("class-version", "the host's newest version is not set", "error", ["empty.aar"]),
    Case("private-api", "no names are listed"),
    Case("policy-file", "its host has no JSON Schema for it", "error", ["a.policy.json"]),
    Case(
      "app-plugin-released", "it is no policy", "error", ["bad.policy.json"],
      recipe: "schemas: { policy: { type: object, required: [plugin] } }"),
    Case(
      "app-plugin-released", "what is released beside it is not known: lint all of it together", "error",
      ["a.policy.json"]),
    Case("minimum-sdk", "the host's oldest API level is not set"),
    Case("minimum-sdk", noManifest, "{ level: error, minimum: 14 }"),
    Case("kotlin-metadata", "the host's Kotlin is not set", "error", ["empty.aar"]),
    Case("target-sdk", "the host's target is not set"),
    Case("target-sdk", noManifest, "{ level: error, target: 22 }", ["empty.aar"]),
    Case("unknown-route", "set its scheme and routes", "error", ["A-1.0-web.zip"]),
    Case("unknown-route", "list its routes", "{ level: error, scheme: app }", ["A-1.0-web.zip"]),
    Case("minimum-os", "the host's oldest iOS is not set"),
    Case("entry-class", noKey, "error", ["empty.zip"]),
    Case("entry-class", noConfiguration, "{ level: error, ios: Entry }", ["empty.zip"]),
    Case("entry-class", "the configuration has no Entry", "{ level: error, ios: Entry }", ["empty.zip", "b.json"]),
    Case("entry-class", "there is no code that can be read", "{ level: error, ios: Entry }", ["empty.zip", "a.json"]),
    Case("entry-initializer", "its methods are not listed", "error", ["empty.zip"]),
    Case("entry-initializer", noKey, "{ level: error, methods: [-init] }", ["empty.zip"]),
    Case("entry-initializer", noConfiguration, initializer, ["empty.zip"]),
    Case("entry-initializer", "the configuration has no Entry", initializer, ["empty.zip", "b.json"]),
    Case("entry-initializer", "the entry class is not there", initializer, ["empty.zip", "a.json"]),
    Case("entry-initializer", "what the entry class inherits is not known", initializer, ["code.zip", "a.json"]),
  ]

  @Test(.tools) func theReportSaysWhatCouldNotJudgeAndWhy() async throws {
    let scratch = Scratch()
    try await make(scratch)
    for (number, one) in Self.cases.enumerated() {
      let recipe = try scratch.write(
        "host-\(number).yml", "summary: a host\n\(one.recipe)\nrules: { \(one.rule): \(one.settings) }\n")
      let outcome = try await Lint.run(
        one.artifacts.map { scratch($0) }, recipe: recipe.string, app: one.app.map { scratch($0) },
        policy: try FindingPolicy())
      let missing = outcome.coverage.parts.flatMap(\.missing).map { "\($0.name) (\($0.reason))" }
      #expect(missing == ["\(one.rule) (\(one.reason))"], "\(outcome.mistakes)")
      #expect(outcome.coverage.linesOfHosts.last?.hasSuffix("; not: \(one.rule) (\(one.reason))") == true)
    }
  }

  /// A reason that a rule gains has a case above: of each file of rules, every text after which a rule gives up.
  @Test func everyReasonHasACase() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Rules").standardizedFileURL
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let rules = text.matches(of: #/static let id: RuleID = "([^"]+)"/#).map { String($0.1) }
      for match in text.matches(of: #/(?:CannotJudge\(|\bor:)\s*"([^"]+)"/#) {
        let reason = match.1.prefix { $0 != "\\" }
        let hasCase = Self.cases.contains { rules.contains($0.rule) && $0.reason.hasPrefix(reason) }
        #expect(hasCase, "\(rules): \(match.1)")
        count += 1
      }
    }
    #expect(count > 25)
  }

  /// What the cases lint: a tree with an extension in it, archives with and without code, policies, configurations.
  private func make(_ scratch: Scratch) async throws {
    func list(_ content: String) -> String { "<plist version=\"1.0\"><dict>\(content)</dict></plist>" }
    try scratch.write("tree/A.appex/Info.plist", list("<key>CFBundleExecutable</key><string>A</string>"))
    try scratch.write(
      "app/Info.plist",
      list(
        "<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>$(SCHEME)</string></array>"
          + "</dict></array>"))
    try scratch.write(
      "a.policy.json", #"{"plugin": "A", "class": "AMain", "app": true, "sends": {}, "receives": {}}"#)
    try scratch.write("bad.policy.json", #"{"sends": 1}"#)
    try scratch.write("a.json", #"{"Entry": "AMain"}"#)
    try scratch.write("b.json", "{}")
    try scratch.write("notes.txt", "no code")
    try scratch.write(
      "main.m",
      "__attribute__((objc_root_class)) @interface Other @end\n@interface AMain : Other @end\n@implementation AMain @end\n"
    )
    try await Tool.check(
      ["clang", "-target", "arm64-apple-ios12.0", "-w", "-c", "main.m", "-o", "main.o"], in: scratch.path)
    try await Tool.check(["llvm-ar", "--format=darwin", "rcsD", "libA.a", "main.o"], in: scratch.path)
    for name in ["empty.zip", "empty.aar", "A-1.0-web.zip"] {
      try await Tool.check(["zip", "-q", name, "notes.txt"], in: scratch.path)
    }
    try await Tool.check(["zip", "-q", "code.zip", "libA.a"], in: scratch.path)
  }
}
