import ArgumentParser
import Artifacts
import BuildEngine
import Findings
import Packaging
import Rules
import SystemPackage

/// The options of every command.
struct ConsoleOptions: ParsableArguments {
  @Option(help: "Colour: auto (on a terminal, unless NO_COLOR is set), always or never.")
  var color: ColorMode = .auto

  var console: Console { Console(color: color) }
}

/// The manifest, and settings that override it.
struct ManifestOptions: ParsableArguments {
  @Option(
    name: .customShort("C"),
    help: ArgumentHelp("The plugin's folder; -f, --out and --version-from are relative to it.", valueName: "dir"),
    completion: .directory)
  var directory: String = "."

  @Option(name: .customShort("f"), help: ArgumentHelp("The manifest.", valueName: "file"), completion: .file())
  var file: String = "npi.yml"

  @Option(help: ArgumentHelp("Set a value of the configuration.", valueName: "key=value"), completion: .settings)
  var set: [String] = []

  @Option(
    help: ArgumentHelp("Lay the keys of a YAML or JSON file over the configuration.", valueName: "file"),
    completion: .file())
  var config: [String] = []

  @Option(
    help: ArgumentHelp("Take the version from git's tags or from a file.", valueName: "git|file"), completion: .file())
  var versionFrom: String?

  @Option(help: ArgumentHelp("Where deliverables go.", valueName: "dir"), completion: .directory)
  var out: String = "dist"

  var options: Project.Options {
    var options = Project.Options()
    options.directory = FilePath(directory)
    options.manifest = FilePath(file)
    options.out = FilePath(out)
    options.settings = set
    options.configFiles = config.map { FilePath($0) }
    options.versionFrom = versionFrom
    return options
  }

  func project() async throws(Mistakes) -> Project { try await Project.open(options) }
}

/// The name of one of `Renderers.all`.
struct ReportFormat: ExpressibleByArgument {
  let name: String

  init?(argument: String) {
    guard Self.allValueStrings.contains(argument) else { return nil }
    name = argument
  }

  private init(name: String) { self.name = name }

  static let usual = ReportFormat(name: "text")
  static var allValueStrings: [String] { Renderers.all.map { $0.name } }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { name }
}

struct FindingOptions: ParsableArguments {
  @Option(help: "How findings are shown.")
  var format = ReportFormat.usual

  @Option(
    name: .customShort("o"), help: ArgumentHelp("Write the report to a file.", valueName: "file"), completion: .file())
  var output: String?

  @Option(help: ArgumentHelp("The level of a rule.", valueName: "rule=off|note|warning|error"), completion: .levels)
  var level: [String] = []

  @Flag(help: "Warnings are errors.")
  var strict = false

  @Option(help: ArgumentHelp("Leave out the findings of a baseline.", valueName: "file"), completion: .file())
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Leave out findings that a YAML file puts up with, for a reason, until a day.", valueName: "file"),
    completion: .file())
  var suppressions: String?

  @Option(
    help: ArgumentHelp("Accept today's findings: write them as a baseline.", valueName: "file"), completion: .file())
  var writeBaseline: String?

  func policy() throws(Mistakes) -> FindingPolicy {
    if let writeBaseline, let output {
      throw Mistakes(
        "-o and --write-baseline cannot be given together",
        hint: "\(writeBaseline) is written in place of a report; make \(output) in a run of its own")
    }
    var known: Baseline?
    if let baseline { known = try Baseline(text: try Project.text(of: FilePath(baseline)), name: baseline) }
    // A new baseline holds everything that is accepted, not only what the old one lacked. Suppressed findings are left
    // out, because they are accepted until a day only.
    if writeBaseline != nil { known = nil }
    let suppressed: Suppressions? =
      if let suppressions { try Project.suppressions(FilePath(suppressions)) } else { nil }
    return try FindingPolicy(levels: level, strict: strict, baseline: known, suppressions: suppressed)
  }

  /// Refuses to write a report or baseline over a file that the command reads.
  func refuseOverwriting(_ inputs: [String]) throws(Mistakes) {
    let read = inputs + [baseline, suppressions].compactMap(\.self)
    for file in [output, writeBaseline].compactMap(\.self) where file != baseline || writeBaseline != baseline {
      try Project.refuse(writing: FilePath(file), over: read.map { FilePath($0) })
    }
    // Files read from folders and lists are protected by this rule: only an old report or baseline is overwritten.
    if let output { try Project.refuse(writing: "report", to: FilePath(output), unless: Renderers.isReport) }
    if let writeBaseline {
      try Project.refuse(writing: "baseline", to: FilePath(writeBaseline)) { head, _ in Baseline.isOne(head) }
    }
  }

  var isJSON: Bool { format.name == "json" }

  private var isText: Bool { format.name == ReportFormat.usual.name }

  /// Whether the output is more than text for people to read now.
  var givesReport: Bool { !isText || output != nil || writeBaseline != nil }

  /// Whether standard output is a report for a program, and nothing else.
  var takesOutput: Bool { !isText && output == nil && writeBaseline == nil }

  /// Whether nothing is printed or written without findings, and no other file decides which findings there are.
  var areOnlyShown: Bool { isText && output == nil && baseline == nil && suppressions == nil && writeBaseline == nil }

  /// Whether the same findings are shown in the same way each day, and nothing is written.
  var areRepeatable: Bool {
    (isText || isJSON) && output == nil && writeBaseline == nil && suppressions == nil
  }

  /// The detail of reports. `isWhole`: nothing is cut.
  func detail(isWhole: Bool) -> AppReport.Detail {
    if writeBaseline != nil { return .each }
    let detail = renderer(color: false).detail
    return isWhole && detail == .short ? .whole : detail
  }

  private func renderer(
    color: Bool, base: String = "", _ mistakes: [Mistake] = [], date: String? = nil
  ) -> any Renderer {
    var context = ReportContext()
    (context.base, context.mistakes) = (base, mistakes)
    context.color = color
    context.columns = output == nil ? Terminal.outputColumns : nil
    context.version = Tool.version
    context.date = date
    context.folder = Project.workingFolder
    context.summary = { RuleCatalogue.entry($0)?.summary }
    context.help = { RuleHelp.markdown($0) }
    context.digest = { Project.fingerprint($0) }
    return Renderers.named(format.name).init(context)
  }

  /// Shows the results of a check, and ends the command with their exit status. `mistakes` are for unreadable inputs;
  /// `hasUnread` says that findings are about such inputs.
  func end(
    _ reports: [AppReport], hasErrors: Bool, _ mistakes: [Mistake], hasUnread: Bool = false, notes: [String],
    _ console: Console
  ) throws {
    for note in notes { console.note(note) }
    if !showsText(reports, onlyIfAny: !mistakes.isEmpty) {
      for line in AppReport.together(reports).coverage.linesOfHosts { console.note(line) }
    }
    console.show(Mistakes(mistakes))
    try show(reports, mistakes, onlyIfAny: !mistakes.isEmpty, console)
    if !mistakes.isEmpty || hasUnread { throw ExitCode(2) }
    if hasErrors, writeBaseline == nil { throw ExitCode(1) }
  }

  /// Shows another result in place of findings.
  func show(text: String) throws(Mistakes) {
    if let output { try Project.write(text, to: FilePath(output)) } else { Console.writeOutput(text) }
  }

  /// An app with a name always has a report, even without findings.
  private func isNothing(_ reports: [AppReport]) -> Bool {
    reports.allSatisfy { $0.app == nil && $0.report.findings.isEmpty }
  }

  /// Whether a report is printed as text. It then includes the coverage, which is otherwise printed as notes.
  func showsText(_ reports: [AppReport], onlyIfAny: Bool) -> Bool {
    isText && output == nil && writeBaseline == nil && !(onlyIfAny && isNothing(reports))
  }

  /// Shows findings in the chosen format and place; `reports` are made for `detail`. `mistakes` are those that the user
  /// has already seen; `base` is the folder in which the places of the findings begin.
  func show(
    _ reports: [AppReport], _ mistakes: [Mistake], base: String = "", onlyIfAny: Bool, _ console: Console
  ) throws(Mistakes) {
    if let file = writeBaseline {
      let baseline = Baseline(reports)
      try Project.write(baseline.text, to: FilePath(file))
      return console.note("wrote \(counted(baseline.count, "accepted finding")) to \(file)")
    }
    let date = try Project.reportDate()
    if let file = output {
      let renderer = renderer(color: false, base: base, mistakes, date: date)
      try Project.write(renderer.render(reports), to: FilePath(file))
    } else if !isText || showsText(reports, onlyIfAny: onlyIfAny) {
      Console.writeOutput(renderer(color: console.colorsOutput, base: base, mistakes, date: date).render(reports))
    }
  }
}
