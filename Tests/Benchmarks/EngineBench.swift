import Foundation
import SystemPackage
import TestSupport

extension Bench {
  /// The engine against ninja and make on the same files, whole processes: nothing to do, and many small steps.
  mutating func engine() async throws {
    try await nothingToDo(EngineTree(inputs: 10_000, inputsPerStep: 10, usesGlobs: false)) { $0 <= 1.5 * $1 }
    try await nothingToDo(EngineTree(inputs: 10_000, inputsPerStep: 100, usesGlobs: true)) { $0 <= 1.5 * $1 }
    try await nothingToDo(EngineTree(inputs: 1_000, inputsPerStep: 10, usesGlobs: false)) { $0 <= $1 + 0.008 }
    try await smallSteps(EngineTree(inputs: 1_000, inputsPerStep: 1, usesGlobs: false))
  }

  private static let engines = [
    (name: "npi-pack", words: [tool, "build", "all", "-j", "2"]), (name: "ninja", words: ["ninja", "-j", "2"]),
    (name: "make", words: ["make", "-j", "2"]),
  ]

  private mutating func nothingToDo(_ tree: EngineTree, _ isMet: (_ ours: Double, _ ninja: Double) -> Bool) async throws
  {
    try tree.write()
    // Each makes all of it once, and then has a look at what the others have made.
    for _ in 0..<3 { for engine in Bench.engines { try await Tool.check(engine.words, in: tree.scratch.path) } }
    let times = try await inTurn(Bench.engines.map(\.words), in: tree.scratch.path, rounds: 21)
    let target = tree.inputs > 1_000 ? "at most 1.50 times ninja" : "at most ninja plus 8 ms"
    report(
      "nothing to do, \(tree.inputs) inputs, \(tree.steps) steps\(tree.usesGlobs ? " with globs" : ""): \(row(times))",
      (isMet(times[0].wall, times[1].wall), target))
  }

  private mutating func smallSteps(_ tree: EngineTree) async throws {
    try tree.write()
    let times = try await inTurn(
      Bench.engines.map(\.words), in: tree.scratch.path, rounds: 7, removing: EngineTree.made)
    report(
      "\(tree.steps) small steps that all run, -j 2: \(row(times))",
      (times[0].wall <= 1.2 * times[1].wall, "at most 1.20 times ninja"))
  }

  private func row(_ times: [Times]) -> String {
    let parts = zip(Bench.engines, times).map { engine, time in
      String(format: "%@ %.1f ms (cpu %.1f)", engine.name, time.wall * 1000, time.cpu * 1000)
    }
    return parts.joined(separator: ", ") + String(format: ": %.2f times ninja", times[0].wall / times[1].wall)
  }

  struct Times: Decodable {
    /// Medians, in seconds: of the whole process, and of the processors' time that it and its children took.
    let wall: Double
    let cpu: Double
    /// The memory at its most, in MB, as the system accounts for it.
    let peak: Int
  }

  /// Runs commands in turn, nothing between them and the system but one spawn, and gives the medians. `removing` names
  /// what is removed before each run; what finds mistakes may end with a `status` above 0.
  func inTurn(
    _ commands: [[String]], in folder: FilePath, rounds: Int, removing names: [String] = [], status: Int = 0
  ) async throws -> [Times] {
    let program = """
      import json, os, shutil, statistics, sys, time
      commands, rounds, names, most = json.loads(sys.argv[1])
      times = [[] for _ in commands]
      null = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)]
      for _ in range(rounds):
        for words, list in zip(commands, times):
          for name in names:
            if os.path.isdir(name): shutil.rmtree(name)
            elif os.path.exists(name): os.remove(name)
          start = time.perf_counter()
          process = os.posix_spawnp(words[0], words, os.environ, file_actions=null)
          _, status, usage = os.wait4(process, 0)
          peak = usage.ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
          list.append((time.perf_counter() - start, usage.ru_utime + usage.ru_stime, peak))
          if not 0 <= os.waitstatus_to_exitcode(status) <= most: sys.exit(f"{words}: status {status}")
      medians = [[statistics.median_high(column) for column in zip(*list)] for list in times]
      print(json.dumps([{"wall": wall, "cpu": cpu, "peak": peak} for wall, cpu, peak in medians]))
      """
    let arguments = try JSONEncoder().encode(Run(commands: commands, rounds: rounds, names: names, status: status))
    let out = try await Tool.check(
      ["python3", "-c", program, String(decoding: arguments, as: UTF8.self)], in: folder)
    return try JSONDecoder().decode([Times].self, from: Data(out.utf8))
  }

  private struct Run: Encodable {
    let commands: [[String]]
    let rounds: Int
    let names: [String]
    let status: Int

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(commands)
      try list.encode(rounds)
      try list.encode(names)
      try list.encode(status)
    }
  }
}
