import ArgumentParser
import Findings
import Packaging
import SystemPackage

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", _superCommandName: NPIPack.name,
    abstract: "Look at the tree and write a commented manifest that builds.",
    discussion: """
      Example: npi-pack init -n
               npi-pack init -C my-plugin
      """)

  @Option(name: .customShort("C"), help: ArgumentHelp("The plugin's folder.", valueName: "dir"))
  var directory: String = "."

  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Print it, write nothing.")
  var dryRun = false

  @OptionGroup var options: ConsoleOptions

  func run() throws {
    let (text, notes) = try Project.starter(in: FilePath(directory))
    defer { for note in notes { options.console.note("npi-pack: \(note)") } }
    if dryRun { return Console.writeOutput(text) }
    let file = try Project.writeStarter(text, in: FilePath(directory))
    Console.writeOutput("wrote \(printable(file.string)); look it over, then run npi-pack\n")
  }
}
