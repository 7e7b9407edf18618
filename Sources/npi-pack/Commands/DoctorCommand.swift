import ArgumentParser
import Findings
import Packaging
import RemoteClients

struct DoctorCommand: AsyncParsableCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: NPIPack.name,
    abstract: "Say what this machine has and lacks for a manifest: programs, the sandbox, caches.",
    discussion: "Example: npi-pack doctor")

  @OptionGroup var manifest: ManifestOptions
  @OptionGroup var remote: RemoteOptions
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let project = try await manifest.project()
    let doctor = try await Doctor(project, try project.remote(remote.layer, client: RemoteClients.client))
    for line in doctor.lines { Console.writeOutput(printable(line) + "\n") }
    if !doctor.isWell { throw ExitCode(1) }
  }
}
