import Lanes
import SystemPackage
import Testing
import TestSupport

/// Apps that are drawn by chance: what `check --suggest-fix` prints is built, and then neither `check` nor a linker finds
/// a name twice, and no reference has lost its definition.
@Suite(.tools, .timeLimit(.minutes(20))) struct SuggestedFixTests {
  private struct App {
    let scratch = Scratch()
    var plugins: [String] = []
    var random: Seeded

    init(_ seed: Int) async throws {
      random = Seeded(seed: seed)
      for number in 0..<(3 + random.number(2)) { try await addPlugin(number) }
    }

    /// A static library, a zip of one, or a folder of two that use each other.
    private mutating func addPlugin(_ number: Int) async throws {
      var names = Array(0..<24).shuffled(using: &random)
      var classes = ["Pen", "Ink", "Page"].shuffled(using: &random)
      let kind = random.number(3)
      var libraries: [String] = []
      for library in 0..<(kind == 2 ? 2 : 1) {
        var members: [String] = []
        for member in 0..<2 {
          let taken = (0..<(1 + random.number(4))).compactMap { _ in names.popLast() }
          let own = random.once(in: 3) ? classes.popLast() : nil
          members.append(try await object("p\(number)l\(library)m\(member)", taken, own))
        }
        let name = "libp\(number)\(library == 0 ? "" : "extra").a"
        try await Tool.check(["llvm-ar-19", "--format=darwin", "rcsD", name] + members, in: scratch.path)
        libraries.append(name)
      }
      switch kind {
      case 0: plugins.append(libraries[0])
      case 1:
        try await Tool.check(["zip", "-qm", "Zip\(number)-1.0-ios.zip", libraries[0]], in: scratch.path)
        plugins.append("Zip\(number)-1.0-ios.zip")
      default:
        try await Tool.check(
          ["sh", "-c", "mkdir Folder\(number) && mv \"$@\" Folder\(number)", "sh"] + libraries, in: scratch.path)
        plugins.append("Folder\(number)")
      }
    }

    private mutating func object(_ name: String, _ names: [Int], _ className: String?) async throws -> String {
      var text = "int own_\(name)(void) { return 0; }\n"
      for number in names {
        let other = random.number(28)
        // Half of the functions are the same everywhere.
        let value = number % 2 == 0 ? "1" : "\(random.number(100))"
        text += "extern int f\(other)(void), d\(other);\n"
        text +=
          random.once(in: 3)
          ? "int d\(number) = \(value);\n"
          : "int f\(number)(void) { return \(value) \(number % 2 == 0 ? "" : "+ f\(other)() + d\(other)"); }\n"
      }
      if let className {
        text += """
          __attribute__((objc_root_class)) @interface \(className) { Class isa; } + (int)f; @end
          @implementation \(className) + (int)f { return \(random.number(50)); } @end

          """
      }
      try scratch.write("\(name).m", text)
      try await Tool.check(
        ["clang", "-target", "arm64-apple-ios13.0", "-ffreestanding", "-c", "\(name).m", "-o", "\(name).o"],
        in: scratch.path)
      return "\(name).o"
    }

    /// The plugins with those in `fixed/` in their places.
    var fixed: [String] {
      get async throws {
        let made = try await Tool.check(["sh", "-c", "ls fixed 2> /dev/null || true"], in: scratch.path).split(
          separator: "\n")
        return plugins.map { made.contains(Substring($0)) ? "fixed/\($0)" : $0 }
      }
    }

    func npiPack(_ words: [String]) async throws -> ToolResult {
      try await Tool.run(
        [Scenario.binary.string] + words, in: scratch.path, environment: ["NPI_PACK_STORE": scratch("store").string])
    }

    /// How a link of everything ends, and the names that its output looks for elsewhere.
    func link(_ plugins: [String]) async throws -> (duplicates: Int, undefined: Set<String>) {
      let script = """
        rm -rf un && mkdir un && for p; do case $p in
          *.zip) unzip -q "$p" -d "un/${p##*/}";; *) cp -r "$p" "un/${p##*/}";; esac; done
        ld64.lld-19 -arch arm64 -platform_version ios 13.0 13.0 -dylib -undefined dynamic_lookup -all_load \\
          --error-limit=0 -o un/out $(find un -name '*.a' | sort) 2> un/err; grep -c 'duplicate symbol' un/err
        [ ! -e un/out ] || llvm-nm-19 -u --format=just-symbols un/out
        """
      let lines = try await Tool.run(["sh", "-c", script, "sh"] + plugins, in: scratch.path).out.split(separator: "\n")
      return (Int(lines.first ?? "") ?? -1, Set(lines.dropFirst().map(String.init)))
    }
  }

  @Test(arguments: Seeded.seeds(20)) func thePlanEndsTheCollisions(_ seed: Int) async throws {
    let app = try await App(seed)
    let everything = ["--", "-all_load"]
    let before = try await app.link(app.plugins)
    let plan = try await app.npiPack(["check", "--suggest-fix"] + app.plugins + everything)
    #expect(plan.status == 0, "\(plan.all)")
    try app.scratch.write("npi.yml", plan.out)
    if before.duplicates == 0 { return #expect(plan.out == "", "\(plan.out)") }
    let first = plan.out.split(separator: "\n")[0]
    let steps = first.split(separator: " ").drop { $0 != "build" }.map(String.init)
    let built = try await app.npiPack(steps)
    #expect(built.status == 0, "\(built.all)")
    let plugins = try await app.fixed
    #expect(plugins.count { $0.hasPrefix("fixed/") } == steps.count - 1)
    let after = try await app.npiPack(["check"] + plugins + everything)
    #expect(after.status == 0 && !after.out.contains("warning"), "\(after.all)")
    let linked = try await app.link(plugins)
    #expect(linked.duplicates == 0)
    // What is looked for elsewhere now is what no library had before.
    let defined = try await Tool.check(
      ["sh", "-c", "llvm-nm-19 -gUA --format=just-symbols $(find un -name '*.a')"], in: app.scratch.path)
    #expect(
      linked.undefined.filter { $0.hasPrefix("_f") || $0.hasPrefix("_d") }.allSatisfy { !defined.contains("\($0)\n") })
    // Twice the same.
    #expect(try await app.npiPack(["check", "--suggest-fix"] + app.plugins + everything).out == plan.out)
  }
}
