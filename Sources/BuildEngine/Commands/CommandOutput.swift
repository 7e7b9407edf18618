import Store
import Synchronization
import SystemPackage

/// The file into which a command prints, to be used again for another one.
final class CommandOutput: Sendable {
  private let held: Mutex<LockedFile>

  init(in folder: OpenFolder) throws(FileError) { held = Mutex(try LockedFile.create(in: folder)) }

  var file: FileDescriptor { held.withLock { $0.file } }

  func stayWhileHeld() { held.withLock { $0.stayWhileHeld() } }

  func clear() -> Bool { held.withLock { $0.clear() } }

  /// Why there may be less of it than was printed.
  func obstacle() -> Errno? { held.withLock { $0.obstacle() } }

  /// All of it, or, if that is more than `limit` bytes, half of that from its beginning and half from its end.
  func kept(limit: Int) throws(FileError) -> [UInt8] {
    try held.withLock { file throws(FileError) in
      let size = try file.size()
      guard size > Int64(limit) else { return try file.read(at: 0, count: Int(size)) }
      let half = limit / 2
      let head = try file.read(at: 0, count: half)
      let tail = try file.read(at: size - Int64(half), count: half)
      return head + Array("\n… \(size - 2 * Int64(half)) bytes are left out here …\n".utf8) + tail
    }
  }
}

/// Those that no command has now: as many as commands have run at once. They are removed with this.
final class IdleOutputs: Sendable {
  private let idle = Mutex<[(output: CommandOutput, wasHeld: Bool)]>([])

  /// Somebody may still have the oldest one: a program that was left behind, or for a moment another command that is just
  /// being started. Who has it the second time has it for good.
  func take(in folder: FilePath, below root: FilePath) throws(FileError) -> CommandOutput {
    if let (output, wasHeld) = idle.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      if output.clear() { return output }
      if !wasHeld { idle.withLock { $0.append((output, true)) } }
    }
    guard let folder = try OpenFolder(root).folder(folder, making: true) else {
      throw FileError(folder, doing: "make the folder", code: .noSuchFileOrDirectory)
    }
    return try CommandOutput(in: folder)
  }

  func giveBack(_ output: CommandOutput) { idle.withLock { $0.append((output, false)) } }
}
