import ArgumentParser
import Check
import Collisions
import Findings
import Linking
import SystemPackage

enum LinkerName: String, ExpressibleByArgument, CaseIterable {
  case ldPrime = "ld-prime"
  case ld64, lld

  var profile: LinkerProfile {
    switch self {
    case .ldPrime: .ldPrime
    case .ld64: .ld64
    case .lld: .lld
    }
  }
}

enum OutputKind: String, ExpressibleByArgument, CaseIterable { case executable, dylib }

extension AndroidGradlePlugin: ExpressibleByArgument {}

/// What goes into an app, and how it is built.
struct CheckOptions: ParsableArguments {
  @Option(help: "Whose verdict.") var linker = LinkerName.ldPrime
  @Flag(help: "The files and flags given are the whole link.") var closedWorld = false
  @Option(help: "What is linked; it decides what is live.") var outputKind = OutputKind.executable
  @Option(help: "The Android Gradle plugin's major version; no verdict depends on it yet.") var agp:
    AndroidGradlePlugin?
  @Option(help: ArgumentHelp("Libraries of the app itself; they come first.", valueName: "plugin"))
  var app: [String] = []
  @Option(
    help: ArgumentHelp(
      "Check several apps: {app: {plugins: […], app, linker, args, output-kind, closed-world, agp}}.", valueName: "file"
    ))
  var apps: String?

  /// `arguments`: all that are no options, those after `--` included.
  func checks(_ arguments: [String]) throws(Mistakes) -> CheckApps {
    // The parser makes no difference between what stands before and after `--`.
    let words = CommandLine.arguments.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
    let plugins = PackedWords.unpack(arguments).dropLast(words.first?.count ?? 0)
    var check = AppCheck()
    check.linker = linker.profile
    check.isClosed = closedWorld
    check.isDylib = outputKind == .dylib
    check.agp = agp
    if let apps {
      let (what, key) =
        !plugins.isEmpty
        ? ("plugins", "plugins")
        : !app.isEmpty ? ("--app", "app") : !words.isEmpty ? ("words after --", "args") : ("", "")
      guard what.isEmpty else {
        throw Mistakes(
          "--apps and \(what) cannot be given together", hint: "each app has its own in \(apps), as '\(key)'")
      }
      return try CheckApps(FilePath(apps), check)
    }
    check.words = words.first.map(Array.init)
    check.plugins = plugins.map { FilePath($0) }
    check.apps = app.map { FilePath($0) }
    return CheckApps(check)
  }
}
