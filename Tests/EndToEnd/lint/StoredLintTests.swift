#if os(Linux)
  import SystemPackage
  import Testing
  import TestSupport

  /// A lint in which nothing has changed gives the answer of the one before, and does not open the deliverables. One in
  /// which something has changed says what a lint without a store says.
  @Suite("stored answers of lint") struct StoredLintTests {
    /// A plugin's project with a zip, an AAR and a folder.
    private static func project() async throws -> Scratch {
      let scratch = Scratch()
      try scratch.write("npi.yml", "name: Story\nversion: 1.0.0\nextends: mobilesmith\n")
      try scratch.write("own.yml", "extends: mobilesmith\nrules: {archive-structure: warning}\n")
      try scratch.write("tree/Story.bundle/text.txt", "one")
      try scratch.write("tree/AndroidManifest.xml", "<manifest package=\"com.example\"/>")
      try scratch.write("config.json", "{}")
      try scratch.write(
        "Info.plist", "<plist><dict><key>CFBundleIdentifier</key><string>com.example</string></dict></plist>")
      let files =
        "cd tree && zip -qr ../Story-1.0.0-ios.zip Story.bundle && zip -q ../Story-1.0.0-android.aar AndroidManifest.xml"
      try await Tool.check(["sh", "-c", files], in: scratch.path)
      let baseline = ["Story-1.0.0-ios.zip", "--write-baseline", "known.json"]
      try await Tool.check([Scenario.binary.string, "lint"] + baseline, in: scratch.path)
      return scratch
    }

    private static func lint(
      _ words: [String], in scratch: Scratch, _ variables: [String: String?] = [:]
    ) async throws -> (run: ToolResult, opens: Int) {
      // The names in a folder are looked up each time.
      let file = words[0] == "tree" ? "tree/AndroidManifest.xml" : words[0]
      let (result, counts) = try await OpenCounter.run(
        [Scenario.binary.string, "lint"] + words, counting: [scratch(file)], in: scratch.path,
        environment: variables)
      return (result, counts[0])
    }

    private static let changes: [(words: [String], change: String)] = [
      (["Story-1.0.0-ios.zip"], "touch .DS_Store && zip -q Story-1.0.0-ios.zip .DS_Store"),
      (["Story-1.0.0-ios.zip"], "touch -r npi.yml then && sed -i s/mobilesmith/sdk/ npi.yml && touch -r then npi.yml"),
      (["Story-1.0.0-ios.zip", "--recipe", "own.yml"], "echo 'rules: {archive-structure: error}' >> own.yml"),
      (["Story-1.0.0-ios.zip", "config.json"], "echo '{' > config.json"),
      (["Story-1.0.0-android.aar", "--format", "json"], "zip -qd Story-1.0.0-android.aar AndroidManifest.xml"),
      (["tree"], "touch tree/Story.bundle/.DS_Store"),
      (["tree"], "python3 -c 'import os; os.setxattr(\"tree/Story.bundle\", \"user.com.apple.quarantine\", b\"x\")'"),
      (
        ["tree"],
        "python3 -c 'import os; os.setxattr(\"tree/Story.bundle/text.txt\", \"user.com.apple.quarantine\", b\"x\")'"
      ),
      (["Story-1.0.0-ios.zip", "--baseline", "known.json"], "rm known.json"),
      (["tree", "--app", "Info.plist"], "echo '{}' > Info.plist"),
      (["tree", "--format", "json"], "cp config.json tree/._text"),
    ]

    @Test("after a change", .timeLimit(.minutes(20)), arguments: changes)
    func change(_ words: [String], _ change: String) async throws {
      let scratch = try await Self.project()
      let store: [String: String?] = ["NPI_PACK_STORE": scratch("store").string]
      // A stamp is believed once it can no longer stay the same under a change.
      try await Task.sleep(for: .milliseconds(2500))
      let first = try await Self.lint(words, in: scratch, store)
      let second = try await Self.lint(words, in: scratch, store)
      #expect(first.opens > 0)
      #expect(second.opens == 0)
      #expect(first.run == second.run)
      try await Tool.check(["sh", "-c", change], in: scratch.path)
      let new = try await Self.lint(words, in: scratch).run
      #expect(new != first.run)
      #expect(try await Self.lint(words, in: scratch, store).run == new)
    }
  }
#endif
