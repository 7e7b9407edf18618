import Store
import Subprocess
import SystemPackage

/// Swift's names, as the toolchain's `swift-demangle` writes them: the one program that knows every mangling.
package struct SwiftDemangler {
  /// The note about a failure is given once.
  private var isSilent = false

  package init() {}

  /// A text for each name, in their order, by one process; nil, and a note, if there is no such program or it fails.
  package mutating func texts(of names: [[UInt8]], _ note: (String) -> Void) async -> [[UInt8]]? {
    if isSilent { return nil }
    guard let program = SwiftDemangler.program() else {
      isSilent = true
      note("there is no swift-demangle on PATH or beside swift: names of Swift stay as they are")
      return nil
    }
    // Another person's program may depend on anything.
    Lookups.giveUp()
    var input: [UInt8] = []
    for name in names {
      input += name
      input.append(UInt8(ascii: "\n"))
    }
    do {
      // A name of a few bytes can stand for a text of any length.
      let answer = try await AskedProgram(path: program, words: ["--compact"])
        .answer(input, atMost: (64 << 20) + 64 * input.count)
      let texts = answer.output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      if answer.isSuccess, texts.count == names.count + 1 {
        return texts.dropLast().map { Array($0) }
      }
      note("\(program) does not do what it should: names of Swift stay as they are")
    } catch {
      note("\(program) cannot be run (\(error)): names of Swift stay as they are")
    }
    isSilent = true
    return nil
  }

  /// swift-demangle on PATH, or beside the real file of a `swift` on PATH.
  private static func program() -> FilePath? {
    let path = String(decoding: HostProcess.variable("PATH") ?? [], as: UTF8.self)
    // The program that runs must not depend on the working directory.
    let folders = path.split(separator: ":").map { FilePath(String($0)) }.filter(\.isAbsolute)
    let all = folders.map { $0.appending("swift-demangle") }
    let beside = folders.map { $0.appending("swift") }.compactMap {
      try? FileSystem.realPath($0).removingLastComponent().appending("swift-demangle")
    }
    return (all + beside).first { FileSystem.isProgram($0) }
  }
}

/// A program that reads all of its input before it answers.
struct AskedProgram {
  let path: FilePath
  let words: [String]

  /// The output, and whether the program succeeded. The input is a file, because writing to a dead process is a signal.
  func answer(_ input: [UInt8], atMost limit: Int) async throws -> (output: [UInt8], isSuccess: Bool) {
    let file = try TemporaryFile(in: OpenFolder(HostProcess.temporaryFolder))
    try file.append(input)
    try file.file.seek(offset: 0, from: .start)
    let result = try await run(
      .path(path), arguments: Arguments(words),
      input: .fileDescriptor(file.file, closeAfterSpawningProcess: false), output: .bytes(limit: limit),
      error: .discarded)
    // The program may read the file until it ends.
    return withExtendedLifetime(file) { (result.standardOutput, result.terminationStatus.isSuccess) }
  }
}
