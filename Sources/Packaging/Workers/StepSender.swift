import BuildEngine
import Findings
import Remote
import Rules
import Store
import SystemPackage

/// Sends steps to workers: with each go the program that carries it out, the manifest and the step's inputs.
struct StepSender: StepWorkers {
  let project: Project
  let policy: FindingPolicy
  let store: SharedStore
  let worker: WorkerProgram
  /// The programs that every worker has.
  let programs: Set<String>

  func carryOut(
    _ step: Step, _ key: ActionKey, _ inputs: [[ResolvedInput]], isSandboxed: Bool, begun: () -> Void
  ) async throws(NotByWorkers) -> StoredRecord {
    guard store.hasWorkers else { throw .kept(nil) }
    let work: RemoteWork
    do throws(NotSent) {
      try check(step.action, isSandboxed: isSandboxed)
      work = try self.work(step, key, inputs)
    } catch { throw .kept(error.reason) }
    begun()
    let result: Result<StoredRecord, SharedStore.NoResult>
    do { result = try await store.run(work, for: key.digest) } catch { throw .failed(error) }
    switch result {
    case .success(let record):
      // Losing it is no reason to fail.
      try? store.keep(record.bytes, of: key.digest)
      return record
    case .failure(.failed): throw .kept(nil)
    case .failure(.ended(let words)): throw .kept(words)
    }
  }

  /// Why a step is not for workers: `it reads …`.
  private struct NotSent: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  private func check(_ action: any Action, isSandboxed: Bool) throws(NotSent) {
    guard action.isForWorkers else { throw NotSent("it takes no longer here") }
    if action.discovers { throw NotSent("it finds out only here which files it reads (depfile)") }
    guard let command = action as? CommandAction else { return }
    #if !os(Linux)
      throw NotSent("its command is one of this system, and workers have Linux")
    #else
      guard command.declaresAll || isSandboxed else {
        throw NotSent("its command may read what the step does not declare: declares-all, or --sandbox")
      }
      for program in command.programs where !programs.contains(program.word) {
        throw NotSent("no program '\(program.word)' is declared for workers: --remote-program")
      }
    #endif
  }

  // MARK: What goes with it

  private static let tree = "tree"
  private static let order = "step"

  private func work(_ step: Step, _ key: ActionKey, _ inputs: [[ResolvedInput]]) throws(NotSent) -> RemoteWork {
    guard let command = policy.commandLine else {
      throw NotSent("its findings are compared with a list of accepted ones")
    }
    var work = RemoteWork(
      words: ["../\(WorkerProgram.name)", "step", "../\(StepSender.order)"], folder: StepSender.tree)
    work.entries[WorkerProgram.name] = worker.entry
    for input in inputs.joined() { try add(input, to: &work) }
    for source in project.sources {
      guard let path = project.pathInTree(source.path), let bytes = try? FileSystem.read(source.path),
        Digest(of: bytes) == source.digest
      else { throw NotSent("'\(source.path)' lies outside of the plugin's folder, or was changed") }
      work.add("\(StepSender.tree)/\(try name(path))", bytes)
    }
    let options = project.options
    let order = StepOrder(
      step: step.name, key: key.digest, manifest: options.manifest.lexicallyNormalized(), out: project.outFolder,
      configFiles: options.configFiles.compactMap(project.pathInTree), settings: options.settings,
      version: project.version?.text, versionOrigin: project.version?.origin ?? "", levels: command.levels,
      isStrict: command.isStrict)
    work.add(StepSender.order, order.bytes)
    work.outputs = StepOrder.store.string
    // For its own temporary files, and for the commands that it runs.
    work.variables = [("TMPDIR", ".."), ("PATH", "/usr/local/bin:/usr/bin:/bin")]
    if let date = HostProcess.variable("SOURCE_DATE_EPOCH") {
      work.variables.append(("SOURCE_DATE_EPOCH", String(decoding: date, as: UTF8.self)))
    }
    return work
  }

  private func add(_ input: ResolvedInput, to work: inout RemoteWork) throws(NotSent) {
    let path = "\(StepSender.tree)/\(try name(input.path))"
    switch (input.kind, input.digest, input.linkTarget) {
    case (.directory, _, nil): if input.path != "." { work.entries[path] = .folder }
    case (.symbolicLink, _, let target?):
      guard let text = String(validating: target.pathBytes, as: UTF8.self) else { throw unnamed(input.path) }
      work.entries[path] = .link(text)
    case (.regular, let digest?, nil):
      let place = project.root.pushing(input.path)
      work.entries[path] = .file(.init(digest: digest, size: input.size), isExecutable: input.executable) {
        LeavingBlob(place)
      }
    default: throw NotSent("its input '\(input.path)' is a link that is followed, or no file")
    }
  }

  /// The path as text; it leads to no other folder.
  private func name(_ path: FilePath) throws(NotSent) -> String {
    guard path.isRelative, path.components.first?.kind != .parentDirectory else {
      throw NotSent("'\(path)' lies outside of the plugin's folder")
    }
    guard let text = String(validating: path.pathBytes, as: UTF8.self) else { throw unnamed(path) }
    return text
  }

  private func unnamed(_ path: FilePath) -> NotSent { NotSent("the name of '\(path)' is no text") }
}

extension Project {
  /// A path of the command line, relative to the plugin's folder; nil if it leads out of it.
  fileprivate func pathInTree(_ path: FilePath) -> FilePath? {
    guard var path = try? FileSystem.realPath(path), path.removePrefix(root) else { return nil }
    return path
  }
}
