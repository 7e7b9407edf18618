import ArgumentParser
import Findings
import Packaging
import Rewriting
import SystemPackage

struct PrefixSymbolsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefix-symbols", _superCommandName: NPIPack.name,
    abstract: "Put a prefix before the symbols of a library, so that it collides with no other copy.",
    discussion: "Example: npi-pack prefix-symbols libRally.a -o libRally-RC.a --prefix RC_")

  @Argument(
    help: "An object file, static library, universal file, framework, XCFramework, or a zip or folder of these.",
    completion: .file()) var path: String

  @Option(
    name: .customShort("o"), help: ArgumentHelp("Write the result here.", valueName: "out"), completion: .file())
  var output: String

  @Option(help: ArgumentHelp("The prefix: RC_ makes RC_parse of parse.", valueName: "text")) var prefix: String?
  @Option(help: ArgumentHelp("Take this prefix off instead.", valueName: "text")) var stripPrefix: String?

  @Option(help: ArgumentHelp("A name, or a pattern of names, that stays, as nm prints it.", valueName: "name"))
  var keep: [String] = []

  @Option(help: ArgumentHelp("A name, or a pattern of names, that changes; all others stay.", valueName: "name"))
  var only: [String] = []

  @Flag(help: "Rename Objective-C classes too.") var classes = false
  @Option(help: ArgumentHelp("A protocol, or a pattern, that is renamed with the classes.", valueName: "name"))
  var protocols: [String] = []

  @Flag(help: "Leave debugging information out.") var dropDebug = false
  @OptionGroup var options: ConsoleOptions

  func validate() throws {
    guard let text = prefix ?? stripPrefix, prefix == nil || stripPrefix == nil else {
      throw ValidationError("give one of --prefix and --strip-prefix")
    }
    if let fault = SymbolRewrite.fault(in: text) { throw ValidationError(fault) }
  }

  func run() async throws {
    let change = SymbolRewrite(
      prefix ?? stripPrefix ?? "", prefix == nil ? .remove : .add, keep: keep, only: only, classes: classes,
      protocols: protocols)
    let notes = try await PrefixSymbols.run(FilePath(path), to: FilePath(output), change, keepsDebug: !dropDebug)
    for note in notes { options.console.note("npi-pack: \(note)") }
  }
}
