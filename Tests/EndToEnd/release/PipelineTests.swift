import Foundation
import SystemPackage
import TestSupport
import Testing

#if os(Linux)
  /// How npi-pack gets to others: its tarball, and the files for their pipelines, each run as the pipeline would.
  @Suite struct PipelineTests {
    private static let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().removingLastComponent()
    private static let name = "npi-pack-0.1.0-linux-x86_64"

    /// The tarball of the binary that the tests run, made once.
    private static let packed = Task {
      let scratch = Scratch()
      try await pack(into: scratch("a"))
      return scratch
    }

    private static func pack(into folder: FilePath, umask: String = "022") async throws {
      let prefix = Scenario.binary.removingLastComponent().removingLastComponent()
      try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
      let tarball = folder.appending("\(name).tar.gz").string
      try await Tool.check(
        ["sh", "-c", "umask \(umask); exec sh Recipes/packaging/tarball.sh \"$@\"", "sh", tarball, prefix.string],
        in: root)
      try await Tool.check(
        [
          "sh", "Recipes/packaging/formula.sh", tarball, folder.appending("npi-pack.rb").string,
          folder.appending("Dockerfile").string,
        ], in: root, environment: ["URL": "https://example.com/npi-pack"])
    }

    private static func sum(_ file: FilePath) async throws -> String {
      String(try await Tool.check(["sha256sum", file.string]).prefix(64))
    }

    // MARK: The tarball

    @Test func theTarballIsTheSameUnderAnotherUmask() async throws {
      let scratch = try await Self.packed.value
      try await Self.pack(into: scratch("b"), umask: "077")
      for file in ["\(Self.name).tar.gz", "npi-pack.rb", "Dockerfile"] {
        #expect(try scratch.read("a/\(file)") == scratch.read("b/\(file)"), "\(file)")
      }
    }

    /// Debian 12 has version 2.36 of the C library and Ubuntu 22.04 has 2.35. The libraries are those that the Dockerfile
    /// installs.
    @Test func itRunsWhereThereIsNoSwift() async throws {
      let scratch = try await Self.packed.value
      try await Tool.check(["tar", "-xzf", "a/\(Self.name).tar.gz"], in: scratch.path)
      let binary = scratch("\(Self.name)/bin/npi-pack").string
      let versions = try await Tool.check(
        ["sh", "-c", "readelf -V \"$1\" | grep -o 'GLIBC_2[.0-9]*' | sort -Vu | tail -1", "sh", binary])
      let minor = try #require(
        Int(versions.trimmingCharacters(in: .whitespacesAndNewlines).dropFirst("GLIBC_2.".count)))
      #expect(minor <= 35, "\(versions)")
      let needed = try await Tool.check(
        [
          "sh", "-c",
          """
          ldd "$1" | sed -n 's/.* => \\(.*\\) (.*/\\1/p' | while read -r file; do
            dpkg -S "$(readlink -f "$file")" | sed 's/:.*//'; done | sort -u
          """, "sh", binary,
        ])
      let dockerfile = try scratch.text("a/Dockerfile")
      for package in needed.split(separator: "\n") where package != "libc6" {
        #expect(dockerfile.contains(" \(package) "), "\(package)")
      }
      let swift = try await Tool.check(["sh", "-c", "readlink -f \"$(command -v swift)\""])
      let toolchain = FilePath(swift.trimmingCharacters(in: .whitespacesAndNewlines)).removingLastComponent()
        .removingLastComponent()
      try await ExamplePlugin.copy(to: scratch)
      let away = [
        "bwrap", "--dev-bind", "/", "/", "--tmpfs", toolchain.string, "--setenv", "PATH", "/usr/bin:/bin", "--", binary,
      ]
      #expect(try await Tool.check(away + ["--version"]).contains("0.1.0"))
      let planned = try await Tool.check(away + ["build", "-n"], in: scratch("plugin"))
      #expect(planned.contains("RallyConnector-1.4.0.aar"))
    }

    @Test func theFormulaAndTheDockerfileTakeIt() async throws {
      let scratch = try await Self.packed.value
      let formula = try scratch.text("a/npi-pack.rb")
      #expect(formula.contains("sha256 \"\(try await Self.sum(scratch("a/\(Self.name).tar.gz")))\""))
      #expect(formula.contains("url \"https://example.com/npi-pack/0.1.0/\(Self.name).tar.gz\""))
      // Each file that the formula installs is in the tarball.
      let entries = try await Tool.check(["tar", "-tzf", "a/\(Self.name).tar.gz"], in: scratch.path).split(
        separator: "\n")
      for line in formula.split(separator: "\n") where line.contains(".install \"") {
        let file = line.split(separator: "\"")[1]
        #expect(entries.contains { $0 == "\(Self.name)/\(file)" }, "\(file)")
      }
      #expect(try scratch.text("a/Dockerfile").contains("ADD \(Self.name).tar.gz /opt\n"))
    }

    @Test func theManifestOfItsReleaseHasItsVersion() async throws {
      let version = try await Tool.check([Scenario.binary.string, "--version"])
      #expect(version.contains("0.1.0"))
      let planned = try await Tool.check(
        [Scenario.binary.string, "build", "-n", "-f", ".npi.yml", "--set", "x=y"], in: Self.root)
      for file in ["\(Self.name).tar.gz", "npi-pack.rb", "Dockerfile", "npi-pack-0.1.0.release.json"] {
        #expect(planned.contains(file), "\(planned)")
      }
    }

    // MARK: Pipelines

    /// The scripts of a file, as its pipeline gives them to a shell.
    private static func scripts(_ path: String, _ expression: String) async throws -> [String] {
      let code = "import json, sys, yaml; y = yaml.safe_load(open(sys.argv[1])); print(json.dumps(\(expression)))"
      let text = try await Tool.check(["python3", "-c", code, root.pushing(FilePath(path)).string])
      return try JSONDecoder().decode([String].self, from: Data(text.utf8))
    }

    @Test func theGitHubActionInstallsAndRuns() async throws {
      let packed = try await Self.packed.value
      let scratch = Scratch()
      try await ExamplePlugin.copy(to: scratch)
      let tarball = packed("a/\(Self.name).tar.gz")
      let steps = try await Self.scripts("Recipes/ci/github/action.yml", "[s['run'] for s in y['runs']['steps']]")
      try #require(steps.count == 2)
      var install = [
        "RUNNER_TEMP": scratch("temp").string, "GITHUB_PATH": scratch("path").string, "URL": "file://\(tarball)",
        "SHA256": try await Self.sum(tarball),
      ]
      #expect(try await Tool.check(["sh", "-c", steps[0]], environment: install).contains("0.1.0"))
      let folder = try scratch.text("path").trimmingCharacters(in: .newlines)
      let run = ["PATH": "\(folder):\(Tool.path)", "ARGUMENTS": "build --format github", "DIRECTORY": "plugin"]
      try await Tool.check(["sh", "-c", steps[1]], in: scratch.path, environment: run)
      #expect(scratch.exists("plugin/\(ExamplePlugin.aar)"))
      // Another file at the address, and a command that fails, fail the job.
      install["SHA256"] = String(repeating: "0", count: 64)
      #expect(try await Tool.run(["sh", "-c", steps[0]], environment: install).status != 0)
      let failed = try await Tool.run(
        ["sh", "-c", steps[1]], in: scratch.path,
        environment: run.merging(["ARGUMENTS": "lint *.none"]) { $1 })
      #expect(failed.status != 0 && failed.err.contains("*.none"), "\(failed.err)")
    }

    @Test func theGitLabJobInstallsAndRuns() async throws {
      let packed = try await Self.packed.value
      let scratch = Scratch()
      try await ExamplePlugin.copy(to: scratch)
      try FileManager.default.createDirectory(atPath: scratch("temp").string, withIntermediateDirectories: true)
      let tarball = packed("a/\(Self.name).tar.gz")
      let job = "y['.npi-pack']"
      let lines = try await Self.scripts(
        "Recipes/ci/gitlab/npi-pack.yml", "\(job)['before_script'] + \(job)['script']")
      let defaults = try await Self.scripts(
        "Recipes/ci/gitlab/npi-pack.yml", "[k + '=' + v for k, v in \(job)['variables'].items()]")
      var variables = ["TMPDIR": scratch("temp").string, "NPI_PACK_URL": "file://\(tarball)"]
      variables["NPI_PACK_SHA256"] = try await Self.sum(tarball)
      for line in defaults {
        let parts = line.split(separator: "=", maxSplits: 1)
        variables[String(parts[0])] = String(parts[1])
      }
      // One shell runs both scripts.
      let script = ["sh", "-c", lines.joined(separator: "\n")]
      try await Tool.check(script, in: scratch("plugin"), environment: variables)
      #expect(scratch.exists("plugin/\(ExamplePlugin.aar)"))
      #expect(try scratch.text("plugin/npi-pack.xml").contains("<testsuite"))
      variables["NPI_PACK_SHA256"] = String(repeating: "0", count: 64)
      #expect(try await Tool.run(script, in: scratch("plugin"), environment: variables).status != 0)
    }

    @Test func theHooksOfPreCommitRun() async throws {
      let scratch = Scratch()
      try await ExamplePlugin.copy(to: scratch)
      let hooks = try await Self.scripts(
        ".pre-commit-hooks.yaml", "[h['entry'] + '|' + h['files'] for h in y]")
      try #require(hooks.count == 2)
      let bin = ["PATH": "\(Scenario.binary.removingLastComponent()):\(Tool.path)"]
      func run(_ index: Int, _ files: [String]) async throws -> ToolResult {
        let parts = hooks[index].split(separator: "|", maxSplits: 1).map(String.init)
        // pre-commit selects the files by the expression, in Python's form.
        let code = "import re, sys; print('\\n'.join(f for f in sys.argv[2:] if re.search(sys.argv[1], f)))"
        let chosen = try await Tool.check(["python3", "-c", code, parts[1]] + files).split(separator: "\n")
        let words = parts[0].split(separator: " ").map(String.init)
        return try await Tool.run(
          words + (index == 0 ? [] : chosen.map(String.init)), in: scratch("plugin"), environment: bin)
      }
      #expect(try await run(0, ["npi.yml"]).status == 0)
      try scratch.write("plugin/libBad.a", "!<arch>\nbad")
      #expect(try await run(1, ["libBad.a", "npi.yml"]).status != 0)
      try scratch.write("plugin/npi.yml", "name: x\n")
      #expect(try await run(0, ["npi.yml"]).status != 0)
    }

    @Test func theCommandOfASwiftPackageRuns() async throws {
      let scratch = Scratch()
      try await ExamplePlugin.copy(to: scratch)
      try await Tool.check(["cp", "-R", Self.root.pushing("Recipes/ci/swiftpm").string, scratch("tool").string])
      try scratch.write(
        "plugin/Package.swift",
        """
        // swift-tools-version: 5.9
        import PackageDescription
        let package = Package(
          name: "Rally", dependencies: [.package(name: "npi-pack-plugin", path: "../tool")],
          targets: [.target(name: "Rally", path: "swift")])
        """)
      try scratch.write("plugin/swift/Rally.swift", "")
      let bin = ["PATH": "\(Scenario.binary.removingLastComponent()):\(Tool.path)"]
      func command(_ words: [String]) async throws -> ToolResult {
        try await Tool.run(
          ["swift", "package", "--disable-sandbox", "--allow-writing-to-package-directory", "npi-pack"] + words,
          in: scratch("plugin"), environment: bin)
      }
      let built = try await command(["build"])
      #expect(built.status == 0, "\(built.all)")
      #expect(scratch.exists("plugin/\(ExamplePlugin.aar)"))
      let failed = try await command(["lint", "nothing.a"])
      #expect(failed.status != 0 && failed.all.contains("nothing.a"), "\(failed.all)")
    }
  }
#endif
