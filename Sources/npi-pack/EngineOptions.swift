import ArgumentParser
import BuildEngine

/// The options of how steps run, named after those of make and ninja.
struct RunOptions: ParsableArguments {
  @Option(
    name: .customShort("j", allowingJoined: true),
    help: ArgumentHelp("How many steps run at once (default: the cores).", valueName: "n"))
  var jobs: Int?

  @Flag(name: .customShort("v"), help: "Show each command and its output.")
  var verbose = false

  @Flag(help: "Say why each step runs: the first thing that changed, old and new; and what it names undeclared.")
  var explain = false

  @Flag(help: "Say nothing but mistakes and findings.")
  var quiet = false

  @Option(
    help: ArgumentHelp("Write what took how long: a Chrome trace, as Perfetto shows it.", valueName: "file"),
    completion: .file())
  var trace: String?

  @Flag(
    inversion: .prefixedNo,
    help: "On Linux show a command only what its step declares (default: in CI, if bubblewrap can run).")
  var sandbox: Bool?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("-j \(jobs): at least one step must run at once") }
  }

  var jobCount: Int { jobs ?? BuildOptions.processors }
}

/// The options of which steps run.
struct EngineOptions: ParsableArguments {
  @Flag(name: .customShort("k"), help: "After a failure go on with what does not depend on it.")
  var keepGoing = false

  @Flag(
    name: [.customShort("n"), .customLong("dry-run")],
    help: "Say what would run, run nothing; with --format json as a plan: steps, reasons, files, commands.")
  var dryRun = false

  @Flag(name: .customShort("B"), help: "Run every step, as if nothing had been built.")
  var force = false

  @Flag(name: .customShort("q"), help: "Run nothing; exit 1 if something is out of date.")
  var question = false

  @Flag(help: "Build again each time that an input or the manifest changes, until Ctrl-C.")
  var watch = false

  func validate() throws {
    if watch, dryRun || question { throw ValidationError("--watch builds: it cannot be given with -n or -q") }
  }

  func build(_ run: RunOptions) -> BuildOptions {
    var options = BuildOptions(
      mode: question ? .question : dryRun ? .dryRun : .build, jobs: run.jobCount, keepGoing: keepGoing, force: force)
    options.isVerbose = run.verbose || run.explain
    return options
  }
}
