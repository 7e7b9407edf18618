import Artifacts
import Findings
import Foundation
import Linking
import Testing

@testable import Collisions

/// What one plugin has in common with itself is one finding for people, and each by itself for programs and baselines.
@Suite struct OwnCopiesTests {
  private static let slice = Slice(platform: "ios", architecture: "arm64")

  /// `name` in two files, `Plugin.zip/file`.
  private static func collision(
    _ name: String, _ files: [String], _ verdict: Collision.Verdict = .silent, _ rule: RuleID = DuplicateSymbol.id
  ) -> Collision {
    let sites = files.map { file in
      let parts = file.split(separator: "/").map(String.init)
      let plugin = PluginID(parts[0] == "One.zip" ? 0 : 1)
      return Collision.Site(Place(parts[0], parts[1]), member: "\(name).o", of: plugin, .strong)
    }
    return Collision(rule, verdict, slice, name, sites, identical: false)
  }

  private static var report: CollisionReport {
    var report = CollisionReport()
    report.plugins = ["One", "Two"].map { PluginName(path: "\($0).zip", shown: $0, stable: $0) }
    report.collisions = [
      collision("_own1", ["One.zip/a.a", "One.zip/b.a"]),
      collision("_own2", ["One.zip/b.a", "One.zip/c.a"]),
      collision("_own3", ["One.zip/b.a", "One.zip/c.a"]),
      collision("OwnClass", ["One.zip/a.a", "One.zip/c.a"], .silent, CategoryClash.id),
      collision("_single", ["Two.zip/a.a", "Two.zip/b.a"]),
      collision("_shared", ["One.zip/a.a", "Two.zip/a.a"]),
      collision("_fails1", ["One.zip/a.a", "One.zip/b.a"], .error),
      collision("_fails2", ["One.zip/a.a", "One.zip/c.a"], .error),
    ]
    return report
  }

  private static func findings(_ detail: AppReport.Detail) async -> [Finding] {
    await report.report(app: nil, detail, canBeRead: true).report.findings
  }

  @Test func theyAreOneFindingForEachLevelBehindTheOthers() async throws {
    let found = await Self.findings(.short)
    #expect(found.map(\.level) == [.error, .warning, .warning, .warning])
    #expect(found[0].message == "One.zip collides with itself in 2 symbols of the same names: the link fails")
    #expect(found[1].message.hasPrefix("_shared is defined twice"))
    let own = try #require(found.first { $0.level == .warning && $0.message.contains("itself") })
    #expect(own.message.hasPrefix("One.zip collides with itself in 3 symbols of the same names, 1 "))
    // Nobody but the vendor can act on what harms no build, so it is one line.
    #expect(own.message.hasSuffix("the app is built all the same: a check of it alone lists them"))
    #expect(own.sites.isEmpty && own.notes.isEmpty && own.hint == nil)
    #expect(
      found.contains { $0.message.hasPrefix("Two.zip collides with itself in 1 symbol of the same name (_single)") })
    // What fails says where.
    #expect(found[0].notes.contains { $0.hasPrefix("a.a and b.a: _fails1") })
    #expect(found[0].hint == "a plugin must carry each once: leave one of the two out, or ask its vendor to")
  }

  @Test func aPluginAloneShowsEach() async throws {
    var report = Self.report
    report.plugins.removeLast()
    report.collisions.removeAll { $0.sites.contains { $0.plugin == PluginID(1) } }
    let found = await report.report(app: nil, .short, canBeRead: true).report.findings
    let own = try #require(found.first { $0.level == .warning })
    // The worst of it first, with as many names as it has.
    #expect(own.notes[0].hasPrefix("b.a and c.a: _own2, _own3, all different: "))
    #expect(own.notes.contains("in ios-arm64"))
  }

  @Test func aWholeReportSaysEachAndCoversAll() async throws {
    let found = await Self.findings(.whole)
    #expect(found.count == 4)
    let own = try #require(found.first { $0.level == .warning && $0.message.contains("itself") })
    for name in ["_own1", "_own2", "_own3", "OwnClass"] {
      #expect(own.notes.contains { $0.contains(name) }, "\(name) of \(own.notes)")
    }
    let identities = Self.report.collisions.map { $0.identity(Self.report.plugins) }.sorted()
    #expect(found.flatMap(\.identities).sorted() == identities)
    // A baseline of each by itself accepts what stands for them.
    let baseline = Baseline([AppReport(Report(await Self.findings(.each)))])
    #expect(found.allSatisfy { baseline.accepts($0) })
    #expect(baseline.count == identities.count)
  }

  @Test func programsSeeEachWithErrorsFirst() async throws {
    #expect(await Self.findings(.each).count == 8)
    let report = await Self.report.report(app: nil, .values, canBeRead: true)
    let text = JSONRenderer().render([report])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let all = try #require(object["findings"] as? [[String: Any]])
    let names = all.compactMap { $0["name"] as? String }
    #expect(names == ["_fails1", "_fails2", "_own1", "_own2", "_own3", "OwnClass", "_single", "_shared"])
  }

  /// Different builds of one library lead the warnings, and stand behind an error.
  @Test func copiesOfALibraryLeadTheirLevel() async {
    var report = Self.report
    var copies = Collision(
      DuplicateLibrary.id, .silent, Self.slice, "OpenSSL",
      [
        Collision.Site(Place("One.zip", "a.a"), of: PluginID(0), .library),
        Collision.Site(Place("Two.zip", "a.a"), of: PluginID(1), .library),
      ], identical: false)
    (copies.count, copies.examples) = (100, ["One", "Two"])
    report.collisions.append(copies)
    for detail in [AppReport.Detail.short, .whole, .each] {
      let found = await report.report(app: nil, detail, canBeRead: true).report.findings
      let first = found.firstIndex { $0.rule == DuplicateLibrary.id }
      #expect(first == found.count { $0.level == .error }, "\(detail)")
    }
  }
}
