import Artifacts
import BuildEngine
import Store
import SystemPackage

// The short cut of a build that has nothing to do: it is called as it was before, and nothing has changed since.
extension Project {
  /// What the same process printed when nothing was to be done, if that was remembered and all that it followed from is as
  /// it was. `arguments` are all that the process was called with. No manifest is read, and nothing is changed but the lock.
  package static func answer(to arguments: [String]) -> String? {
    guard let root = try? FileSystem.realPath(folder(arguments)) else { return nil }
    do {
      let disk = try RealDisk(root)
      // Without a state or key there was no answer yet. The question's digest comes after them: every command asks.
      guard let state = try disk.folder(Graph.stateFolder), let question = question(arguments),
        let key = try UserFolders.key().flatMap({ try UserKey($0) }),
        let decision = TreeState.Decision(on: question, disk, try Seal(key, state))
      else { return nil }
      let lock = StateFolder(disk).lock
      // Whoever has to wait for another build, or to clear up after one, does all of it.
      guard FileLock.holder(lock) == nil else { return nil }
      return try FileLock.ifFree(lock, below: disk) { $0 == nil ? decision.answerIfSame(disk) : nil } ?? nil
    } catch {
      return nil
    }
  }

  /// Where an answer may lie, by a guess at the arguments: it was given to the same ones in the same folder.
  private static func folder(_ arguments: [String]) -> FilePath {
    guard let index = arguments.firstIndex(of: "-C"), index + 1 < arguments.count else { return "." }
    return FilePath(arguments[index + 1])
  }

  /// Everything besides the disk that decides what is to be done.
  private static func question(_ arguments: [String]) -> Digest? {
    guard let folder = HostProcess.workingFolder, let executable = HostProcess.executable else { return nil }
    var encoder = HashEncoder()
    encoder.add("tool", Tool.version)
    encoder.add("executable", executable)
    encoder.add("folder", folder)
    for argument in arguments.dropFirst() { encoder.add("argument", argument) }
    for name in ["PATH", "HOME", "SOURCE_DATE_EPOCH"] {
      guard let value = HostProcess.variable(name) else { continue }
      encoder.add("variable", name)
      encoder.add("value", .bytes(value))
    }
    return encoder.finish()
  }

  /// What is remembered of a process with nothing to do. Nil if it depends on git's tags, which cannot be looked at.
  func conclusion(_ answer: String) -> TreeState.Conclusion? {
    guard options.versionFrom == nil, let here = HostProcess.workingFolder,
      let question = Project.question(CommandLine.arguments)
    else { return nil }
    // The compressor's fingerprint is part of keys.
    return TreeState.Conclusion(
      question: question, answer: answer,
      sources: [Tool.executable, outFolder, outFolder.appending(".gitignore")] + Compressor.libraries,
      read: sources.map { (here.pushing($0.path), $0.digest) })
  }
}
