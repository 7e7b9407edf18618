import Findings
import Foundation
import Rules
import Testing

/// What the documents of MobileSmith ask of a plugin, each with the rules that hold it, and the scenarios that show a
/// plugin that is refused and one that passes.
@Suite struct HostRowsTests {
  static let rows: [(requirement: String, rules: [RuleID], refused: String, passing: String)] = [
    ("the items are at the zip's root", ["parent-folder"], "lint-parent-folder", "lint-parent-folder"),
    ("one static library at least", ["missing-library"], "library-that-is-none", "ios-zip"),
    (
      "no resource forks, no extended attributes", ["extended-attributes", "resource-forks"], "lint-attributes",
      "lint-attributes"
    ),
    ("bundles without code", ["bundle-executable"], "lint-bundle", "ios-zip"),
    ("arm64, armv7, armv7s", ["missing-architecture"], "missing-architecture", "ios-zip"),
    ("target iOS 7", ["minimum-os"], "host-ios-code", "host-ios-code"),
    ("no method swizzling", ["swizzling"], "host-ios-code", "host-ios-code"),
    ("one prefix for files and classes", ["unprefixed-class"], "host-ios-code", "host-ios-code"),
    ("no UISplitViewController", ["unsupported-class"], "host-ios-code", "host-ios-code"),
    ("only listed frameworks", ["unsupported-framework"], "host-ios-code", "host-ios-code"),
    ("no copies of the host's libraries", ["provided-by-host"], "host-ios-code", "host-ios-code"),
    ("Swift", ["swift-code"], "host-ios-code", "host-ios-code"),
    ("ViewControllerClassName", ["entry-class"], "host-ios-code", "host-ios-code"),
    ("npiWithJSON: or initWithJSON:", ["entry-initializer"], "host-ios-code", "host-ios-code"),
    ("FragmentClassName", ["entry-class"], "host-android-code", "host-android-code"),
    ("one JSON object of strings", ["config-keys"], "config-keys", "ios-zip"),
    ("the structure of an AAR", ["aar-structure"], "lint-aar", "host-android-code"),
    ("compile SDK 22, target 22, from 14 on", ["minimum-sdk", "target-sdk"], "lint-aar", "lint-aar"),
    ("no Info.plist, no linker flags", ["needs-linker-flag", "needs-info-plist"], "host-ios-code", "host-ios-code"),
    ("nothing against the stores' guidelines", ["private-api"], "host-ios-code", "host-ios-code"),
    ("JDK 1.5", ["class-version"], "host-android-code", "host-android-code"),
    ("third-party libraries, but for the host's", ["provided-by-host"], "host-android-code", "host-android-code"),
    ("no class twice", ["duplicate-class"], "lint-aar", "lint-aar"),
    ("no MapFragment, no titles of action bars", ["unsupported-class"], "host-android-code", "host-android-code"),
    ("shared code in one plugin only", ["duplicate-symbol"], "check-app", "check-unprefixed-helper"),
  ]

  @Test(arguments: rows.map(\.requirement)) func isHeld(_ requirement: String) throws {
    let row = try #require(Self.rows.first { $0.requirement == requirement })
    let (refusing, passing) = (try runs(row.refused), try runs(row.passing))
    for rule in row.rules {
      #expect(RuleCatalogue.entry(rule) != nil)
      let isRefused = { (run: String) in Level.allCases.contains { run.contains("\($0.rawValue)[\(rule)]") } }
      #expect(refusing.contains(where: isRefused), "nothing is refused by \(rule) in \(row.refused)")
      #expect(
        passing.contains { $0.contains("npi-pack") && !isRefused($0) && !$0.contains("npi-pack: error") },
        "nothing passes \(rule) in \(row.passing)")
    }
  }

  /// The commands of a scenario, each with what it prints.
  private func runs(_ scenario: String) throws -> [String] {
    let file = try #require(EndToEndTests.files[scenario])
    return Array(try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n=== run ").dropFirst())
  }
}
