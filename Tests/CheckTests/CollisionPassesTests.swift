import Artifacts
import Findings
import Linking
import Rules
import Testing

@testable import Check
@testable import Collisions

/// What becomes of collisions on their way into a report, a pass at a time.
@Suite struct CollisionPassesTests {
  private static let slice = Slice(platform: "ios", architecture: "arm64")
  private static let names = ["One", "Two"].map { PluginName(path: "\($0).zip", shown: $0, stable: $0) }

  /// A name that both plugins define.
  private static func collision(
    _ name: String, _ verdict: Collision.Verdict = .silent, _ rule: RuleID = DuplicateSymbol.id,
    in slice: Slice? = slice
  ) -> Collision {
    let sites = names.indices.map { number in
      Collision.Site(Place(names[number].path, "lib.a"), member: "a.o", of: PluginID(number), .strong)
    }
    return Collision(rule, verdict, slice, name, sites, identical: false)
  }

  private static func suppressions(until day: String) throws -> Suppressions {
    let text = "- { rule: duplicate-symbol, name: _old*, reason: the vendor mends it, until: \(day) }\n"
    return try Suppressions(Array(text.utf8), name: "known.yml", now: 1_764_000_000)  // 2025-11-24
  }

  // MARK: Levels

  @Test func aCollisionHasTheLevelOfItsVerdictUnlessTheUserSetsOne() throws {
    let collisions = [Self.collision("_fails", .error), Self.collision("_silent")]
    #expect(try collisions.levelled(by: FindingPolicy()).map(\.level) == [.error, .warning])
    let noted = try collisions.levelled(by: FindingPolicy(levels: ["duplicate-symbol=note"]))
    #expect(noted.map(\.level) == [.note, .note])
    #expect(noted.map { $0.finding(Self.names).level } == [.note, .note])
  }

  @Test func strictTurnsWarningsIntoErrors() throws {
    let collisions = [Self.collision("_silent")].levelled(by: try FindingPolicy(strict: true))
    #expect(collisions.map(\.level) == [.error])
  }

  @Test func aRuleThatIsOffLeavesNothing() throws {
    let collisions = [Self.collision("_a", .error), Self.collision("A", .silent, CategoryClash.id)]
    let left = try collisions.levelled(by: FindingPolicy(levels: ["duplicate-symbol=off"]))
    #expect(left.map(\.name.text) == ["A"])
  }

  // MARK: Baseline and suppressions

  @Test func aBaselineAcceptsWhatItKnowsAndNothingElse() throws {
    let known = Self.collision("_known")
    let baseline = Baseline(Report([known.finding(Self.names)]))
    let left = [known, Self.collision("_new")].unaccepted(by: try FindingPolicy(baseline: baseline), Self.names)
    #expect(left.map(\.name.text) == ["_new"])
  }

  /// A warning that was accepted, and that fails the link now, is not what was accepted.
  @Test func aBaselineDoesNotAcceptWhatHasBecomeWorse() throws {
    let baseline = Baseline(Report([Self.collision("_known").finding(Self.names)]))
    let left = [Self.collision("_known", .error)].unaccepted(by: try FindingPolicy(baseline: baseline), Self.names)
    #expect(left.count == 1)
  }

  @Test func aSuppressionHidesUntilItsDay() throws {
    let collisions = [Self.collision("_old1"), Self.collision("_new")]
    let current = try FindingPolicy(suppressions: Self.suppressions(until: "2025-11-24"))
    let hidden = collisions.unaccepted(by: current, Self.names)
    #expect(hidden.map(\.name.text) == ["_new"])
    #expect(hidden[0].remark == nil)
    let ended = try FindingPolicy(suppressions: Self.suppressions(until: "2025-11-23"))
    let shown = collisions.unaccepted(by: ended, Self.names)
    #expect(shown.map(\.remark) == ["it was suppressed until 2025-11-23: the vendor mends it", nil])
    #expect(shown[0].finding(Self.names).notes.contains("it was suppressed until 2025-11-23: the vendor mends it"))
  }

  @Test func withoutEitherAllIsLeftAsItIs() throws {
    let collisions = [Self.collision("_a"), Self.collision("_b", .error)]
    #expect(collisions.unaccepted(by: try FindingPolicy(), Self.names) == collisions)
  }

  // MARK: Names

  /// By the toolchain's swift-demangle; names of C++ are asked of the program itself, which scenarios show.
  @Test func symbolsAreShownAsTheirAuthorsWroteThem() async {
    var possible = Self.collision("_$s3one3twoyyF", .possible)
    possible.triggers = [Collision.Name(text: "_$s3one4callyySiF"), Collision.Name(text: "_plain")]
    let (collisions, notes) = await [possible, Self.collision("_plain")].demangled()
    #expect(collisions.map(\.name.shown) == ["one.two() -> ()", "_plain"])
    #expect(collisions[0].triggers.map(\.shown) == ["one.call(Swift.Int) -> ()", "_plain"])
    // What programs read keeps the name of the symbol table.
    #expect(collisions[0].name.text == "_$s3one3twoyyF")
    #expect(notes.isEmpty)
  }

  /// The name of a Java class or a file is no symbol, whatever it looks like.
  @Test func whatHasNoSliceIsNoSymbol() async {
    let collisions = [Self.collision("_$s3one3twoyyF", .error, DuplicateJavaClass.id, in: nil)]
    #expect(await collisions.demangled().collisions == collisions)
  }

  // MARK: Groups

  private static func findings(_ collisions: [Collision], _ detail: AppReport.Detail) async -> [Finding] {
    var report = CollisionReport()
    (report.plugins, report.collisions) = (names, collisions)
    return await report.report(app: nil, detail, canBeRead: true).report.findings
  }

  /// Two plugins that carry one library are one thing to mend: one finding for people, each by itself for programs.
  @Test func whatTwoPluginsHaveInCommonIsOneFinding() async {
    let collisions = ["_a", "_b", "_c"].map { Self.collision($0) }
    let grouped = await Self.findings(collisions, .short)
    #expect(grouped.count == 1)
    #expect(grouped[0].message.contains("3 symbols of the same names"))
    let whole = await Self.findings(collisions, .whole)
    #expect(whole.flatMap(\.identities).map(\.name).sorted() == ["_a", "_b", "_c"])
    #expect(await Self.findings(collisions, .each).count == 3)
  }

  @Test func anotherSliceAddsNoNameAndAnotherOutcomeAFinding() async {
    let simulator = Slice(platform: "ios", architecture: "arm64", variant: "simulator")
    let slices = await Self.findings([Self.collision("_a"), Self.collision("_a", in: simulator)], .short)
    #expect(slices.count == 1)
    #expect(slices[0].notes.contains("in ios-arm64, ios-arm64-simulator"), "\(slices[0].notes)")
    let outcomes = await Self.findings([Self.collision("_a"), Self.collision("_b", .error)], .short)
    #expect(outcomes.map(\.level) == [.error, .warning])
  }

  @Test func whatIsSaidTwiceIsSaidOnce() {
    #expect(["b", "a", "b", "a", "c"].withoutRepetition == ["b", "a", "c"])
  }
}
