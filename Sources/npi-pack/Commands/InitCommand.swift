import ArgumentParser
import Findings
import Packaging
import Scaffold
import SystemPackage

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", _superCommandName: NPIPack.name,
    abstract: "Write a commented first manifest for what the tree holds.",
    discussion: """
      Example: npi-pack init -n
               npi-pack init -C my-plugin
               npi-pack init --take libs/ios/Foo.framework

      It writes nothing, ends with 1 and lists the candidates where two answers are equally good.
      """)

  @Option(name: .customShort("C"), help: ArgumentHelp("The plugin's folder.", valueName: "dir"), completion: .directory)
  var directory: String = "."

  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Print it, write nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Which of several to pack: a path of the tree, or a name that a refusal lists. May be given several times.",
      valueName: "name"))
  var take: [String] = []

  @OptionGroup var options: ConsoleOptions

  func run() throws {
    let proposal: Scaffold.Proposal
    do { proposal = try Scaffold.propose(in: FilePath(directory), taken: take) } catch let refusal as Refusal {
      options.console.show(Mistakes([refusal.mistake]))
      throw ExitCode(1)
    }
    if dryRun {
      Console.writeOutput(proposal.text)
    } else {
      let file = try Scaffold.write(proposal, in: FilePath(directory))
      let files =
        [file.string]
        + (proposal.privacy == nil
          ? [] : [FilePath(file.string).removingLastComponent().appending("PrivacyInfo.xcprivacy").string])
      Console.writeOutput("wrote \(printable(files.joined(separator: " and "))); look it over, then run npi-pack\n")
    }
    for note in proposal.notes { options.console.note("npi-pack: \(note)") }
  }
}
