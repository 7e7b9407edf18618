import Artifacts
import Store
import SystemPackage
import TestSupport
import Testing

@testable import Check

/// The plugins that are read before the apps that have them in common.
@Suite struct SharedPluginsTests {
  @Test func whatSeveralAppsNameAndCopies() async throws {
    let scratch = Scratch()
    for (name, text) in [
      ("own.zip", "PK"), ("both.zip", "PK"), ("a/copy.zip", "PK copy"), ("b/copy.zip", "PK copy"),
      ("a/other.zip", "PK"), ("b/other.zip", "PK of another size"), ("F.framework/F", "F"),
    ] {
      try scratch.write(name, text)
    }
    func named(_ names: [String]) async -> CheckPlugins { await CheckPlugins(apps: [], names.map { scratch($0) }) }
    let first = await named(["own.zip", "both.zip", "a/copy.zip", "a/other.zip", "F.framework"])
    let second = await named(["both.zip", "b/copy.zip", "b/other.zip", "F.framework"])
    func shared(_ all: [CheckPlugins?]) -> [FilePath] { CheckPlugins.shared(by: all).map(\.path) }
    #expect(shared([first, nil, second]) == ["F.framework", "a/copy.zip", "both.zip"].map { scratch($0) })
    #expect(shared([first, nil]).isEmpty)
  }

  @Test func largeAppsAreCheckedAlone() async throws {
    let scratch = Scratch()
    try scratch.write("small.zip", "PK")
    try await Tool.check(["truncate", "-s", "100M", "large.zip"], in: scratch.path)
    let small = await CheckPlugins(apps: [], [scratch("small.zip")])
    let large = await CheckPlugins(apps: [], [scratch("large.zip")])
    #expect(CheckPlugins.atOnce([small, nil]) == min(4, HostProcess.processors))
    #expect(CheckPlugins.atOnce([small, large]) == 1)
  }

  @Test(
    arguments: [
      (["-ObjC"], false), (["-framework", "UIKit", "-lz"], false), (["-ObjC", "libLarge.a"], true),
      (["-filelist", "files.txt"], true),
    ] as [([String], Bool)])
  func aLineThatNamesFiles(_ words: [String], _ namesFiles: Bool) {
    var check = AppCheck()
    check.words = words
    #expect(check.namesFiles == namesFiles)
  }
}
