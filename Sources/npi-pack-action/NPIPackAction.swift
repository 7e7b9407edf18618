import Archives
import Artifacts
import CArchive
import CLibrary
import Check
import Findings
import Packaging
import Store
import SystemPackage

/// What workers on other machines run: one piece of npi-pack's work, in a folder that has all that it needs. It prints a
/// sealed record, which only the same build of npi-pack takes for the right one.
///
///     npi-pack-action step FILE           carries out the step of a `StepOrder` in the current folder
///     npi-pack-action facts PLUGIN        reads a plugin
///     npi-pack-action lint FILE ARTIFACT  lints an artifact as the `LintOrder` says
@main enum NPIPackAction {
  static func main() async {
    Tool.start()
    LibArchive.use(libarchive_linked())
    let words = Array(CommandLine.arguments.dropFirst())
    if words == [DemanglingProcess.word] {
      DemanglingProcess.run { _ = try? FileDescriptor.standardOutput.writeAll($0) }
      exit(0)
    }
    do {
      let record = try await Kinds.registered { try await run(words) }
      try FileDescriptor.standardOutput.writeAll(record)
    } catch {
      let text = (error as? Mistakes)?.all.map(\.message).joined(separator: "; ") ?? "\(error)"
      _ = try? FileDescriptor.standardError.writeAll(Array("\(text)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ words: [String]) async throws(Mistakes) -> [UInt8] {
    switch (words.first, words.count) {
    case ("step", 2):
      guard let order = StepOrder(try order(words[1])) else {
        throw Mistakes("\(words[1]) is no step of this npi-pack")
      }
      return try await order.carryOut()
    case ("facts", 2):
      return try PluginReader.sealedRecord(of: FilePath(words[1]), temporary: HostProcess.temporaryFolder)
    case ("lint", 3):
      guard let order = LintOrder(try order(words[1]), for: FilePath(words[2])) else {
        throw Mistakes("\(words[1]) is no order of this npi-pack")
      }
      return try await order.carryOut()
    default: throw Mistakes("npi-pack-action is started by npi-pack, on workers")
    }
  }

  private static func order(_ file: String) throws(Mistakes) -> [UInt8] {
    try explained { try FileSystem.read(FilePath(file), limit: 1 << 20) }
  }
}
