import ArgumentParser
import Artifacts
import Check
import Findings
import Rules
import SystemPackage
import TestSupport
import Testing

@testable import Packaging
@testable import npi_pack

/// A kind of deliverable is one file and its place in the list: what packs it, lints it and checks it follows.
@Suite struct KindRegistryTests {
  private let scratch = Scratch()

  private func withToy<T>(_ body: () async throws -> T) async rethrows -> T {
    try await Kinds.registered(with: [ToyKind.self], body)
  }

  private func run(_ command: some AsyncParsableCommand) async throws {
    var command = command
    try await command.run()
  }

  private func manifest(size: String) throws {
    try scratch.write(
      "npi.yml",
      """
      name: Bear
      version: 1.0
      schemas: { toy: { properties: { size: { enum: [small, large] } } } }
      deliverables: { bear: { kind: toy, size: \(size) } }

      """)
  }

  @Test func itIsUnknownWithoutItsPlaceInTheList() async throws {
    try manifest(size: "small")
    await #expect(throws: Mistakes.self) { try await run(ConfigCommand.parse(["-C", scratch.path.string])) }
    #expect(!KindHelp.names.contains("toy"))
    #expect(StableName.plugin("Bear-1.0.toy.json") != "Bear")
    await withToy {
      #expect(KindHelp.names.contains("toy"))
      #expect(StableName.plugin("Bear-1.0.toy.json") == "Bear")
      #expect(Manifest.jsonSchema.pretty.contains("of a toy"))
    }
  }

  @Test func aBuildPacksIt() async throws {
    try manifest(size: "small")
    try await withToy { try await run(BuildCommand.parse(["-C", scratch.path.string, "--quiet"])) }
    #expect(try scratch.text("dist/Bear-1.0.toy.json") == "{\"size\": \"small\"}\n")
    #expect(try scratch.text("dist/Bear-1.0.release.json").contains("Bear-1.0.toy.json"))
  }

  /// A build and lint read it alike: with the kind's own reader, by the schema of the host.
  @Test func itsSchemaIsAsked() async throws {
    try manifest(size: "huge")
    await #expect(throws: ExitCode(2)) {
      try await withToy { try await run(BuildCommand.parse(["-C", scratch.path.string, "--quiet"])) }
    }
    try scratch.write("dist/Bear-2.0.toy.json", "{\"size\": \"huge\"}")
    try scratch.write("other/Bear-2.0.toy.json", "{}")
    try await withToy {
      let huge = try await Lint.run([scratch("dist/Bear-2.0.toy.json")], recipe: nil, policy: try FindingPolicy())
      #expect(huge.mistakes.count == 1 && huge.mistakes[0].message.contains("huge"), "\(huge.mistakes)")
      let none = try await Lint.run(
        [scratch("other/Bear-2.0.toy.json")], recipe: "mobilesmith", policy: FindingPolicy())
      #expect(none.mistakes.map(\.message) == ["a toy has a size"])
    }
  }

  @Test func checkRefusesTwoVersions() async throws {
    try scratch.write("plugin/Bear-1.0.toy.json", "{\"size\": \"small\"}")
    try scratch.write("plugin/Bear-1.1.toy.json", "{\"size\": \"small\"}")
    func refusals() async throws -> [String] {
      let command = try CheckCommand.parse([scratch("plugin").string])
      return try await command.check.checks(command.paths).run(command.findings.policy()).mistakes.map(\.message)
    }
    let unknown = try await refusals()
    #expect(!unknown.contains { $0.contains("two versions") }, "\(unknown)")
    let known = try await withToy { try await refusals() }
    #expect(known.contains { $0.contains("two versions of one plugin: Bear-1.0.toy.json") }, "\(known)")
  }
}
