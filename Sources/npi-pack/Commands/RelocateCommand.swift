import ArgumentParser
import Findings
import Packaging
import Rewriting
import SystemPackage

struct RelocateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relocate", _superCommandName: NPIPack.name,
    abstract: "Give the packages of a jar or an AAR other names, so that its classes collide with no other copy.",
    discussion: "Example: npi-pack relocate okio.jar -o own-okio.jar --package okio=com.rally.okio")

  @Argument(help: "A jar, an AAR, or a folder of class files.", completion: .file()) var path: String

  @Option(
    name: .customShort("o"), help: ArgumentHelp("Write the result here.", valueName: "out"), completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("A package with all below it, and its new name.", valueName: "old=new")) var package: [String]

  @Flag(help: "Change texts that begin with a package's name, too.") var strings = false
  @OptionGroup var options: ConsoleOptions

  private var packages: [(old: String, new: String)] {
    package.map { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    }
  }

  func validate() throws {
    if let text = package.first(where: { !$0.utf8.contains(UInt8(ascii: "=")) }) {
      throw ValidationError("'\(text)' has no new name: --package old.name=new.name")
    }
    for name in packages.flatMap({ [$0.old, $0.new] }) {
      if let fault = PackageMap.fault(in: name) { throw ValidationError(fault) }
    }
  }

  func run() async throws {
    let relocation = JavaFileRelocation(PackageMap(packages), strings: strings)
    let notes = try await Relocate.run(FilePath(path), to: FilePath(output), relocation)
    for note in notes { options.console.note("npi-pack: \(note)") }
  }
}
