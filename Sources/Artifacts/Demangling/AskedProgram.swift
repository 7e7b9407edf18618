import Store
import Subprocess
import SystemPackage

/// A program that reads all that it is asked before it answers, or dies.
struct AskedProgram {
  let path: FilePath
  let words: [String]

  /// What it has written, and whether it has ended well. What it reads is in a file: whoever writes to a process that is
  /// gone is ended.
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
