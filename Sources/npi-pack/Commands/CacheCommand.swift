import ArgumentParser
import Findings
import Packaging

struct CacheCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", _superCommandName: NPIPack.name,
    abstract: "Look after the user's store and a remote cache.",
    discussion: "Example: npi-pack cache verify --remote-cache https://cache.example.com/npi",
    subcommands: [Status.self, Verify.self, Trim.self], defaultSubcommand: Status.self)

  /// Shows a report; one that is not well is a failure.
  private static func show(_ text: CacheReport.Text) throws {
    Console.writeOutput(text.lines.map { printable($0) + "\n" }.joined())
    if !text.isWell { throw ExitCode(1) }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Say what is configured, whether it is reachable, and what it was good for.",
      discussion: "Example: npi-pack cache status")

    @OptionGroup var cache: CacheOptions

    func run() async throws { try show(await CacheReport.status(try await cache.settings())) }
  }

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Write to a remote cache, read from it, and say how it behaves.",
      discussion: "Example: npi-pack cache verify --remote-cache https://cache.example.com/npi")

    @OptionGroup var cache: CacheOptions

    func run() async throws { try show(await CacheReport.verify(try await cache.settings())) }
  }

  struct Trim: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim", abstract: "Remove from the user's store what was not used for the longest time.",
      discussion: "Example: npi-pack cache trim --to 2G")

    @Option(help: ArgumentHelp("How much may be left: bytes, or with K, M or G.", valueName: "size")) var to: String

    func run() throws { try show(CacheReport.trim(to)) }
  }
}
