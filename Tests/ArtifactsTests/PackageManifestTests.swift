import Testing

@testable import Artifacts

@Suite struct PackageManifestTests {
  private func targets(_ text: String) -> [PackageManifest.Target] { PackageManifest(Array(text.utf8)).targets }

  @Test func plainCallsCount() {
    let text = """
      targets: [
        .binaryTarget(name: "A", path: "a/A.xcframework"), .binaryTarget( path : "B", name : "B" ),
        Target.binaryTarget(name: "C", url: "https://x/C.zip", checksum: f("name", [1, ")"])),
      ]
      """
    #expect(
      targets(text) == [
        .init(name: "A", path: "a/A.xcframework", url: nil), .init(name: "B", path: "B", url: nil),
        .init(name: "C", path: nil, url: "https://x/C.zip"),
      ])
  }

  @Test(arguments: [
    "// .binaryTarget(name: \"A\", path: \"A\")", "/* /* */ .binaryTarget(name: \"A\", path: \"A\") */",
    "let text = \".binaryTarget(name: A, path: A)\"", "\"\"\"\n.binaryTarget(name: \"A\", path: \"A\")\n\"\"\"",
    ".binaryTarget(name: name, path: \"A\")", ".binaryTarget(name: \"\\(name)\", path: \"A\")", "binaryTarget", "",
  ])
  func othersDoNot(_ text: String) { #expect(targets(text).isEmpty) }

  /// Every beginning of a text ends with an answer.
  @Test func cutTexts() {
    let text = Array(
      "/* a */ .binaryTarget(name: \"A\\\"\", path: \"\"\"\nx\n\"\"\", [\"B\"]) // é\n.binaryTarget(name: \"C\", path: \"D\")"
        .utf8)
    for count in 0...text.count { #expect(PackageManifest(Array(text.prefix(count))).targets.count <= 2) }
  }
}
