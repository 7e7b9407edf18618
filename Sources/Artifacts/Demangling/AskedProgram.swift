import Store
import Subprocess
import SystemPackage

/// A program that reads all that it is asked before it answers, or dies.
struct AskedProgram {
  let path: FilePath
  let words: [String]

  /// Its output, and whether it has ended well. Its input is a file: a write to a process that is gone is a signal.
  func answer(_ input: [UInt8], atMost limit: Int) async throws -> (output: [UInt8], isSuccess: Bool) {
    let file = try TemporaryFile(in: OpenFolder(HostProcess.temporaryFolder))
    try file.append(input)
    try file.file.seek(offset: 0, from: .start)
    let result = try await run(
      .path(path), arguments: Arguments(words),
      input: .fileDescriptor(file.file, closeAfterSpawningProcess: false), output: .bytes(limit: limit),
      error: .discarded)
    // It is read until the program has ended.
    return withExtendedLifetime(file) { (result.standardOutput, result.terminationStatus.isSuccess) }
  }
}
