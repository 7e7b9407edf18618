import Foundation
import SystemPackage
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// `--watch`: builds again when something changes that the build depends on, and says what.
@Suite struct WatchTests {
  private static let manifest = """
    name: Demo
    version: 1.0
    rules: { missing-library: off, empty-deliverable: off }
    steps:
      join:
        shell: "cat src/*.txt ../tool > build/joined && echo ran >> ../log && touch src/of-the-step build/other"
        inputs: ["src/**/*.txt"]
        outputs: [build/joined]
    deliverables:
      ios: { kind: ios-zip, items: [build/joined] }
    """

  /// A build that watches, and what it has said of its rounds.
  private struct Watch {
    let build: RunningBuild

    /// Waits until so many rounds are over; the text of the last one.
    func round(_ number: Int) async throws -> String {
      for _ in 0..<1500 {
        let parts = build.err.components(separatedBy: "; Ctrl-C ends it\n")
        if parts.count > number { return parts[number - 1] }
        guard build.isRunning else { throw ToolError("it has ended: \(build.err)") }
        try await Task.sleep(for: .milliseconds(20))
      }
      build.signal(SIGKILL)
      throw ToolError("round \(number) did not come: \(build.err)")
    }
  }

  @Test(.timeLimit(.minutes(20))) func buildsOnChange() async throws {
    let scratch = Scratch()
    try scratch.write("tool", "")
    try scratch.write("p/npi.yml", Self.manifest)
    try scratch.write("p/src/a.txt", "a\n")
    let watch = Watch(build: try RunningBuild(["--watch", "-j", "1"], in: scratch("p")))
    #expect(try await watch.round(1).hasSuffix("npi-pack: watching 2 files"))
    #expect(Scenario.masked(watch.build.out).hasSuffix("made dist/Demo-1.0.release.json  (N bytes, sha256 …)\n"))

    // A file that is there, a new one in a new folder, several at once, one that is gone.
    try scratch.write("p/src/a.txt", "aa\n")
    #expect(try await watch.round(2).hasPrefix("npi-pack: changed: src/a.txt\n[1/3] run join\n"))
    #expect(try scratch.text("p/build/joined") == "aa\n")
    try scratch.write("p/src/more/b.txt", "b\n")
    #expect(try await watch.round(3).hasPrefix("npi-pack: changed: src/more/b.txt (new)\n"))
    // Written elsewhere first: on a busy machine that may take longer than a pause between two changes.
    for name in "cdefghi" { try scratch.write("p/new/\(name).txt", "\(name)\n") }
    for name in "cdefghi" {
      try FileManager.default.moveItem(
        atPath: scratch("p/new/\(name).txt").string, toPath: scratch("p/src/\(name).txt").string)
    }
    let many = "src/c.txt (new), src/d.txt (new), src/e.txt (new), src/f.txt (new), src/g.txt (new) and 2 more"
    #expect(try await watch.round(4).hasPrefix("npi-pack: changed: \(many)\n"))
    try scratch.remove("p/src/c.txt")
    #expect(try await watch.round(5).hasPrefix("npi-pack: changed: src/c.txt (gone)\n"))
    #expect(try scratch.text("p/build/joined") == "aa\nd\ne\nf\ng\nh\ni\n")

    // What no step reads, what steps make, and what npi-pack writes: nothing.
    let before = try scratch.text("log")
    try scratch.write("p/README", "read\n")
    try scratch.write("p/build/joined", "changed\n")
    try scratch.write("p/dist/note", "note\n")
    try await Task.sleep(for: .milliseconds(600))
    #expect(watch.build.err.components(separatedBy: "changed:").count == 5)

    // A mistake in the manifest ends nothing, and is watched until it is mended.
    try scratch.write("p/npi.yml", Self.manifest + "\n  ios: twice\n")
    let broken = try await watch.round(6)
    #expect(broken.hasPrefix("npi-pack: changed: npi.yml\n") && broken.contains("error: "), "\(broken)")
    #expect(try scratch.text("log") == before)
    try scratch.write("p/npi.yml", Self.manifest + "\n  config: { kind: config }\n")
    #expect(try await watch.round(7).contains("] config Demo-1.0.json\n"))

    // A step that fails, and one whose input is not there.
    try scratch.remove("tool")
    try scratch.write("p/src/a.txt", "aaa\n")
    #expect(try await watch.round(8).contains("error: run join: it ended with status 1\n"))
    try scratch.write("tool", "")
    for name in ["a", "d", "e", "f", "g", "h", "i", "more/b"] { try scratch.remove("p/src/\(name).txt") }
    #expect(try await watch.round(9).contains("matches nothing"))
    try scratch.write("p/src/z.txt", "z\n")
    #expect(try await watch.round(10).contains("npi-pack: changed: src/z.txt (new)\n"))
    #expect(try scratch.text("p/build/joined") == "z\n")

    watch.build.signal(SIGINT)
    #expect(try await blocking { watch.build.end() } == -SIGINT)
  }

  /// What a recipe beside the manifest, a configuration and a depfile name is watched, too.
  @Test(.timeLimit(.minutes(20))) func watchesWhatTheBuildHasRead() async throws {
    let scratch = Scratch()
    try scratch.write(
      "p/npi.yml",
      """
      name: Demo
      version: 1.0
      extends: ./host.yml
      steps:
        s:
          shell: "cat a.c include/a.h > build/a.o; echo 'build/a.o: a.c include/a.h' > build/a.d"
          inputs: [a.c]
          outputs: [build/a.o]
          depfile: build/a.d
      """)
    for name in ["p/a.c", "p/include/a.h"] { try scratch.write(name, "1\n") }
    try scratch.write("p/host.yml", "rules: { missing-library: off, empty-deliverable: off }\n")
    try scratch.write("config.yml", "key: value\n")
    let words = ["s", "--watch", "--config", scratch("config.yml").string]
    let watch = Watch(build: try RunningBuild(words, in: scratch("p")))
    #expect(try await watch.round(1).hasSuffix("npi-pack: watching 5 files"))
    try scratch.write("p/include/a.h", "2\n")
    #expect(try await watch.round(2).hasPrefix("npi-pack: changed: include/a.h\n[1/1] run s\n"))
    try scratch.write("p/host.yml", "rules: { missing-library: warning, empty-deliverable: off }\n")
    #expect(try await watch.round(3).hasPrefix("npi-pack: changed: host.yml\n"))
    try scratch.write("config.yml", "key: other\n")
    #expect(try await watch.round(4).hasPrefix("npi-pack: changed: \(scratch("config.yml"))\n"))
    watch.build.signal(SIGTERM)
    #expect(try await blocking { watch.build.end() } == -SIGTERM)
  }

  /// Whatever links lead to: in the tree, out of it, to what is not there yet; and a link that comes to lead elsewhere.
  @Test(.timeLimit(.minutes(20))) func watchesBehindLinks() async throws {
    let scratch = Scratch()
    try scratch.write(
      "p/npi.yml",
      """
      name: Demo
      version: 1.0
      extends: ./host.yml
      steps:
        s: { shell: "cat near far folder/f > out/s", inputs: [near, far, folder/f], outputs: [out/s] }
      """)
    for name in ["p/deep/f", "outside/f", "other/f"] { try scratch.write(name, "1\n") }
    try scratch.write("hosts/host.yml", "rules: { missing-library: off }\n")
    for (path, target) in [
      ("p/near", "middle"), ("p/middle", "deep/f"), ("p/far", "../outside/f"), ("p/folder", "../other"),
      ("p/host.yml", "../hosts/host.yml"),
    ] { try scratch.link(path, to: target) }
    let watch = Watch(build: try RunningBuild(["s", "--watch"], in: scratch("p")))
    _ = try await watch.round(1)
    try scratch.write("p/deep/f", "2\n")
    #expect(try await watch.round(2).hasPrefix("npi-pack: changed: near\n[1/1] run s\n"))
    try scratch.write("outside/f", "2\n")
    #expect(try await watch.round(3).hasPrefix("npi-pack: changed: far\n"))
    try scratch.write("hosts/host.yml", "rules: { missing-library: warning }\n")
    #expect(try await watch.round(4).hasPrefix("npi-pack: changed: host.yml\n"))
    try scratch.write("third/f", "3\n")
    try await Tool.check(["ln", "-sfn", "../third", scratch("p/folder").string])
    #expect(try await watch.round(5).hasPrefix("npi-pack: changed: folder/f\n"))
    #expect(try scratch.text("p/out/s") == "2\n2\n3\n")
    try scratch.remove("outside/f")
    #expect(try await watch.round(6).contains("npi-pack: changed: far (gone)\n"))
    try scratch.write("outside/f", "4\n")
    #expect(try await watch.round(7).contains("npi-pack: changed: far (new)\n[1/1] run s\n"))
    watch.build.signal(SIGINT)
    #expect(try await blocking { watch.build.end() } == -SIGINT)
  }

  /// A commit and a tag change the version; that git is asked for it changes nothing.
  @Test(.timeLimit(.minutes(20))) func watchesTags() async throws {
    let scratch = Scratch()
    try scratch.write("p/npi.yml", "name: Demo\ndeliverables: { json: { kind: config } }\n")
    func git(_ words: String...) async throws {
      let who = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"]
      try await Tool.check(["git", "-C", scratch("p").string] + who + words)
    }
    try await git("init", "-q")
    try scratch.write("p/.gitignore", "dist\n")
    try await git("add", ".")
    try await git("commit", "-qm", "first")
    try await git("tag", "v1.0.0")
    let watch = Watch(build: try RunningBuild(["json", "--watch", "--version-from", "git"], in: scratch("p")))
    _ = try await watch.round(1)
    try await git("commit", "-q", "--allow-empty", "-m", "second")
    #expect(try await watch.round(2).hasPrefix("npi-pack: changed: .git/logs/HEAD\n"))
    try await git("tag", "v1.1.0")
    #expect(try await watch.round(3).hasPrefix("npi-pack: changed: .git/refs/tags/v1.1.0 (new)\n"))
    #expect(scratch.exists("p/dist/Demo-1.1.0.json"))
    watch.build.signal(SIGINT)
    #expect(try await blocking { watch.build.end() } == -SIGINT)
  }
}
