import Store
import Subprocess
import SystemPackage

/// Swift's names, as the toolchain's `swift-demangle` writes them: the one program that knows every mangling.
package struct SwiftDemangler {
  /// It is said once that it cannot be asked.
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

  /// On PATH, or where the `swift` that is there really lies.
  private static func program() -> FilePath? {
    let path = String(decoding: HostProcess.variable("PATH") ?? [], as: UTF8.self)
    // What is run must not depend on where npi-pack was started.
    let folders = path.split(separator: ":").map { FilePath(String($0)) }.filter(\.isAbsolute)
    let all = folders.map { $0.appending("swift-demangle") }
    let beside = folders.map { $0.appending("swift") }.compactMap {
      try? FileSystem.realPath($0).removingLastComponent().appending("swift-demangle")
    }
    return (all + beside).first { FileSystem.isProgram($0) }
  }
}

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
