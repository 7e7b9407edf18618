@testable import BuildEngine
import SystemPackage
import TestSupport

/// What somebody has: sources, a manifest, a tool and a machine. All of it by chance, from one seed.
struct RandomProject {
  let disk = MemoryDisk()
  /// Where what was made is kept, if anywhere.
  var store: MemoryStore?
  var random: Seeded
  /// In the order of the manifest.
  var steps: [PlainStep] = []
  var tool = "tool 1"
  var program = "make 1"
  var searchPath = "/bin:/opt"
  var home = "/home"
  /// The sources as they were at some earlier time.
  var earlier: [[String: PlainTree.Node]] = []
  /// What was done, for whoever reads of a failure.
  var diary: [String] = []
  var isFrozen = false
  private var count = 0
  private var lastGraph: (steps: [PlainStep], tool: String, graph: Graph)?

  init(seed: Int) {
    random = Seeded(seed: seed)
    if random.once(in: 3) { store = MemoryStore(disk) }
    putProgram()
    for folder in ["src", "l1", "l2", "l3"] { disk.set("/tree/\(folder)", .folder) }
    disk.put(["src/way": .link("d0"), "src/k.c": .link("a.c"), "src/d0": .folder, "src/d1": .folder])
    for path in ["src/a.c", "src/b.c", "src/d0/x.h", "src/d1/x.h", "src/.hidden"] + RandomProject.headers {
      disk.put([path: .file(text(of: path), executable: false)])
    }
    for layer in 1...3 {
      for _ in 0..<(layer == 1 ? 1 + random.number(2) : layer == 2 ? 1 : random.number(2)) { addStep(layer) }
    }
    steps.shuffle(using: &random)
  }

  /// Each includes only what comes after it.
  static let headers = (0..<2).map { "src/h\($0).h" }

  func putProgram() {
    for folder in ["/bin", "/opt"] { disk.set("\(folder)/make", .file(Array(program.utf8), executable: true)) }
  }

  // MARK: Texts

  /// One of a few, so that it often comes back.
  mutating func text(of path: String) -> String {
    var lines: [String] = []
    if path.hasPrefix("src/h") || path.hasPrefix("src/e") {
      let after = RandomProject.headers.filter { path.hasPrefix("src/e") || $0 > path }
      var names = after + ["src/way/x.h", "src/k.c"]
      if let pair = steps.first(where: { $0.source == path })?.pair { names.append("\(pair).b") }
      lines = names.filter { _ in random.once(in: 3) }.map { "#include \($0)" }
    }
    lines.append("word \(random.number(3))")
    if random.once(in: 2) { lines.append("rest \(random.number(3))") }
    if random.once(in: 3) { lines.append("// comment") }
    if random.once(in: 30) { lines.append("error") }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Steps

  /// A step that reads of the layers below its own only.
  mutating func addStep(_ layer: Int) {
    count += 1
    let isCompiled = random.once(in: 2)
    let pair = isCompiled ? random.one(of: steps.filter { $0.layer < layer && $0.shape == .pair })?.base : nil
    let step = PlainStep(
      name: "s\(count)", base: "l\(layer)/\(count)", shape: random.one(of: PlainStep.Shape.allCases) ?? .file,
      isCommand: random.once(in: 2), needs: (0..<(1 + random.number(2))).map { _ in need(below: layer) },
      source: isCompiled ? "src/e\(count).c" : nil, pair: pair, skims: random.once(in: 3), word: 0, flag: 0)
    steps.append(step)
    if let source = step.source { disk.put([source: .file(text(of: source), executable: false)]) }
  }

  mutating func need(below layer: Int) -> PlainStep.Need {
    let lower = steps.filter { $0.layer < layer }
    guard !lower.isEmpty, !random.once(in: 3) else {
      let paths = ["src/a.c", "src/b.c", "src/k.c", "src/way", "src/d0", "src/d1", "src"]
      let globs: [PlainStep.Need] = [
        .glob(in: "src", suffix: ".c", deep: false), .glob(in: "src", suffix: ".h", deep: true),
        .glob(in: "src", suffix: nil, deep: true), .glob(in: "src/way", suffix: "", deep: false),
      ]
      let needs = random.once(in: 4) ? globs : paths.map { .path($0) }
      return random.one(of: needs) ?? .path("src")
    }
    let folder = "l\(random.one(of: lower)?.layer ?? 1)"
    switch random.number(12) {
    case 0: return .path(folder)
    case 1: return .glob(in: folder, suffix: ".o", deep: false)
    case 2: return .glob(in: folder, suffix: ".t", deep: true)
    case 3: return .glob(in: folder, suffix: nil, deep: true)
    default:
      let step = random.one(of: lower)
      if let base = step?.base, step?.shape == .folder, random.once(in: 2) {
        return .glob(in: base, suffix: ".t", deep: random.once(in: 2))
      }
      return .path(random.one(of: step?.outputs ?? []) ?? folder)
    }
  }

  // MARK: Builds

  /// Made when something of it has changed only: it takes long.
  mutating func graph() throws -> Graph {
    if let last = lastGraph, last.steps == steps, last.tool == tool { return last.graph }
    let graph = try Graph(steps.map { $0.step(tool: tool) })
    lastGraph = (steps, tool, graph)
    return graph
  }

  /// - Parameter disk: this one, or a fresh one.
  func build(
    _ graph: Graph, on disk: MemoryDisk, _ targets: [String], _ options: BuildOptions, remembers: Bool
  ) async throws -> BuildResult {
    let scheduler = Scheduler(
      graph: graph, disk: disk,
      runner: PlainRunner(disk: disk, tool: tool, program: program, steps: steps),
      host: HostEnvironment(path: Array(searchPath.utf8), home: Array(home.utf8)), seal: .test,
      fingerprint: Array(tool.utf8),
      memory: remembers ? TreeState(disk, seal: .test, writes: options.mode == .build) : nil,
      store: disk === self.disk ? store : nil)
    return try await scheduler.run(targets, options: options)
  }

  /// Whether something that is declared is neither there nor made: then nothing is built at all.
  func hasMistakes(_ selection: [PlainStep], _ tree: PlainTree) -> Bool {
    selection.contains { step in
      step.allNeeds.contains { need in
        if steps.contains(where: { $0.outputs.contains { PlainStep.touches(need, $0) } }) { return false }
        switch need {
        case .path(let path): return tree.target(path) == nil
        case .glob(let folder, let suffix, let deep):
          return tree.matches(in: folder, suffix: suffix, deep: deep).isEmpty
        }
      }
    }
  }

  /// The targets and all that they need, each after what it needs.
  func selection(_ targets: [String]) -> [PlainStep] {
    var open = targets.isEmpty ? steps : steps.filter { targets.contains($0.name) }
    var names: Set<String> = []
    while let step = open.popLast() {
      if names.insert(step.name).inserted { open += steps.filter { step.needs($0) } }
    }
    return steps.filter { names.contains($0.name) }.sorted { $0.layer < $1.layer }
  }
}
