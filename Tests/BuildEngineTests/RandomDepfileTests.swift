import BuildEngine
import SystemPackage
import Testing

/// Headers and edits by chance: nothing stale survives, and nothing runs that does not have to.
@Suite struct RandomDepfileTests {
  private typealias Random = RandomGraphTests.Random

  /// A source, or header 0, 1, …: includes only what comes after it, so there is no circle.
  private func text(_ first: Int, of count: Int, _ random: inout Random) -> String {
    let includes = (first..<count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    return includes.map { "#include h\($0)\n" }.joined() + "word \(Int.random(in: 0...2, using: &random))\n"
      + (Bool.random(using: &random) ? "// comment\n" : "")
  }

  /// What a source reads, path by path in the order of the runner, with the content.
  private func closure(_ source: String, _ world: World) -> [String: String] {
    var found: [String: String] = [:]
    var open = [source]
    while let path = open.popLast() {
      let text = world.text(path) ?? "-"
      found[path] = text
      for line in text.split(separator: "\n") where line.hasPrefix("#include ") {
        open.append(String(line.dropFirst(9)))
      }
    }
    return found
  }

  @Test(arguments: 0..<60)
  func asABuildFromNothing(seed: Int) async throws {
    var random = Random(state: UInt64(seed) &* 104_729 &+ 3)
    let world = World()
    let headers = Int.random(in: 1...5, using: &random)
    for number in 0..<headers { world.put("h\(number)", text(number + 1, of: headers, &random)) }
    let sources = Int.random(in: 1...3, using: &random)
    for number in 0..<sources { world.put("s\(number)", text(0, of: headers, &random)) }
    let objects = (0..<sources).map { "out/\($0)" }
    let steps = (0..<sources).map { compile("c\($0)", "out/\($0)", "s\($0)") } + [join("all", "all", objects)]
    var last: [Int: [String: String]] = [:]
    var lastObjects: [String?] = []
    for _ in 0..<8 {
      var tampered: Set<Int> = []
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let number = Int.random(in: 0..<sources, using: &random)
        world.put("s\(number)", text(0, of: headers, &random))
      case 1:
        let number = Int.random(in: 0..<sources, using: &random)
        if world.text("out/\(number)") != nil { tampered.insert(number) }
        world.delete("out/\(number)")
      case 2: world.disk.touch("h0".inTree)
      default:
        let number = Int.random(in: 0..<headers, using: &random)
        world.put("h\(number)", text(number + 1, of: headers, &random))
      }
      let ran = Set(try await world.ran(steps, [], BuildOptions(jobs: Int.random(in: 1...3, using: &random))))
      let fresh = World()
      for (path, bytes) in world.disk.files(below: World.root) where !path.contains("/") && path != "all" {
        fresh.disk.put(path.inTree, raw: bytes)
      }
      _ = try await fresh.ran(steps)
      for number in 0..<sources {
        #expect(world.text("out/\(number)") == fresh.text("out/\(number)"))
        let now = closure("s\(number)", world)
        #expect(ran.contains("c\(number)") == (now != last[number] || tampered.contains(number)), "seed \(seed)")
        last[number] = now
      }
      let now = objects.map { world.text($0) }
      #expect(ran.contains("all") == (now != lastObjects), "seed \(seed)")
      #expect(world.text("all") == fresh.text("all"))
      lastObjects = now
    }
  }
}
