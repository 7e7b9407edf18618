@testable import BuildEngine
import Synchronization
import SystemPackage
import Testing

/// A scenario: a tree in memory that was built, edits, and what the next build does: which steps it runs, in order and
/// why, and whose contents it reads. Each `expect` also holds the engine to what is so in every build:
///
/// - a dry run before it (`-n`, and so `why`) gives the reason that the step then runs for, and that the log keeps;
/// - the dry run writes nothing and reads nothing that the build does not read;
/// - of its own files the build reads the log and the state, once each;
/// - a second build does nothing, and reads nothing but what the first had to read.
final class Scene {
  let world = World()
  var steps: [Step] = []
  /// Of the machine.
  var host = HostEnvironment(path: Array("/bin".utf8), home: Array("/home".utf8))

  /// Builds until nothing is left to do or to read.
  init(_ sources: KeyValuePairs<String, String>, _ steps: (World) -> [Step]) async throws {
    for (path, text) in sources { world.put(path, text) }
    self.steps = steps(world)
    try await settle()
  }

  /// `a` and `b` compile a source each, `app` links both, `doc` stands alone.
  static func program() async throws -> Scene {
    try await Scene(["a.c": "a.c", "b.c": "b.c", "x.h": "x.h", "readme": "readme"]) { _ in
      [
        join("a", "out/a.o", ["a.c", "x.h"]), join("b", "out/b.o", ["b.c", "x.h"]),
        join("app", "out/app", ["out/a.o", "out/b.o"]), join("doc", "doc.txt", ["readme"]),
      ]
    }
  }

  func settle() async throws {
    for _ in 0..<5 {
      let (result, events, _) = try await build()
      if result.nothingToDo, readFiles(events).isEmpty { return }
    }
    Issue.record("it does not settle")
  }

  func put(_ path: String, _ text: String) { world.put(path, text) }

  func delete(_ path: String) { world.delete(path) }

  /// A rename, as the system does it: the content keeps its time.
  func move(_ path: String, to target: String) throws { try world.disk.rename(path.inTree, to: target.inTree) }

  // MARK: What is expected

  /// - Parameters:
  ///   - runs: the steps that are begun, in order, with the reason; eight digits of a digest are written as `…`.
  ///   - fails: those of them that fail.
  ///   - reads: the files whose content is read, sorted, relative to the tree; a file that is read twice stands twice.
  ///   - lists: the folders that are listed, if that is of interest.
  ///   - settles: it is remembered, and there is nothing to do afterwards.
  func expect(
    runs: KeyValuePairs<String, String> = [:], fails: [String] = [], reads: [String] = [], lists: [String]? = nil,
    _ targets: [String] = [], options: BuildOptions = BuildOptions(), remembers: Bool = true, settles: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let before = world.disk.contents(below: "/")
    var dryOptions = options
    dryOptions.mode = .dryRun
    let (dry, dryEvents, _) = try await build(targets, dryOptions, remembers: remembers)
    #expect(world.disk.contents(below: "/") == before, "the dry run has written", sourceLocation: location)
    let own = [".npi/log", ".npi/state"].filter { world.text($0) != nil && (remembers || $0 != ".npi/state") }
    let (result, events, started) = try await build(targets, options, remembers: remembers)

    #expect(
      started.map { "\($0.name): \(Scene.short($0.reason))" } == runs.map { "\($0.key): \($0.value)" },
      sourceLocation: location)
    #expect(result.failed.map(\.step.name) == fails, sourceLocation: location)
    #expect(readFiles(events) == reads, sourceLocation: location)
    #expect(readFiles(events, own: true) == own, sourceLocation: location)
    if let lists { #expect(listedFolders(events) == lists, sourceLocation: location) }
    // A dry run does not know of the failure that ends the build.
    let isWhole = fails.isEmpty || options.keepGoing
    if isWhole {
      #expect(Set(readFiles(dryEvents)).isSubset(of: reads), "read by the dry run only", sourceLocation: location)
    }

    let log = try BuildLog("/tree/.npi/log", seal: .test, disk: world.disk)
    for step in started where !fails.contains(step.name) {
      #expect(result.ran.contains { $0.outcomeReason == step.reason }, sourceLocation: location)
      if settles { #expect(log[step.name]?.reason == step.reason.description, sourceLocation: location) }
    }
    for step in dry.wouldRun {
      guard let reason = step.outcomeReason else { continue }
      if case .follows = reason { continue }
      guard isWhole || started.contains(where: { $0.name == step.step.name }) else { continue }
      #expect(
        started.contains { $0.name == step.step.name && $0.reason == reason }, "\(reason)", sourceLocation: location)
    }
    for step in started {
      #expect(dry.wouldRun.contains { $0.step.name == step.name }, "\(step.name)", sourceLocation: location)
    }
    guard settles, fails.isEmpty else { return }
    var again = options
    again.force = false
    let (second, secondEvents, _) = try await build(targets, again, remembers: remembers)
    #expect(second.nothingToDo, "the second time \(second.ran.map(\.step.name)) ran", sourceLocation: location)
    if remembers {
      #expect(Set(readFiles(secondEvents)).isSubset(of: reads), "read the second time only", sourceLocation: location)
    }
  }

  /// A reason without digests.
  static func short(_ reason: Reason) -> String {
    reason.description.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.utf8.count == 8 && word.allSatisfy(\.isHexDigit) ? "…" : word
    }.joined(separator: " ")
  }

  // MARK: Builds

  typealias Started = (name: String, reason: Reason)

  func build(
    _ targets: [String] = [], _ options: BuildOptions = BuildOptions(), remembers: Bool = true
  ) async throws -> (result: BuildResult, events: [MemoryDisk.Event], started: [Started]) {
    let record = Record()
    _ = world.disk.takeEvents()
    let result = try await world.build(
      steps, targets, options, host: host, progress: record, remembers: remembers)
    return (result, world.disk.takeEvents(), record.started.withLock { $0 })
  }

  private final class Record: Progress {
    let started = Mutex<[Started]>([])
    func started(_ step: Step, of total: Int, because reason: Reason) {
      started.withLock { $0.append((step.name, reason)) }
    }
    func note(_ text: String) {}
    func restoring(_ step: Step, of total: Int, because reason: Reason, from origin: String?) {}
    func advanced(_ step: Step, done: Int64, of total: Int64) {}
    func finished(_ result: StepResult, of total: Int) {}
  }

  /// Whose contents were read, as often as they were; the engine's own files or all others.
  func readFiles(_ events: [MemoryDisk.Event], own: Bool = false) -> [String] {
    events.compactMap { event in
      switch event {
      case .read(let path), .digested(let path): path.string.inTheTree
      default: nil
      }
    }.filter { $0.hasPrefix(".npi/") == own }.sorted()
  }

  func listedFolders(_ events: [MemoryDisk.Event]) -> [String] {
    events.compactMap { if case .listed(let path) = $0 { path.string.inTheTree } else { nil } }
      // The engine's own is looked through each time.
      .filter { $0 != ".npi" }.sorted()
  }
}

extension String {
  fileprivate var inTheTree: String { hasPrefix("/tree/") ? String(dropFirst(6)) : self == "/tree" ? "." : self }
}

extension StepResult {
  var outcomeReason: Reason? {
    switch outcome {
    case .ran(let reason), .restored(let reason), .wouldRun(let reason): reason
    default: nil
    }
  }
}
