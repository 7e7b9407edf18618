import BuildEngine
import Findings
import Store
import SystemPackage
import Testing
import TestSupport

/// Graphs and edits by chance. After every build the outputs are those of a build from nothing, no step has run that
/// did not have to, and what a dry run said before was the reason.
@Suite struct RandomBuildTests {
  /// A few at a time, so that other tests go on meanwhile.
  @Test(arguments: 0..<4) func asABuildFromNothing(share: Int) async throws {
    for seed in Seeded.seeds(1_000) where seed % 4 == share {
      var run = RandomRun(seed: seed)
      let problem = try await run.play(rounds: seed / 4 % 3 == 0 ? 3 : 2)
      #expect(
        problem == nil,
        """
        seed \(seed), after: \(run.project.diary.joined(separator: ", "))
        run only this one with: NPI_SEED=\(seed) swift test --filter RandomBuildTests
        """)
    }
  }
}

struct RandomRun {
  var project: RandomProject
  private var oracle = RandomOracle()
  /// The last build from nothing: the same again would tell nothing new.
  private var fresh: (key: Fresh, made: PlainTree)?
  /// What a build from nothing depends on.
  private struct Fresh: Equatable {
    let steps: [PlainStep]
    let targets: [String]
    let tool: String
    let program: String
    let sources: PlainTree
  }

  init(seed: Int) { project = RandomProject(seed: seed) }

  /// The first problem.
  mutating func play(rounds: Int) async throws -> String? {
    for round in 0..<rounds {
      if round > 0 { for _ in 0...project.random.number(3) { project.edit() } }
      project.diary.append("build \(round + 1)")
      if let problem = try await self.round(isFirst: round == 0, isLast: round == rounds - 1) { return problem }
    }
    return nil
  }

  private var log: BuildLog { get throws { try BuildLog("/tree/.npi/log", seal: .test, disk: project.disk) } }

  private mutating func round(isFirst: Bool, isLast: Bool) async throws -> String? {
    let targets = project.random.once(in: 4) ? [project.random.one(of: project.steps)?.name ?? ""] : []
    let selection = project.selection(targets)
    let tree = PlainTree(project.disk)
    let graph = try project.graph()
    oracle.read(try log)
    if project.hasMistakes(selection, tree) {
      do {
        _ = try await project.build(graph, on: project.disk, targets, BuildOptions(), remembers: true)
        return "it has built what it cannot"
      } catch is Mistakes {
        return PlainTree(project.disk) == tree ? nil : "it has changed something in spite of mistakes"
      }
    }
    let jobs = 1 + project.random.number(4)
    let keepGoing = !project.random.once(in: 4)
    let force = project.random.once(in: 20)
    let remembers = !project.random.once(in: 4)

    func options(_ mode: BuildOptions.Mode, force: Bool = force) -> BuildOptions {
      BuildOptions(mode: mode, jobs: jobs, keepGoing: keepGoing, force: force)
    }

    // What would be done. The first time that is everything.
    let mode: BuildOptions.Mode = project.random.once(in: 6) ? .question : .dryRun
    var dry = BuildResult(steps: [], wasCancelled: false)
    if !isFirst {
      let before = project.disk.contents(below: "/tree")
      dry = try await project.build(graph, on: project.disk, targets, options(mode), remembers: remembers)
      if let problem = try check(dry, selection, options(mode), from: tree, now: 0).problem {
        return "of a dry run: \(problem)"
      }
      if project.disk.contents(below: "/tree") != before { return "a dry run has written" }
    }

    // Is done, and there is nothing left to do.
    let now = project.disk.now + (project.isFrozen ? 0 : 1)
    let result = try await project.build(graph, on: project.disk, targets, options(.build), remembers: remembers)
    let check = try check(result, selection, options(.build), from: tree, now: now)
    if let problem = check.problem ?? differences(result, dry) { return problem }
    if let problem = difference(PlainTree(project.disk), check.tree) { return problem }
    let isFromNothing = isFirst && result.succeeded
    if let problem = try await compare(check.succeeded, graph, targets, isFromNothing: isFromNothing) {
      return problem
    }
    if check.isInDoubt || !result.succeeded || !isLast { return nil }
    let again = try await project.build(
      graph, on: project.disk, targets, options(.build, force: false), remembers: remembers)
    return again.nothingToDo ? nil : "the second time \(again.steps.map { "\($0.step.name): \($0.outcome)" })"
  }

  private mutating func check(
    _ result: BuildResult, _ selection: [PlainStep], _ options: BuildOptions, from tree: PlainTree, now: Int64
  ) throws -> RandomOracle.Check {
    let disk = project.disk
    let setting = RandomOracle.Setting(
      project: project, selection: selection, options: options,
      isDoubtful: { path in
        [true, false].contains { follows in
          let changed = try? disk.status(path.inTree, followingLinks: follows)?.changed
          return changed ?? 0 >= now
        }
      })
    return oracle.check(result, of: setting, from: tree, log: try log)
  }

  /// What the dry run said of those that it could tell of.
  private func differences(_ result: BuildResult, _ dry: BuildResult) -> String? {
    for (real, said) in zip(result.steps, dry.steps) {
      guard case .wouldRun(let reason) = said.outcome else { continue }
      if case .follows = reason { continue }
      switch real.outcome {
      case .ran(reason), .restored(reason), .failed: continue
      case .notStarted where result.failed.count > 0: continue
      default: return "\(real.step.name): it said '\(reason)', and then it was \(real.outcome)"
      }
    }
    return nil
  }

  private func difference(_ tree: PlainTree, _ other: PlainTree) -> String? {
    if tree == other { return nil }
    let paths = Set(tree.nodes.keys).union(other.nodes.keys).filter { tree.nodes[$0] != other.nodes[$0] }.sorted()
    return paths.map { path in
      "\(path) is \(tree.nodes[path].map { "\($0)" } ?? "gone"), not \(other.nodes[path].map { "\($0)" } ?? "gone")"
    }.joined(separator: "; ")
  }

  /// With a build from nothing, on a disk of its own.
  private mutating func compare(
    _ steps: [PlainStep], _ graph: Graph, _ targets: [String], isFromNothing: Bool
  ) async throws -> String? {
    let tree = PlainTree(project.disk)
    var sources = tree
    for output in project.steps.flatMap(\.outputs) { sources.remove(output) }
    let key = Fresh(
      steps: project.steps, targets: targets, tool: project.tool, program: project.program, sources: sources)
    if isFromNothing {
      fresh = (key, tree)
    } else if fresh?.key != key {
      let disk = MemoryDisk()
      disk.put(sources.nodes)
      for folder in ["/bin", "/opt"] {
        disk.set("\(folder)/make", .file(Array(project.program.utf8), executable: true))
      }
      _ = try await project.build(graph, on: disk, targets, BuildOptions(keepGoing: true), remembers: false)
      fresh = (key, PlainTree(disk))
    }
    guard let made = fresh?.made else { return nil }
    for output in steps.flatMap(\.outputs) where tree.slice(output) != made.slice(output) {
      return "\(output) is \(tree.slice(output)), and from nothing it is \(made.slice(output))"
    }
    return nil
  }
}
