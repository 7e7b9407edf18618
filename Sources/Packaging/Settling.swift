import Artifacts
import BuildEngine
import Store
import SystemPackage

/// A question whose answer is worth keeping if it is "nothing to do", and that answer.
package struct Settling: Sendable {
  let question: Digest
  let answer: String

  /// `arguments` are all that the process was called with; `answer` is what it prints if nothing is to be done.
  package init?(_ arguments: [String], answer: String) {
    guard let question = Settling.question(arguments) else { return nil }
    self.question = question
    self.answer = answer
  }

  /// The answer to the same question, if it was kept and all that it followed from is as it was. No manifest is read,
  /// and nothing is changed but the lock.
  package static func answer(to arguments: [String]) -> String? {
    guard let root = try? FileSystem.realPath(folder(arguments)) else { return nil }
    do {
      let disk = try RealDisk(root)
      let tree = try OpenFolder(root)
      // Whoever has no state or key yet has been told nothing yet; the question, with its digest, comes after them, since
      // every command asks.
      guard let state = try tree.folder(Graph.stateFolder), let question = question(arguments),
        let key = try UserFolders.key().flatMap({ try UserKey($0) }),
        let kept = NothingToDo.Kept(question, root: root, seal: try Seal(key, state), disk: disk)
      else { return nil }
      let lock = StateFolder(root: root, disk: disk).lock
      // Whoever has to wait for another build, or to clear up after one, does all of it.
      guard FileLock.holder(lock) == nil else { return nil }
      return try FileLock.ifFree(lock, below: tree) { $0 == nil ? kept.answerIfSame() : nil } ?? nil
    } catch {
      return nil
    }
  }

  /// Where an answer may lie. Only a guess at what the arguments mean: an answer found there was given to the same
  /// arguments in the same folder, so it is the right one.
  private static func folder(_ arguments: [String]) -> FilePath {
    guard let index = arguments.firstIndex(of: "-C"), index + 1 < arguments.count else { return "." }
    return FilePath(arguments[index + 1])
  }

  /// Everything besides the disk that decides what is to be done.
  private static func question(_ arguments: [String]) -> Digest? {
    guard let folder = try? FileSystem.realPath("."), let executable = HostProcess.executable else { return nil }
    var encoder = HashEncoder()
    encoder.add("tool", Tool.version)
    encoder.add("executable", executable)
    encoder.add("folder", folder)
    for argument in arguments.dropFirst() { encoder.add("argument", argument) }
    for name in ["PATH", "HOME", "SOURCE_DATE_EPOCH"] {
      guard let value = HostVariables.value(name) else { continue }
      encoder.add("variable", name)
      encoder.add("value", .bytes(value))
    }
    return encoder.finish()
  }
}

extension Project {
  /// Nil if the answer depends on something that cannot be looked at again: git's tags.
  func nothingToDo(_ settling: Settling, _ seal: Seal) throws(FileError) -> NothingToDo? {
    guard options.versionFrom == nil, let here = try? FileSystem.realPath(".") else { return nil }
    // The compressor's fingerprint is part of keys.
    return NothingToDo(
      root: root, question: settling.question, answer: settling.answer,
      sources: [Tool.executable, outFolder, outFolder.appending(".gitignore")] + Compressor.libraries,
      read: sources.map { (here.pushing($0.path), $0.digest) }, seal: seal, disk: try RealDisk(root))
  }
}
