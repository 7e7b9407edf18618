import BuildEngine
import Findings
import Packaging
import Recipes
import Rules
import TestSupport
import Testing

/// A rule and a host that are in no list of the program: what asks the registries sees them.
@Suite struct RuleRegistryTests {
  private static let host = """
    summary: a toy
    rules: { toy-name: { level: error, refused: [TOY, classes.jar] } }
    """

  private func withToys<Result: Sendable>(
    _ work: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await RuleRegistry.$current.withValue(RuleRegistry.current.adding(ToyRule.self, ToyRule.page)) {
      try await HostRecipes.$all.withValue(HostRecipes.all + [("toy-host", Array(Self.host.utf8))]) {
        try await work()
      }
    }
  }

  @Test func theCatalogueExplainsIt() async throws {
    try await withToys {
      #expect(try RuleHelp.text(nil).contains("toy-name                  host's   no file has a name"))
      let text = try RuleHelp.text("toy-name")
      #expect(text.contains("Refused:\n\n    TOY\n\nPasses:\n\n    RCToy\n\nRename the file.\n\nIn one line:\n\nNone"))
      #expect(text.contains("refused  names of files"))
      #expect(try RecipePage.markdown("toy-host").contains("| [`toy-name`](#toy-name) | error |"))
    }
    #expect(throws: Mistakes.self) { try RuleHelp.text("toy-name") }
  }

  @Test func lintAsksItForItsHost() async throws {
    let scratch = Scratch()
    try scratch.write("tree/TOY", "a toy")
    let outcome = try await withToys {
      try await Lint.run([scratch("tree")], recipe: "toy-host", policy: try FindingPolicy())
    }
    #expect(
      outcome.report.findings.map { "\($0.level) \($0.rule) \($0.message)" } == ["error toy-name the host refuses TOY"])
    #expect(outcome.coverage.parts.first?.judged.contains("toy-name") == true)
    let off = try await withToys {
      try await Lint.run([scratch("tree")], recipe: "toy-host", policy: try FindingPolicy(levels: ["toy-name=note"]))
    }
    #expect(off.report.findings.map(\.level) == [.note])
  }

  @Test func buildAsksItAndRemembersWhoJudged() async throws {
    let scratch = Scratch()
    try scratch.write("AndroidManifest.xml", "<manifest package=\"com.example.toy\"/>")
    func build(_ level: String) async throws -> BuildResult {
      try scratch.write(
        "npi.yml",
        """
        name: Toy
        version: 1.0
        extends: toy-host
        deliverables: { android: { kind: aar, manifest: AndroidManifest.xml } }
        rules: { toy-name: \(level) }
        """)
      return try await withToys {
        var options = Project.Options()
        options.directory = scratch.path
        let project = try await Project.open(options)
        return try await project.build([], options: BuildOptions(), policy: try FindingPolicy(), progress: NoProgress())
      }
    }
    let refused = try await build("error")
    #expect(refused.failed.map(\.step.name) == ["android"])
    #expect(refused.findings.map(\.message) == ["the host refuses classes.jar"])
    #expect(refused.coverage.parts.map(\.owner) == ["toy-host"])
    let made = try await build("warning")
    #expect(made.succeeded && made.findings.contains { $0.rule == ToyRule.id && $0.level == .warning })
    // Nothing is judged again, and it is still known which rules have judged.
    let again = try await build("warning")
    #expect(again.nothingToDo)
    #expect(again.coverage == made.coverage && again.newCoverage.lines.isEmpty)
  }
}
