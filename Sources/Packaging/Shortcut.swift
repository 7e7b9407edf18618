import Artifacts
import BuildEngine
import Store
import SystemPackage

// The short cut of a build that has nothing to do: its arguments are the same as before, and nothing has changed since.
extension Project {
  /// The remembered output of a build with nothing to do, if everything that it depended on is unchanged. `arguments`
  /// are all those of the process. No manifest is read, and nothing is changed but the lock.
  package static func answer(to arguments: [String]) -> String? {
    guard let root = try? FileSystem.realPath(folder(arguments)) else { return nil }
    do {
      let disk = try RealDisk(root)
      // Without a state or a key there is no answer. They are tried before the digest, because every command gets here.
      guard let state = try disk.folder(Graph.stateFolder), let question = question(arguments.dropFirst()),
        let key = try UserFolders.key().flatMap({ try UserKey($0) }),
        let decision = TreeState.Decision(on: question, disk, try Seal(key, state))
      else { return nil }
      let lock = StateFolder(disk).lock
      // A build that must wait for another one, or clear up after it, takes the long way.
      guard FileLock.holder(lock) == nil else { return nil }
      return try FileLock.ifFree(lock, below: disk) { $0 == nil ? decision.answerIfSame(disk) : nil } ?? nil
    } catch {
      return nil
    }
  }

  /// A guess at the plugin's folder. A wrong guess finds no answer, which belongs to the same arguments and folder.
  private static func folder(_ arguments: [String]) -> FilePath {
    guard let index = arguments.firstIndex(of: "-C"), index + 1 < arguments.count else { return "." }
    return FilePath(arguments[index + 1])
  }

  /// The digest of everything besides the disk that decides what a build does.
  static func question(_ words: some Sequence<String>) -> Digest? {
    guard let folder = HostProcess.workingFolder, let executable = HostProcess.executable else { return nil }
    var encoder = HashEncoder()
    encoder.add("tool", Tool.version)
    encoder.add("executable", executable)
    encoder.add("folder", folder)
    for argument in words { encoder.add("argument", argument) }
    for name in ["PATH", "HOME", "SOURCE_DATE_EPOCH"] {
      guard let value = HostProcess.variable(name) else { continue }
      encoder.add("variable", name)
      encoder.add("value", .bytes(value))
    }
    return encoder.finish()
  }

  /// The record of a build with nothing to do; nil if it depends on git's tags, whose changes are not seen.
  func conclusion(_ answer: String) -> TreeState.Conclusion? {
    guard options.versionFrom == nil, let here = HostProcess.workingFolder,
      let question = Project.question(CommandLine.arguments.dropFirst())
    else { return nil }
    // The compressor's libraries are sources, because its fingerprint is part of the steps' keys.
    return TreeState.Conclusion(
      question: question, answer: answer,
      sources: [Tool.executable, outFolder, outFolder.appending(".gitignore")] + Compressor.libraries,
      read: sources.map { (here.pushing($0.path), $0.digest) })
  }
}
