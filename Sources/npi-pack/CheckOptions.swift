import ArgumentParser
import Check
import Collisions
import Findings
import Linking
import Packaging
import SystemPackage

extension LinkerProfile: ExpressibleByArgument {
  package init?(argument: String) {
    guard let profile = LinkerProfile.all.first(where: { $0.name == argument }) else { return nil }
    self = profile
  }

  package static var allValueStrings: [String] { all.map(\.name) }
  package var defaultValueDescription: String { name }
}

enum OutputKind: String, ExpressibleByArgument, CaseIterable { case executable, dylib }

enum LinkKind: String, ExpressibleByArgument, CaseIterable { case name, path }

extension AndroidGradlePlugin: ExpressibleByArgument {}

extension AndroidApp.Kotlin: ExpressibleByArgument {
  package init?(argument: String) {
    guard let version = AndroidApp.kotlin(argument) else { return nil }
    self = version
  }
}

/// The parts of an app, and how it is linked.
struct CheckOptions: ParsableArguments {
  @Option(help: "Whose verdict.", completion: .list(LinkerProfile.allValueStrings)) var linker = LinkerProfile.ldPrime
  @Flag(help: "The files and flags given are the whole link.") var closedWorld = false
  @Option(help: "What is linked; it decides what is live.") var outputKind = OutputKind.executable
  @Option(
    help: """
      How frameworks and lib*.a are linked: by name, the first of two namesakes hides the other (default: name; path \
      with --closed-world).
      """) var linkBy: LinkKind?
  @Option(help: "The major version of the app's Android Gradle plugin.") var agp: AndroidGradlePlugin?
  @Option(help: ArgumentHelp("The oldest Android that the app runs on, an API level.", valueName: "level"))
  var minSdk: Int?
  @Option(help: ArgumentHelp("The API level that the app is made for.", valueName: "level")) var targetSdk: Int?
  @Option(help: ArgumentHelp("The API level that the app is compiled with.", valueName: "level")) var compileSdk: Int?
  @Option(help: ArgumentHelp("The version of the app's Kotlin compiler.", valueName: "version"))
  var kotlin: AndroidApp.Kotlin?
  @Option(help: ArgumentHelp("The Android app's ID.", valueName: "id")) var applicationID: String?
  @Option(
    help: ArgumentHelp(
      "Libraries of the app itself, which come first, or its Android module or AndroidManifest.xml.",
      valueName: "plugin"), completion: .file())
  var app: [String] = []
  @Option(
    help: ArgumentHelp(
      "Check several apps: {app: {plugins: […], app, linker, args, output-kind, link-by, closed-world, agp, min-sdk, …}}.",
      valueName: "file"
    ), completion: .file())
  var apps: String?

  @Flag(help: "Print steps for npi.yml that end the collisions, in place of the report.") var suggestFix = false

  /// `arguments` are all words that are no options, with those after `--`.
  func checks(_ arguments: [String]) throws(Mistakes) -> CheckApps {
    // The parser does not separate words before and after `--`.
    let words = CommandLine.arguments.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
    let plugins = arguments.dropLast(words.first?.count ?? 0)
    var check = AppCheck()
    check.linker = linker
    check.isClosed = closedWorld
    check.isDylib = outputKind == .dylib
    check.isByName = linkBy.map { $0 == .name }
    check.android.agp = agp
    check.android.minSDK = minSdk
    check.android.targetSDK = targetSdk
    check.android.compileSDK = compileSdk
    check.android.kotlin = kotlin
    check.android.applicationID = applicationID
    check.policyDefects = HostRules.defects
    check.keepsFacts = suggestFix
    if let apps {
      let given = [
        ("plugins", "plugins", !plugins.isEmpty), ("--app", "app", !app.isEmpty),
        ("words after --", "args", !words.isEmpty),
      ]
      if let (what, key, _) = given.first(where: \.2) {
        throw Mistakes(
          "--apps and \(what) cannot be given together", hint: "each app has its own in \(apps), as '\(key)'")
      }
      return try CheckApps(FilePath(apps), check)
    }
    check.words = try words.first.map { words throws(Mistakes) in try ResponseFile.expanded(Array(words)) }
    check.plugins = plugins.map { Project.shortened(FilePath($0)) }
    check.apps = app.map { Project.shortened(FilePath($0)) }
    return CheckApps(check)
  }
}
