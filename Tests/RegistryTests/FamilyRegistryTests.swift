import Lanes
import Check
import Collisions
import Findings
import Rules
import SystemPackage
import TestSupport
import Testing

/// A family of collisions that is in no list of the program: `check` asks it, and says when it could not judge.
@Suite struct FamilyRegistryTests {
  private func check(_ plugins: [FilePath]) async throws -> (report: CollisionReport, findings: [Finding]) {
    var check = AppCheck()
    check.plugins = plugins
    let families = CollisionRegistry.current.families + [ToyFamily.self]
    return try await CollisionRegistry.$current.withValue(CollisionRegistry(families)) {
      let report = try await check.run(try FindingPolicy()).report
      return (report, report.collisions.map { $0.finding(report.plugins) })
    }
  }

  @Test(.tools) func packages() async throws {
    let scratch = Scratch()
    for (jar, name) in [("a.jar", "A"), ("b.jar", "B")] {
      try scratch.write("\(name)/p/\(name).class", name)
      try await Tool.check(["zip", "-qr", "../\(jar)", "p"], in: scratch(name))
    }
    let (report, findings) = try await check([scratch("a.jar"), scratch("b.jar")])
    #expect(report.collisions.map(\.rule) == ["toy-package"])
    #expect(report.collisions.first?.level == .warning)
    #expect(report.coverage.parts.first?.judged.contains("toy-packages") == true)
    let finding = findings.first
    #expect(finding?.message == "the package p is there twice")
    #expect(finding?.identities.first?.line == "toy-package\ta, b\ta.jar, b.jar\tp\tandroid")
  }

  @Test func withoutPackages() async throws {
    let scratch = Scratch()
    try scratch.write("a.c", "int a(void) { return 1; }")
    try await Tool.check(
      ["clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-c", "a.c"], in: scratch.path)
    let report = try await check([scratch("a.o")]).report
    let missing = report.coverage.parts.first?.missing.first { $0.name == "toy-packages" }
    #expect(missing?.reason == "no plugin has packages")
  }
}
