import Foundation
import SystemPackage
import Testing
import TestSupport

/// Checkouts that somebody prepared: nothing outside of them is changed, and nothing that they brought is shipped.
@Suite struct StrangersTreeTests {
  private static let manifest = """
    name: Strange
    version: 1.0
    rules: { missing-library: off, empty-deliverable: off }
    steps:
      deep: { shell: "mkdir -p build/deep/tree/a; cp src build/deep/tree/a/f", inputs: [src], outputs: [build/deep/tree] }
      slow: { shell: "cp src build/slow; cp src ../copied", inputs: [src], outputs: [build/slow] }
      pair: { kind: jar, resources: src, output: build/jars/pair.jar }
    deliverables:
      ios: { kind: ios-zip, items: [build/deep/tree, build/slow] }
      android: { kind: aar, manifest: AndroidManifest.xml, assets: assets }
      config: { kind: config }
    """
  private static let android = """
    <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.strange"/>
    """

  private static func write(to scratch: Scratch) throws {
    try scratch.write("p/npi.yml", manifest)
    try scratch.write("p/AndroidManifest.xml", android)
    try scratch.write("p/src", "source\n")
    try scratch.write("p/assets/a.txt", "asset\n")
    try scratch.write("outside/folder/f", "theirs\n")
    try scratch.write("outside/file", "theirs\n")
    // Names that npi-pack gives, so that a removal of what it made would find something.
    for name in ["log", "lock", "state", "deep/tree/a/f", "slow", "Strange-1.0.json", "1-1.held.npi-tmp"] {
      try scratch.write("outside/folder/\(name)", "theirs\n")
    }
  }

  private static let targets = ["deep", "slow", "pair", "ios", "android", "config", "release-record"]

  /// Every place in which a build writes anything: what appears in the tree, with all folders above it, and what is there
  /// only for a moment.
  private static func places() async throws -> [String] {
    let scratch = Scratch()
    try write(to: scratch)
    let before = Set(FileManager.default.subpaths(atPath: scratch("p").string) ?? [])
    for _ in 0..<3 {
      let result = try await Tool.run([Scenario.binary.string, "-j1"] + targets, in: scratch("p"))
      guard result.status == 0 else { throw ToolError(result.all) }
    }
    let after = Set(FileManager.default.subpaths(atPath: scratch("p").string) ?? [])
    let passing = [
      ".npi/aside", ".npi/clock", ".npi/state", ".npi/tmp", ".npi/tmp/1-1.held.npi-tmp", ".npi/aside/0-0",
    ]
    return Array(after.subtracting(before).union(passing)).sorted()
  }

  private static func listing(_ folder: FilePath) async throws -> String {
    try await Tool.check(
      [
        "sh", "-c",
        "find . -printf '%p %y %m %s %T@ %l\\n' | LC_ALL=C sort; find . -type f -exec sha256sum {} + | LC_ALL=C sort",
      ],
      in: folder)
  }

  /// In each place a link: to a folder, to a file, to nothing; relative, absolute, and a second name of a file.
  @Test(.timeLimit(.minutes(20))) func aLinkInEachPlace() async throws {
    let places = try await Self.places()
    #expect(places.count > 20, "\(places)")
    let kinds = ["folder", "file", "nothing", "absolute", "hard"]
    let problems = try await withThrowingTaskGroup(of: [String].self) { group in
      var problems: [String] = []
      for (number, (place, kind)) in places.flatMap({ place in kinds.map { (place, $0) } }).enumerated() {
        if number >= 8 { problems += try await group.next() ?? [] }
        group.addTask { try await Self.problems(place, kind) }
      }
      for try await more in group { problems += more }
      return problems
    }
    #expect(problems.isEmpty)
  }

  private static func problems(_ place: String, _ kind: String) async throws -> [String] {
    let scratch = Scratch()
    try write(to: scratch)
    let depth = place.split(separator: "/").count
    let out = String(repeating: "../", count: depth) + "outside/"
    switch kind {
    case "folder": try scratch.link("p/\(place)", to: out + "folder")
    case "file": try scratch.link("p/\(place)", to: out + "file")
    case "nothing": try scratch.link("p/\(place)", to: out + "new")
    case "absolute": try scratch.link("p/\(place)", to: scratch("outside/folder").string)
    default:
      try await Tool.check(["mkdir", "-p", scratch("p/\(place)").removingLastComponent().string])
      try await Tool.check(["ln", scratch("outside/file").string, scratch("p/\(place)").string])
    }
    let before = try await listing(scratch("outside"))
    var problems: [String] = []
    let timeout = ["timeout", "-s", "KILL", "60", Scenario.binary.string]
    for words in [
      ["-n"], ["why", "ios"], ["clean", "-n"], ["-j1"] + targets, ["clean"], ["-j1"] + targets, [], ["clean"],
    ] {
      let result = try await Tool.run(
        timeout + words, in: scratch("p"), environment: ["NPI_PACK_STORE": scratch("store").string])
      if ![0, 1, 2].contains(result.status) { problems.append("\(place), \(kind), \(words): status \(result.status)") }
      if result.status != 0, result.all.isEmpty { problems.append("\(place), \(kind), \(words): no word") }
      // A hard link is one file with two names: what is put in its place is another one.
      let now = try await listing(scratch("outside"))
      if now != before { problems.append("\(place), \(kind), \(words): outside was changed:\n\(result.all)\(now)") }
    }
    return problems
  }

  /// A tree that was built by somebody else, here: what they built from what is not declared is not shipped. Or built by the
  /// same user elsewhere, and copied with all its state.
  @Test(arguments: ["another user", "another folder"]) func stateOfOthersIsNotBelieved(_ whose: String) async throws {
    let scratch = Scratch()
    try scratch.write(
      "theirs/npi.yml",
      """
      name: Strange
      version: 1.0
      rules: { missing-library: off, empty-deliverable: off }
      steps:
        lib: { shell: "cp ../payload build/lib", inputs: [npi.yml], outputs: [build/lib] }
      deliverables:
        ios: { kind: ios-zip, items: [build/lib] }
      """)
    let stores = (0..<2).map { ["NPI_PACK_STORE": scratch("store\($0)").string, "XDG_STATE_HOME": nil as String?] }
    func run(_ words: [String], user: Int, _ tree: String = "p") async throws -> ToolResult {
      var environment = stores[user]
      if whose == "another user" { environment["XDG_STATE_HOME"] = scratch("user\(user)").string }
      return try await Tool.run([Scenario.binary.string] + words, in: scratch(tree), environment: environment)
    }
    try scratch.write("payload", "evil\n")
    if whose == "another user" { try await Tool.check(["mv", "theirs", "p"], in: scratch.path) }
    let first = whose == "another user" ? "p" : "theirs"
    for _ in 0..<3 { #expect(try await run([], user: 0, first).status == 0) }
    #expect(try await run([], user: 0, first).out == "npi-pack: nothing to do\n")
    if first == "theirs" { try await Tool.check(["cp", "-a", "theirs", "p"], in: scratch.path) }
    try scratch.write("payload", "good\n")
    let clean = try await run(["clean"], user: 1)
    #expect(clean.status == 0 && clean.out == "npi-pack: nothing to remove\n", "\(clean.all)")
    #expect(clean.err.contains("left: build/lib: not known to be made by this user in this folder"))
    #expect(clean.err.contains("left: .npi: it was not written by this user in this folder"))
    let why = try await run(["why", "lib"], user: 1)
    #expect(why.out.contains("it would run now because: it has not been built yet"), "\(why.all)")
    let build = try await run([], user: 1)
    #expect(build.status == 0 && build.err.contains("counts as absent"), "\(build.all)")
    #expect(try scratch.text("p/build/lib") == "good\n")
    #expect(try await Tool.check(["unzip", "-p", "dist/Strange-1.0-ios.zip", "lib"], in: scratch("p")) == "good\n")
    #expect(try await run(["clean"], user: 1).out == "removed build/lib\nremoved dist\nremoved .npi\n")
  }

  /// One byte of what is kept, changed: it is built again, and never trusted.
  @Test func aChangedStateIsNotBelieved() async throws {
    let scratch = Scratch()
    try Self.write(to: scratch)
    let command = [Scenario.binary.string, "-j1"] + Self.targets
    for _ in 0..<3 { try await Tool.check(command, in: scratch("p")) }
    for file in ["log", "state"] {
      let whole = try scratch.read("p/.npi/\(file)")
      for place in stride(from: 0, to: whole.count, by: max(1, whole.count / 12)) {
        var bytes = whole
        bytes[place] ^= 0x21
        try scratch.write("p/.npi/\(file)", bytes)
        try scratch.write("p/dist/Strange-1.0.json", "planted")
        let result = try await Tool.run(command, in: scratch("p"))
        #expect(result.status == 0, "\(file), byte \(place): \(result.all)")
        #expect(try scratch.text("p/dist/Strange-1.0.json") == "{}\n", "\(file), byte \(place)")
      }
    }
  }
}
