import ArgumentParser
import Artifacts
import Findings
import SystemPackage

struct SymbolsCommand: AsyncParsableCommand, ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "symbols", _superCommandName: NPIPack.name,
    abstract: "Print the symbols of object files and libraries, through any container.",
    discussion: "Example: npi-pack symbols -gU dist/RallyConnector-1.4.0-ios.zip")

  @Argument(help: ArgumentHelp("Object files, libraries, archives, folders.", valueName: "file"), completion: .file())
  var paths: [String]

  @Option(help: "As nm prints them, or one JSON object a line.") var format = SymbolReport.Format.nm
  @Flag(help: "Print how many there are only.") var count = false
  @Flag(name: .customShort("g"), help: "External ones only.") var externalOnly = false
  @Flag(name: .customShort("U"), help: "Defined ones only.") var definedOnly = false
  @Flag(name: .customShort("u"), help: "Undefined ones only.") var undefinedOnly = false
  @Flag(name: .customShort("A"), help: "Begin each line with the file's name.") var namesFiles = false
  @Flag(help: "Print the tables of contents of static libraries too.") var printArmap = false
  @Flag(help: "Print Objective-C classes, categories, protocols and references too.") var objc = false
  @Flag(help: "Print Java classes too, with their members, annotations and references.") var java = false
  @Flag(name: [.long, .customShort("C")], help: "Print names of C++ and Swift as their author wrote them.")
  var demangle = false
  @Option(help: ArgumentHelp("One architecture only, or all (the default).", valueName: "arch")) var arch: [String] = []
  @OptionGroup var options: ConsoleOptions

  func run() async throws {
    var report = SymbolReport()
    report.format = format
    report.counts = count
    report.externalOnly = externalOnly
    report.definedOnly = definedOnly
    report.undefinedOnly = undefinedOnly
    report.namesFiles = namesFiles
    report.printsMaps = printArmap
    report.objc = objc
    report.java = java
    report.demangles = demangle
    report.architectures = arch
    let console = options.console
    let mistakes = try await report.write(
      paths.map { FilePath($0) }, to: { Console.writeNames($0) },
      note: { console.note("npi-pack: \($0)") })
    console.show(Mistakes(mistakes))
    if !mistakes.isEmpty { throw ExitCode(2) }
  }
}

extension SymbolReport.Format: ExpressibleByArgument {}
