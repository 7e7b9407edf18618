import Foundation
import SystemPackage
import TestSupport
import Testing

/// The page that teaches a host of one's own: what it shows works, and is as short as it says.
@Suite struct RecipePageTests {
  private static let page = ExamplePlugin.folder.removingLastComponent().removingLastComponent().appending("README.md")

  private func text() throws -> String { try String(contentsOfFile: Self.page.string, encoding: .utf8) }

  @Test func `the host of the page works`() async throws {
    let parts = try text().components(separatedBy: "```")
    let recipe = try #require(parts.first { $0.hasPrefix("yaml\n") }).dropFirst("yaml\n".count)
    let lines = recipe.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count <= 20)
    let scratch = Scratch()
    try scratch.write("our-host.yml", String(recipe))
    try scratch.write(
      "npi.yml",
      """
      name: Shop
      version: 1.0.0
      extends: ./our-host.yml
      config: { theme: blue }
      deliverables: { ios: { kind: ios-zip, items: [libShop.a] }, config: { kind: config } }
      """)
    try scratch.write("shop.c", "int ok_start(void) { return 0; }")
    try await Tool.check(
      ["clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-c", "shop.c"], in: scratch.path)
    try await Tool.check(["llvm-ar-19", "--format=darwin", "rcsD", "libShop.a", "shop.o"], in: scratch.path)
    let result = try await Tool.run([Scenario.binary.string, "-k"], in: scratch.path)
    #expect(result.status == 1)
    let found = result.out.split(separator: "\n").filter { $0.hasPrefix("error[") }
    #expect(
      found == [
        "error[config-keys]: the configuration has no EntryClass, and there is an iOS deliverable",
        "error[config-keys]: theme is 'blue': it must be light or dark",
        "error[minimum-os]: libShop.a runs on iOS 13.0 and later: apps of this host run on 12.0",
        "error[provided-by-host]: libShop.a has a copy of OurKit, which apps of this host have already",
      ], "\(result.out)")
  }

  @Test func `every recipe is listed`() async throws {
    let recipes = try await Tool.check([Scenario.binary.string, "recipes"])
    let page = try text()
    for line in recipes.split(separator: "\n") {
      let name = line.prefix { $0 != " " }
      #expect(page.contains("| `\(name)` |"), "\(name)")
    }
  }
}
