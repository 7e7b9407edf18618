import Foundation
import SystemPackage
import Testing
import TestSupport

/// Apple's metadata, planted everywhere in a plugin's tree.
@Suite struct CleanTests {
  private func plantedPlugin() async throws -> Scratch {
    let scratch = Scratch()
    try await ExamplePlugin.copy(to: scratch)
    let double =
      "\\000\\005\\026\\007\\000\\002\\000\\000Mac OS X        \\000\\001\\000\\000\\000\\002\\000\\000\\000\\046\\000\\000\\000\\002xx"
    try await Tool.check(
      [
        "sh", "-c",
        """
        set -e
        mkdir 'ios/RallyConnector.bundle/empty'
        find . -type d | while read d; do
          : > "$d/.DS_Store"; : > "$d/.localized"; : > "$d/$(printf 'Icon\\r')"
          mkdir "$d/__MACOSX" "$d/.fseventsd" "$d/.Trashes" "$d/.Spotlight-V100"; : > "$d/__MACOSX/._x"; : > "$d/.fseventsd/log"
          printf '\(double)' > "$d/._npi"
        done
        find . -type f ! -name '.*' | while read f; do
          setfattr -n user.com.apple.quarantine -v '0081;5f;Safari;' "$f"
          setfattr -n user.com.apple.ResourceFork -v fork "$f"
          setfattr -n user.com.apple.metadata:kMDItemWhereFroms -v here "$f"
        done
        setfattr -n user.com.apple.FinderInfo -v info ios/RallyConnector.bundle
        """,
      ], in: scratch("plugin"))
    return scratch
  }

  /// Every name, mode, digest and attribute below the folder.
  private func listing(_ folder: FilePath) async throws -> String {
    try await Tool.check(
      [
        "sh", "-c",
        """
        find ios npi.yml -print0 | LC_ALL=C sort -z | xargs -0 stat -c '%n %a %s %Y'
        find ios npi.yml -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum
        getfattr -R -d -m - ios npi.yml
        """,
      ],
      in: folder)
  }

  @Test func nothingGetsIntoTheOutputsAndTheSourceStaysAsItIs() async throws {
    let clean = try await ExamplePlugin.packed.value
    let scratch = try await plantedPlugin()
    let before = try await listing(scratch("plugin"))
    let result = try await Tool.run([Scenario.binary.string], in: scratch("plugin"))
    #expect(result.status == 0, "\(result.all)")
    #expect(result.err.contains("left out: "), "\(result.err)")
    #expect(try await listing(scratch("plugin")) == before)
    // The folder that is empty but for metadata is an empty folder.
    let names = try await Tool.check(["unzip", "-Z", "-1", ExamplePlugin.zip], in: scratch("plugin"))
    let expected = try await Tool.check(["unzip", "-Z", "-1", ExamplePlugin.zip], in: clean("plugin"))
    let all: [Substring] = expected.split(separator: "\n") + ["RallyConnector.bundle/empty/"]
    #expect(Set(names.split(separator: "\n")) == Set(all))
    let attributes = try await Tool.check(["getfattr", "-R", "-d", "-m", "user", "dist"], in: scratch("plugin"))
    #expect(attributes.isEmpty)
  }

  @Test func stripRemovesThemAllAndASecondRunFindsNothing() async throws {
    let scratch = try await plantedPlugin()
    let plain = Scratch()
    try await ExamplePlugin.copy(to: plain)
    let dry = try await Tool.run([Scenario.binary.string, "strip", "--dry-run", "plugin"], in: scratch.path)
    #expect(dry.status == 1 && dry.out.contains("would remove"))
    let first = try await Tool.run([Scenario.binary.string, "strip", "plugin"], in: scratch.path)
    #expect(first.status == 0, "\(first.all)")
    let second = try await Tool.run([Scenario.binary.string, "strip", "--dry-run", "plugin"], in: scratch.path)
    #expect(second.status == 0, "\(second.all)")
    try await Tool.check(["rmdir", scratch("plugin/ios/RallyConnector.bundle/empty").string])
    try await Tool.check(["diff", "-r", scratch("plugin").string, plain("plugin").string])
    #expect(try await Tool.check(["getfattr", "-R", "-d", "-m", "user", "plugin"], in: scratch.path).isEmpty)
  }
}
