@testable import BuildEngine
import Store
import SystemPackage

/// A step of the model: what it reads, and what it makes of that.
struct PlainStep: Hashable, Sendable {
  enum Need: Hashable, Sendable {
    case path(String)
    /// `FOLDER/*SUFFIX`, or `FOLDER/**/*SUFFIX`, or `FOLDER/**`.
    case glob(in: String, suffix: String?, deep: Bool)
  }

  enum Shape: String, CaseIterable, Sendable { case file, pair, folder }

  var name: String
  /// Its outputs lie there: `l1/3.o`, or `l1/3.a` and `l1/3.b`, or the folder `l1/3`.
  var base: String
  var shape: Shape
  /// A program of the user's; else an action of our own.
  var isCommand: Bool
  var needs: [Need]
  /// A file that is compiled: what it includes is discovered.
  var source: String?
  /// The base of a pair that is made before; the source may include its second file, as only the first is declared.
  var pair: String?
  /// It takes over the first line of each file only: the rest may change and the outputs do not.
  var skims: Bool
  /// In its command, and in its environment.
  var word: Int
  var flag: Int

  var layer: Int { base.dropFirst().first.flatMap { Int(String($0)) } ?? 0 }

  var outputs: [String] {
    let made =
      switch shape {
      case .file: ["\(base).o"]
      case .pair: ["\(base).a", "\(base).b"]
      case .folder: [base]
      }
    return made + (source != nil && isCommand ? ["\(base).d"] : [])
  }

  var allNeeds: [Need] { needs + [source, pair.map { "\($0).a" }].compactMap { $0.map { Need.path($0) } } }

  /// Everything of it that can change its outputs.
  var words: [String] {
    ["make", base, shape.rawValue, skims ? "skim" : "read", "\(word)", source ?? "-"]
  }

  // MARK: What it reads

  /// What decides whether it runs: two builds with the same are the same.
  struct State: Hashable, Sendable {
    var action: [String]
    var outputs: [String]
    var inputs: [[PlainTree.Seen]]
    var discovered: [PlainTree.Seen]
  }

  /// What it sees of a tree.
  struct View: Sendable {
    var state: State
    /// Why it will fail.
    var problem: String?
    /// All that is read by way of the source.
    var read: [String] = []
    fileprivate var texts: [String] = []
  }

  /// Nil if something that it declares is not there.
  func look(at tree: PlainTree, tool: String, program: String) -> View? {
    var inputs: [[PlainTree.Seen]] = []
    for need in allNeeds {
      var seen: [PlainTree.Seen] = []
      switch need {
      case .path(let path):
        guard tree.target(path) != nil else { return nil }
        seen = tree.look(path, match: path, named: true)
      case .glob(let folder, let suffix, let deep):
        for match in tree.matches(in: folder, suffix: suffix, deep: deep).sorted() {
          seen += tree.look(match, match: match, named: false)
        }
        if seen.isEmpty { return nil }
      }
      var paths: Set<String> = []
      inputs.append(seen.filter { paths.insert($0.path).inserted }.sorted { $0.path < $1.path })
    }
    let action = isCommand ? ["command", "\(flag)", program] : ["own"]
    var view = View(state: State(action: [tool] + action + words, outputs: outputs, inputs: inputs, discovered: []))
    var open = source.map { [$0] } ?? []
    var read: Set<String> = []
    while let path = open.popLast() {
      guard read.insert(path).inserted else { continue }
      guard case .file(let text, _)? = tree.target(path) else {
        view.problem = "\(path) is not there"
        continue
      }
      for line in text.split(separator: "\n") where !line.hasPrefix("//") {
        if line.hasPrefix("#include ") { open.append(String(line.dropFirst(9))) } else { view.texts.append("\(line)") }
        if line == "error" { view.problem = "an error in \(path)" }
      }
    }
    view.read = read.sorted()
    let declared = Set(inputs.joined().filter { !$0.isFolder }.map(\.path))
    view.state.discovered = view.read.filter { !declared.contains($0) }
      .flatMap { tree.look($0, match: $0, named: true) }
    return view
  }

  // MARK: What it makes

  func make(_ view: View) -> [String: PlainTree.Node] {
    let lines = view.state.inputs.map { list in
      list.map { seen in
        if skims { return "\(seen.path) \(seen.content?.prefix { $0 != "\n" } ?? "-")" }
        return "\(seen.path) \(seen.content ?? "-") \(seen.executable) \(seen.link ?? "-")"
      }
    }
    func digest(_ words: [String]) -> String {
      String(Digest(of: (view.state.action + words).joined(separator: "|")).hex.prefix(12))
    }
    // A source is compiled, and its comments do not count; what else it declares is packed.
    let whole = digest(lines.prefix(source == nil ? lines.count : 0).flatMap { $0 } + view.texts + ["\(lines.count)"])
    var made: [String: PlainTree.Node] = [:]
    switch shape {
    case .file: made["\(base).o"] = .file(whole, executable: whole.hasPrefix("a"))
    case .pair:
      made["\(base).a"] = .file(whole, executable: false)
      made["\(base).b"] = .file(digest(lines.first?.prefix(1).map { $0 } ?? []), executable: false)
    case .folder:
      made[base] = .folder
      made["\(base)/f"] = .file(whole, executable: true)
      made["\(base)/link"] = .link("f")
      // Names come and go.
      for (number, character) in whole.prefix(3).enumerated() where "13579bdf".contains(character) {
        made["\(base)/sub"] = .folder
        made["\(base)/\(number == 0 ? "" : "sub/")\(number).t"] = .file("\(number)", executable: false)
      }
    }
    if source != nil && isCommand {
      made["\(base).d"] = .file("out: \(view.read.joined(separator: " \\\n  "))\n", executable: false)
    }
    return made
  }

  // MARK: For the engine

  /// What it may read is made by the other.
  func needs(_ other: PlainStep) -> Bool {
    allNeeds.contains { need in other.outputs.contains { PlainStep.touches(need, $0) } }
  }

  static func touches(_ need: Need, _ output: String) -> Bool {
    func holds(_ folder: String, _ path: String) -> Bool { path == folder || path.hasPrefix(folder + "/") }
    switch need {
    case .path(let path): return holds(path, output) || holds(output, path)
    case .glob(let folder, let suffix, let deep):
      if holds(output, folder) { return true }
      guard parent(output) == folder else { return false }
      // A name with a dot is no folder.
      return suffix.map { output.hasSuffix($0) || deep && !output.contains(".") } ?? true
    }
  }

  func step(tool: String) -> Step {
    let inputs = allNeeds.map { need -> Input in
      switch need {
      case .path(let path): .path(FilePath(path), here)
      case .glob(let folder, let suffix, let deep):
        BuildEngineTests.glob(
          "\(folder)/\(deep ? "**" : "")\(deep && suffix != nil ? "/" : "")\(suffix.map { "*\($0)" } ?? "")")
      }
    }
    let action: any Action =
      isCommand
      ? CommandAction(
        .words(words), environment: [("FLAG", "\(flag)")],
        depfile: source == nil ? nil : FilePath("\(base).d"))
      : OwnAction(step: self, tool: tool)
    return Step(
      name: name, summary: name, inputs: inputs, outputs: outputs.map { FilePath($0) }, action: action, place: here)
  }
}

/// An action of the tool's own: it replaces its outputs in one go, and touches nothing if it fails.
struct OwnAction: Action {
  let step: PlainStep
  let tool: String

  var discovers: Bool { step.source != nil }

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("action", "own")
    for word in step.words { encoder.add("word", word) }
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    guard let disk = context.disk as? MemoryDisk,
      let view = step.look(at: PlainTree(disk), tool: tool, program: ""), view.problem == nil
    else {
      throw StepFailure("it cannot be made")
    }
    for output in step.outputs { disk.set("/tree/\(output)", nil) }
    disk.put(step.make(view))
    return ActionReport(discovered: view.read.map { FilePath($0) })
  }
}

/// Runs the commands of such steps.
struct PlainRunner: CommandRunner {
  let disk: MemoryDisk
  let tool: String
  let program: String
  let steps: [PlainStep]

  func run(_ command: Invocation, in slot: JobSlot) async throws -> CommandResult {
    try await slot.begin()
    await Task.yield()
    guard let step = steps.first(where: { $0.isCommand && $0.words == command.words }),
      command.environment.contains(Array("FLAG=\(step.flag)".utf8)),
      let view = step.look(at: PlainTree(disk), tool: tool, program: program)
    else { return CommandResult(status: .exited(127)) }
    guard view.problem == nil else {
      // Half of it.
      for output in step.outputs { disk.set("/tree/\(output)", .file([0x3F], executable: false)) }
      return CommandResult(status: .exited(1))
    }
    disk.put(step.make(view))
    return CommandResult(status: .exited(0))
  }
}

extension MemoryDisk {
  /// In the tree; folders first.
  func put(_ nodes: [String: PlainTree.Node]) {
    for (path, node) in nodes.sorted(by: { $0.key < $1.key }) {
      switch node {
      case .file(let text, let executable): set("/tree/\(path)", .file(Array(text.utf8), executable: executable))
      case .folder: set("/tree/\(path)", .folder)
      case .link(let target): set("/tree/\(path)", .link(Array(target.utf8)))
      }
    }
  }
}
