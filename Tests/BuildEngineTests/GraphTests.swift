import BuildEngine
import Findings
import SystemPackage
import Testing

@Suite struct GraphTests {
  let world = World()

  private func messages(_ steps: [Step]) -> [String] {
    do throws(Mistakes) {
      _ = try Graph(steps)
      return []
    } catch {
      return error.all.map(\.message)
    }
  }

  @Test func aDiamond() throws {
    let graph = try Graph([
      join("app", "app", ["left", "right"]), join("left", "left", ["base"]), join("right", "right", ["base"]),
      join("base", "base", ["in"]),
    ])
    #expect(graph.needs == [[1, 2], [3], [3], []])
    #expect(try graph.selection(["left"]) == [1, 3])
    #expect(try graph.selection(["left", "./right"]) == [1, 2, 3])
    #expect(try graph.selection([]) == [0, 1, 2, 3])
  }

  @Test func foldersAndFilesInThem() throws {
    let graph = try Graph([
      join("folder", "gen", ["in"]), join("file", "lib/a/b.txt", ["in"]), join("below", "1", ["gen/x.h"]),
      world.collect("above", "2", [.path("lib", here)]), world.collect("all", "3", [.path(".", here)]),
      join("other", "4", ["general"]),
    ])
    #expect(graph.needs[2] == [0])
    #expect(graph.needs[3] == [1])
    #expect(graph.needs[4] == [0, 1, 2, 3, 5])
    #expect(graph.needs[5] == [])
  }

  @Test func programsThatStepsMake() throws {
    let graph = try Graph([
      join("use", "out", ["in"], program: "tools/../build/tool"), join("make", "build/tool", ["in"]),
      join("name", "out2", ["in"], program: "build"),
    ])
    #expect(graph.needs == [[1], [], []])
  }

  @Test(arguments: [
    ("lib/*.a", "lib/x.a", true), ("lib/*.a", "lib/x.o", false), ("lib/*", "lib/R.bundle/inside", true),
    ("lib/**", "lib/a/b", true), ("**/*.m", "ios/lib.a", false), ("**/*.a", "ios/lib.a", true),
    ("build/classes/**/*.class", "build/classes", true), ("build/**/*.class", "build/classes", true),
    ("src/**/*.c", "src/build/lib.a", false), ("{a,b}/x", "b/x", true), ("a/.x/*", "a/.x/y", true),
    ("a/**", "a/.x/y", false), ("a/*/c", "a/b", true), ("a/*/c", "d/b", false),
  ])
  func globsOverOutputs(pattern: String, output: String, expected: Bool) throws {
    let graph = try Graph([join("make", output, ["in"]), world.collect("use", "u.out", [glob(pattern)])])
    #expect(graph.needs[1] == (expected ? [0] : []))
  }

  /// What is in the output folder is needed only by whoever names it.
  @Test func hiddenFoldersAreNotFound() throws {
    let graph = try Graph(
      [
        join("zip", "dist/x.json", ["in"]), world.collect("glob", "1.x", [glob("**/*.json")]),
        world.collect("all", "2.x", [.path(".", here)]), world.collect("named", "3.x", [.path("dist", here)]),
        world.collect("file", "4.x", [.path("dist/x.json", here)]),
      ], hidden: [".npi", "dist"])
    #expect(graph.needs == [[], [], [1, 3, 4], [0], [0]])
  }

  /// Whether `src/tool` is a folder is not known: it is not worth a circle.
  @Test func aGuessGivesWay() throws {
    let graph = try Graph([
      world.collect("compile", "src/out/lib.a", [glob("src/**/*.c")]), join("link", "src/tool", ["src/out/lib.a"]),
    ])
    #expect(graph.needs == [[], [0]])
  }

  @Test func circles() {
    #expect(
      messages([join("a", "1", ["2"]), join("b", "2", ["3"]), join("c", "3", ["1"]), join("d", "4", ["3"])])
        == ["steps need one another in a circle: a → b → c → a"])
    #expect(messages([join("a", "1", ["1"])]) == ["steps need one another in a circle: a → a"])
    #expect(
      messages([join("a", "1", ["2"]), join("b", "2", ["1"]), join("c", "3", ["4"]), join("d", "4", ["3"])]).count == 2)
    let error = #expect(throws: Mistakes.self) { try Graph([join("a", "1", ["2"]), join("b", "2", ["1"])]) }
    #expect(
      error?.all.first?.notes == [
        "'a' (npi.yml) reads '2', which 'b' makes", "'b' (npi.yml) reads '1', which 'a' makes",
      ])
  }

  @Test func everyMistakeIsTold() {
    let mistakes = messages([
      join("a", "out", ["in"]), join("a", "other", ["in"]), join("b", "out", ["in"]), join("c", "/abs", ["in"]),
      join("d", "x/../../y", ["in"]), join("e", ".", ["in"]), join("f", ".npi/x", ["in"]),
      join("g", "out/inside", ["in"]),
    ])
    #expect(
      mistakes == [
        "two steps are named 'a'", "two steps make 'out': 'a' and 'b'",
        "the output '/abs' of step 'c' lies outside the tree",
        "the output '../y' of step 'd' lies outside the tree", "the output of step 'e' is the whole tree",
        "the output '.npi/x' of step 'f' lies in the folder .npi, which is npi-pack's own",
        "the output 'out/inside' of step 'g' lies in 'out', which step 'a' makes",
      ])
  }

  @Test func unknownTargets() throws {
    let graph = try Graph([join("library", "build/lib.a", ["in"]), join("ios", "dist/x.zip", ["build/lib.a"])])
    let error = #expect(throws: Mistakes.self) { try graph.selection(["libary", "nonsense", "ios"]) }
    #expect(error?.all.map(\.message) == ["there is no target 'libary'", "there is no target 'nonsense'"])
    #expect(error?.all.map(\.hint) == ["did you mean 'library'?", "the targets are: library, ios"])
  }

  @Test(arguments: [(8, ""), (9, " and 1 more"), (1000, " and 992 more")])
  func unknownTargetAmongMany(_ count: Int, _ more: String) throws {
    let graph = try Graph((0..<count).map { join("step\($0)", "out\($0)", ["in"]) })
    let error = #expect(throws: Mistakes.self) { try graph.selection(["nonsense"]) }
    let names = "step0, step1, step2, step3, step4, step5, step6, step7"
    #expect(error?.all.map(\.hint) == ["the targets are: \(names)\(more)"])
  }

  /// é composed and decomposed: two names.
  @Test func namesAreBytes() {
    #expect(messages([join("\u{E9}", "\u{E9}", ["in"]), join("e\u{301}", "e\u{301}", ["in"])]) == [])
  }
}
