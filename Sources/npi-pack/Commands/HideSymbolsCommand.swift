import ArgumentParser
import Findings
import Packaging
import Rewriting
import SystemPackage

struct HideSymbolsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide-symbols", _superCommandName: NPIPack.name,
    abstract: "Hide the symbols of a library from other images, so that they use their own.",
    discussion: "Example: npi-pack hide-symbols Rally.framework -o own/Rally.framework --keep '_Rally*'")

  @Argument(
    help: """
      An object file, static library, dynamic library, universal file, framework, XCFramework, or a zip or folder of \
      these.
      """, completion: .file()) var path: String

  @Option(
    name: .customShort("o"), help: ArgumentHelp("Write the result here.", valueName: "out"), completion: .file())
  var output: String

  @Option(help: ArgumentHelp("A name, or a pattern of names, that stays visible, as nm prints it.", valueName: "name"))
  var keep: [String] = []

  @Option(help: ArgumentHelp("A name, or a pattern of names, that is hidden; all others stay.", valueName: "name"))
  var only: [String] = []

  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    let change = SymbolRewrite(hiding: only, keep: keep)
    let notes = try await PrefixSymbols.run(FilePath(path), to: FilePath(output), change, keepsDebug: true)
    for note in notes { options.console.note("npi-pack: \(note)") }
  }
}
