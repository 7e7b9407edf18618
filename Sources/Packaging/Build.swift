import Artifacts
package import BuildEngine
import Documents
package import Findings
import ObjectFiles
package import Remote
package import Rules
import Store
package import SystemPackage

// The command `build`.
extension Project {
  package func build(
    _ targets: [String], options: BuildOptions, policy: FindingPolicy, progress: any BuildEngine.Progress,
    answer: String? = nil, remote: RemoteSettings? = nil, waiting: (Wait) -> Void = { _ in }
  ) async throws(Mistakes) -> BuildResult {
    var options = options
    options.force = options.force || options.isFresh
    let graph = try graph(policy: policy)
    // A wrong target is reported before anything is made.
    let targets = try self.targets(targets, graph.steps)
    _ = try graph.selection(targets)
    do {
      let disk = try RealDisk(root)
      let state = StateFolder(disk)
      let run = { (store: (any OutputStore)?, writes: Bool, workers: StepSender?) in
        try await scheduler(
          graph, progress, store, writes: writes, remembers: !options.isFresh, answer: answer, workers: workers
        ).run(targets, options: options)
      }
      guard options.mode == .build else { return try await run(nil, false, nil) }
      let (own, refusal) = options.isFresh ? (nil, nil) : UserStore.prepared
      if let refusal { progress.note(refusal) }
      let shared = try remote.map { settings throws(Mistakes) in
        guard let own else { throw RemoteSettings.noStore }
        return SharedStore(own, settings, warn: { progress.note($0) })
      }
      let workers = try remote.flatMap { try sender(policy, $0, shared) }
      return try await state.withTreeLock(outputs: graph.steps.flatMap(\.outputs), waiting: waiting) {
        let folder = root.pushing(outFolder)
        try disk.makeFolders(folder)
        // A folder that is not empty may hold files of the plugin, which git must not ignore.
        if try disk.list(folder).isEmpty { try StateFolder.keepOutOfGit(folder, disk: disk) }
        let result = try await run(shared ?? own, true, workers)
        if let shared {
          // An interrupted build is no verdict on the cache.
          if !result.wasCancelled { try shared.finish() }
          if shared.wasAsked { progress.note(shared.tally.text) }
        }
        return result
      }
    } catch is CancellationError {
      // The build was cancelled while it waited for another one.
      return BuildResult(steps: [], wasCancelled: true)
    } catch {
      throw Mistakes(from: error)
    }
  }

  package func picture(_ targets: [String]) throws(Mistakes) -> GraphPicture {
    let graph = try graph(policy: try FindingPolicy())
    return GraphPicture(graph, try graph.selection(targets))
  }

  /// The reason why an output or a step was last made, and whether it would be made again now.
  package func why(_ target: String) async throws(Mistakes) -> String {
    let graph = try graph(policy: try FindingPolicy())
    guard let index = try graph.selection([target]).last else { return "" }
    let step = graph.steps[index]
    do {
      let disk = try RealDisk(root)
      try StateFolder(disk).check()
      let log = try log(disk)
      let result = try await scheduler(graph, NoProgress(), writes: false).run(
        [step.name], options: BuildOptions(mode: .dryRun))
      var lines = ["\(target) is made by \(step.summary) (\(step.place))"]
      if let record = log[step.name] {
        let origin = record.origin ?? "the store"
        let what = record.wasRestored ? "it was restored from \(origin)" : "it ran"
        lines.append("\(what) the last time because: \(record.reason)")
      }
      switch result.steps.last(where: { $0.step.name == step.name })?.outcome {
      case .wouldRun(let reason)?: lines.append("it would run now because: \(reason)")
      case .upToDate?: lines.append("it is up to date")
      case .failed(let failure)? where failure.isRemembered:
        lines.append("it was refused, and would be again: \(failure.message)")
      case .failed(let failure)?: lines.append("it cannot run now: \(failure.message)")
      default: break
      }
      return lines.map { printable($0) + "\n" }.joined()
    } catch {
      throw Mistakes(from: error)
    }
  }

  func log(_ disk: RealDisk) throws -> BuildLog {
    try BuildLog(StateFolder(disk).log, seal: try seal(making: false).seal, disk: disk)
  }

  private func sender(
    _ policy: FindingPolicy, _ settings: RemoteSettings, _ store: SharedStore?
  ) throws(FileError) -> StepSender? {
    guard settings.executes, let store else { return nil }
    return StepSender(
      project: self, policy: policy, store: store, worker: try WorkerProgram(beside: Tool.executable),
      programs: settings.programs)
  }

  /// - Parameter only: the one step that is wanted; what other steps make is there already. Nil for all.
  func graph(policy: FindingPolicy, only: String? = nil) throws(Mistakes) -> Graph {
    let steps = try Plan(manifest: manifest, out: outFolder, policy: policy, sourceDate: try Project.sourceDate())
      .steps().filter { only == nil || $0.name == only }
    return try Graph(steps, hidden: [Graph.stateFolder, outFolder] + ownFolders, sources: ownFiles)
  }

  /// The usual folders of deliverables and releases, unless the plugin has files of its own in them: what was built before
  /// is no input.
  private var ownFolders: [FilePath] {
    guard let disk = try? RealDisk(root) else { return [] }
    return [Options().out, Project.releases].filter {
      (try? StateFolder.isKeptOutOfGit(root.pushing($0), disk: disk)) == true
    }
  }

  /// The files in the tree that the manifest was read from, relative to the root.
  private var ownFiles: [FilePath] {
    [options.manifest.lexicallyNormalized()]
      + sources.compactMap { source in
        guard var path = try? FileSystem.realPath(source.path), path.removePrefix(root) else { return nil }
        return path
      }
  }

  /// - Parameter remembers: whether digests of earlier builds are used, and those of this one kept.
  func scheduler(
    _ graph: Graph, _ progress: any BuildEngine.Progress, _ store: (any OutputStore)? = nil, writes: Bool,
    remembers: Bool = true, answer: String? = nil, workers: StepSender? = nil
  ) throws -> Scheduler {
    let disk = try RealDisk(root)
    let state = StateFolder(disk)
    let (seal, problem) = try seal(making: writes)
    if let problem { progress.note(problem) }
    let memory = TreeState(disk, seal: seal, writes: writes, conclusion: answer.flatMap(conclusion))
    return Scheduler(
      graph: graph, disk: disk, runner: ProcessRunner(root: root, temporaryFolder: state.temporary),
      host: .current, seal: seal, fingerprint: try Tool.fingerprint(memory),
      progress: progress, memory: remembers ? memory : nil, store: store, workers: workers)
  }

  /// The environment's date for packed files (reproducible-builds.org). Users rely on it, so a wrong value is an error.
  static func sourceDate() throws(Mistakes) -> Int? {
    guard let value = HostProcess.variable("SOURCE_DATE_EPOCH"), !value.isEmpty else { return nil }
    let text = String(decoding: value, as: UTF8.self)
    guard let seconds = Int(text) else {
      throw Mistakes("SOURCE_DATE_EPOCH is '\(text)'", hint: "it is a whole number: seconds since 1970, in UTC")
    }
    return seconds
  }

  /// Relative to the plugin's folder.
  package var outFolder: FilePath { options.out.lexicallyNormalized() }

  /// Without targets: every deliverable, and the release record of them all.
  func targets(_ targets: [String], _ steps: [Step]) throws(Mistakes) -> [String] {
    if !targets.isEmpty { return targets }
    guard !manifest.deliverables.isEmpty else {
      throw Mistakes(
        "the manifest declares no deliverable", at: manifest.place,
        hint: "add 'deliverables:', or name a step: \(manifest.steps.map(\.name).joined(separator: ", "))")
    }
    return manifest.deliverables.map(\.name) + [Plan.recordStep]
  }

  /// The seal of the records in this tree. `problem` is the reason why later builds cannot trust them.
  ///
  /// `making` creates the user's key if there is none. The state folder must exist then.
  func seal(making: Bool) throws(FileError) -> (seal: Seal, problem: String?) {
    let tree = try OpenFolder(root)
    let folder = try tree.folder(Graph.stateFolder) ?? tree
    guard let path = UserFolders.key() else {
      return (try Seal(nil, folder), making ? Project.unremembered("there is no home folder: set HOME") : nil)
    }
    do throws(FileError) {
      return (try Seal(making ? try UserKey.obtain(path) : try UserKey(path), folder), nil)
    } catch {
      let reason = error.description + (error.hint.map { "; \($0)" } ?? "")
      return (try Seal(nil, folder), making ? Project.unremembered(reason) : nil)
    }
  }

  private static func unremembered(_ reason: String) -> String {
    "what is built now is built again the next time: \(reason)"
  }
}

extension Tool {
  /// The identity of this executable: the version and the linker's build ID, or the digest of the file.
  fileprivate static func fingerprint(_ memory: TreeState) throws(FileError) -> [UInt8] {
    let name = Array("npi-pack \(version) ".utf8)
    let id = try MappedFile.open(executable).withBytes { (bytes: RawSpan) in try? BuildID.of(ByteReader(bytes)) }
    if let id { return name + id }
    let status = try FileSystem.status(of: executable, followingLinks: true)
    let digest =
      if let status { try memory.digest(of: executable, at: executable, status) } else {
        try FileSystem.digest(of: executable)
      }
    return name + digest.bytes
  }
}
