import BuildEngine
import SystemPackage
import Testing

/// Graphs and edits by chance: after every build the outputs are those of a build from nothing, and no step ran that
/// did not have to.
@Suite struct RandomGraphTests {
  struct Random: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      // SplitMix64, by Steele, Lea and Flood: the same numbers on every machine.
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test(arguments: 0..<40)
  func outputsAreThoseOfABuildFromNothing(seed: Int) async throws {
    var random = Random(state: UInt64(seed) &* 7919 &+ 1)
    let world = World()
    let sources = (0..<Int.random(in: 2...5, using: &random)).map { "src/\($0).c" }
    for path in sources { world.put(path, "0") }
    var inputs: [[String]] = []
    for number in 0..<Int.random(in: 1...7, using: &random) {
      let candidates = sources + (0..<number).map { "out/\($0)" }
      inputs.append(candidates.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).sorted())
    }
    var flags = Array(repeating: 0, count: inputs.count)
    // What each step was made of when it ran last, by our own reckoning.
    var lastMade: [Int: String] = [:]
    for _ in 0..<6 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        world.put(sources.randomElement(using: &random) ?? sources[0], "\(Int.random(in: 0...2, using: &random))")
      case 2: flags[Int.random(in: flags.indices, using: &random)] = Int.random(in: 0...1, using: &random)
      case 3: world.delete("out/\(Int.random(in: inputs.indices, using: &random))")
      case 4: world.put("out/\(Int.random(in: inputs.indices, using: &random))", "edited")
      default: world.disk.touch(sources[0].inTree)
      }
      let steps = inputs.indices.map { number in
        join("\(number)", "out/\(number)", inputs[number], environment: [("FLAG", "\(flags[number])")])
      }.shuffled(using: &random)
      let before = inputs.indices.map { world.text("out/\($0)") }
      let ran = Set(try await world.ran(steps, [], BuildOptions(jobs: Int.random(in: 1...3, using: &random))))
      let fresh = World()
      for path in sources { fresh.put(path, world.text(path) ?? "") }
      _ = try await fresh.ran(steps)
      for number in inputs.indices {
        let now = world.text("out/\(number)")
        #expect(now == fresh.text("out/\(number)"))
        // The output holds all that the step depends on, so it must run exactly if it is to be another one than it made
        // last, or is not what it made.
        let must = now != lastMade[number] || before[number] != lastMade[number]
        #expect(ran.contains("\(number)") == must, "seed \(seed), step \(number)")
        lastMade[number] = now
      }
    }
  }
}
