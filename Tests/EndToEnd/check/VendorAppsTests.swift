import Foundation
import SystemPackage
import Testing
import TestSupport

/// Apps of twelve libraries each, whose vendors know nothing of each other: nothing that a compiler made is called a
/// collision of theirs, and what does collide is found. `NPI_SEEDS=2000` for more of them.
@Suite("apps of many vendors")
struct VendorAppsTests {
  private struct Report: Decodable {
    var findings: [Finding]
  }

  private struct Finding: Decodable {
    var rule: String
    var level: String
    var name: String
    var message: String
  }

  @Test(.timeLimit(.minutes(20))) func noFalseAlarm() async throws {
    let libraries = try await VendorLibraries()
    var notes: [String: Int] = [:]
    for seed in Seeded.seeds(200) {
      var random = Seeded(seed: 300 + seed)
      var app = Array(libraries.names.shuffled(using: &random).prefix(10))
      let planted = random.number(VendorLibraries.planted.count)
      for version in 1...2 {
        app.insert("planted\(planted)-\(version).a", at: random.number(app.count))
      }
      let linker = ["ld-prime", "ld64", "lld"][seed % 3]
      let result = try await Tool.run(
        [Scenario.binary.string, "check", "--linker", linker, "--format", "json"] + app, in: libraries.scratch.path)
      let findings = try JSONDecoder().decode(Report.self, from: Data(result.out.utf8)).findings
      let wanted = VendorLibraries.planted[planted].name
      let loud = findings.filter { $0.level != "note" && !$0.name.lowercased().contains("planted") }
      #expect(loud.isEmpty, "app \(seed): \(loud.prefix(3)) in \(app)")
      #expect(findings.contains { $0.name == wanted && $0.level != "note" }, "app \(seed): no \(wanted) in \(app)")
      for finding in findings where finding.level == "note" {
        notes["\(finding.rule) \(finding.name)", default: 0] += 1
      }
      // The C++ standard library is in many libraries, and belongs to none of them.
      #expect(!findings.contains { $0.name == "std" })
    }
    // The apps do have what there is nothing to say about.
    var withInlineStd = 0
    for name in libraries.names {
      let symbols = try await Tool.check(["llvm-nm-19", "--defined-only", name], in: libraries.scratch.path)
      if symbols.contains(" W __ZNSt") || symbols.contains(" T __ZNSt") { withInlineStd += 1 }
    }
    #expect(withInlineStd > libraries.names.count / 4)
    #expect(notes["protocol-differs Named"] ?? 0 > 100, "\(notes)")
  }
}
