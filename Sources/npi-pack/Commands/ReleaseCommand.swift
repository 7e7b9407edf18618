import ArgumentParser
import Findings
import Packaging
import SystemPackage

struct ReleaseCommand: AsyncParsableCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "release", _superCommandName: NPIPack.name,
    abstract: "Build every deliverable anew into a folder of its own, whole or not at all.",
    discussion: """
      Example: npi-pack release --verify-reproducible

      It uses nothing that earlier builds left, and uploads nothing: it ends with what goes where.
      """)

  @Option(help: ArgumentHelp("Where the release goes (release/VERSION).", valueName: "dir"), completion: .directory)
  var to: String?

  @Option(
    help: ArgumentHelp("Compare a copy of a release with its record, and build nothing.", valueName: "dir"),
    completion: .directory)
  var verify: String?

  @Flag(help: "Build twice, in two places and under other circumstances, and name the first difference.")
  var verifyReproducible = false

  @Flag(help: "Go on with files that are not committed.")
  var allowDirty = false

  @Flag(help: "Replace a release of this version that has other files.")
  var replace = false

  @OptionGroup var running: RunOptions
  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var findings: FindingOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let run = ReleaseRun(command: self)
    let status = if let verify { try run.verify(FilePath(verify)) } else { try await run.release() }
    if status != 0 { throw ExitCode(status) }
  }
}
