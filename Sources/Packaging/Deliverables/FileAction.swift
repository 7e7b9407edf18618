import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import Rules
import Store
import SystemPackage

/// Makes the content of the one file of a step or deliverable.
protocol FileMaker: Sendable {
  /// Encodes everything besides the inputs that can change the bytes, or the messages about them.
  func encode(into encoder: inout some KeyEncoder)
  func isExecutable(_ inputs: [[ResolvedInput]]) -> Bool
  /// The command that signs the content before it is packed.
  var signing: Signing? { get }
  /// Throws the same errors as `Action.run`.
  func make(_ context: ActionContext) async throws -> FileContents
}

extension FileMaker {
  func isExecutable(_ inputs: [[ResolvedInput]]) -> Bool { false }
  var signing: Signing? { nil }
}

/// The content that a maker has gathered for its file.
struct FileContents: Sendable {
  enum Form: Sendable {
    case bytes([UInt8])
    case archive([PackedEntry], ZipOptions)
    case assembled(AssembledFile)
  }

  let form: Form
  /// One-liners for the user.
  var notes: [String] = []
  /// The app that an extension is for.
  var app: ContainingApp?
  /// None of them is an error.
  var findings: [Finding] = []
  /// Files and folders that entries are read from. They are removed with this value.
  var scratch: [any Sendable & AnyObject] = []
  /// A signer prints it.
  var output: [UInt8] = []
  /// Reads an assembled file back. It throws if the file is not as intended.
  var check: (@Sendable (FilePath) async throws -> Void)?

  /// The names of an archive's entries.
  fileprivate var names: [[UInt8]] {
    if case .archive(let entries, _) = form { entries.map(\.entry.path.bytes) } else { [] }
  }

  /// Writes the file beside its place. An archive is read back to compare it with the intended content.
  ///
  /// - Parameter reading: the facts that are collected from a deliverable that is an archive.
  func write(
    to file: borrowing Store.OutputFile, _ reading: FileReading?, _ context: ActionContext
  ) async throws -> MadeFile {
    defer { withExtendedLifetime(scratch) {} }
    switch form {
    case .bytes(let bytes): return try file.write(whole: bytes)
    case .archive(let entries, let options):
      return try await PackedArchive.write(
        entries, to: file.temporaryPath, options: options, reading: reading, in: context.span, advance: context.advance)
    case .assembled(let assembled):
      let digest = try await assembled.writeAndDigest(to: file)
      try await check?(file.temporaryPath)
      return MadeFile(size: assembled.size, digest: digest)
    }
  }
}

struct MadeFile: Sendable {
  /// In bytes.
  var size = 0
  var digest: Digest?
  /// As the release record lists them.
  var entries: [DeliverableRecord.Entry] = []
  /// The contents of an archive; nil if no facts were asked for.
  var inventory: Inventory?
}

/// Makes one file from the plugin's folder. A deliverable is also judged by its host's rules, and recorded.
struct FileAction<Maker: FileMaker>: Action {
  let kind: String
  /// The place in the manifest that names each input.
  let places: [Place]
  let maker: Maker
  /// Nil for the output of a step, which stays in the plugin's folder.
  let deliverable: Deliverable?

  struct Deliverable: Sendable {
    let name: String
    let artifact: ArtifactKind
    let fileName: String
    let plan: Plan
  }

  var programs: [Program] { maker.signing.map { [$0.program] } ?? [] }

  var secrets: [String] { maker.signing?.secretNames ?? [] }

  /// A signer may read keys of this machine that no input names.
  func isShared(_ context: ActionContext) -> Bool { maker.signing?.command.isShared(context) ?? true }

  var isForWorkers: Bool { maker.signing == nil }

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("kind", kind)
    maker.encode(into: &encoder)
    maker.signing?.encode(into: &encoder)
    deliverable?.plan.encodePolicy(into: &encoder)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    try EscapingLinks.refuse(Array(zip(places, context.inputs)), context)
    let file = try context.create(context.outputs[0], executable: maker.isExecutable(context.inputs))
    var contents = try await maker.make(context)
    if let signing = maker.signing { try await signing.sign(&contents, context) }
    let reading = deliverable.flatMap { deliverable in
      let (role, plan) = (deliverable.artifact, deliverable.plan)
      return role.isArchive
        ? FileReading(
          place: Place(deliverable.fileName), role: role,
          facts: AllRules.facts(
            plan.policy.settings(plan.manifest.rules), of: role, holding: role.platform == .ios ? contents.names : nil))
        : nil
    }
    let made = try await contents.write(to: file, reading, context)
    var report = ActionReport()
    if let deliverable {
      let (judged, inventory) = try judge(
        at: file.temporaryPath, made.inventory, contents.app, deliverable, context.span)
      report = judged
      var record = DeliverableRecord(
        name: deliverable.name, kind: kind, path: deliverable.fileName, size: made.size,
        sha256: made.digest?.hex ?? "", entries: made.entries)
      record.hasCode = EmptyDeliverable.hasCode(inventory)
      let slices = inventory.slices
      if !slices.isEmpty { record.slices = slices }
      try context.disk.write(context.absolute(context.outputs[1]), Array(record.json.compact.utf8))
    }
    try file.commit()
    report.notes = contents.notes
    report.output = contents.output
    report.findings = contents.findings + report.findings
    if let digest = made.digest { report.digests = [context.outputs[0]: digest] }
    return report
  }

  /// Judges the content as it was read back from the file.
  private func judge(
    at path: FilePath, _ found: Inventory?, _ app: ContainingApp?, _ deliverable: Deliverable, _ span: Trace.Span?
  ) throws -> (ActionReport, Inventory) {
    let tracing = span?.begin("check rules", "rules")
    defer { tracing?.end() }
    let (plan, place) = (deliverable.plan, Place(deliverable.fileName))
    let inventory: Inventory
    var judging = Judging()
    if let found {
      inventory = found
    } else if deliverable.artifact == .plainFile {
      inventory = Inventory(place: place, role: .plainFile)
    } else {
      (inventory, judging.defects) = try plan.manifest.schemas.read(path, at: place, as: deliverable.artifact)
    }
    judging.configuration = plan.manifest.judgedConfiguration
    judging.platforms = plan.platforms
    judging.app = app
    let judged = try plan.judge(inventory, judging, else: "it does not pass the rules of its host")
    return (judged, inventory)
  }
}

extension Plan {
  /// The step of a deliverable. `places` are those that name the inputs, if they are not the inputs' own places.
  func step(
    _ declaration: Manifest.Declaration, _ kind: any DeliverableKind.Type, inputs: [Input] = [],
    places: [Place]? = nil, _ maker: some FileMaker
  ) -> Step {
    let fileName = manifest.fileName(declaration, kind.artifact)
    let action = FileAction(
      kind: kind.kind.name, places: places ?? inputs.map(\.place), maker: maker,
      deliverable: .init(name: declaration.name, artifact: kind.artifact, fileName: fileName, plan: self))
    return Step(
      name: declaration.name, summary: "\(kind.kind.name) \(fileName)", inputs: inputs,
      outputs: [output(fileName), record(of: declaration.name)], action: action, place: declaration.place)
  }

  /// A step that makes the file of its key `output`.
  func step(
    _ declaration: Manifest.Declaration, _ kind: Kind, inputs: [Input], _ maker: some FileMaker
  ) -> Step {
    let output = FilePath(declaration.node["output"]?.text ?? "")
    return Step(
      name: declaration.name, summary: "\(kind.name) \(output)", inputs: inputs, outputs: [output],
      action: FileAction(kind: kind.name, places: inputs.map(\.place), maker: maker, deliverable: nil),
      place: declaration.place)
  }

  /// The findings of the rules about an artifact. Throws if one of them is an error.
  func judge(
    _ inventory: Inventory, _ judging: Judging, else failure: String
  ) throws(StepFailure) -> ActionReport {
    let found = AllRules.judge(inventory, judging, by: policy.settings(manifest.rules), of: host)
    return ActionReport(findings: try accepted(found.findings, found.coverage, else: failure), coverage: found.coverage)
  }

  private var host: String? { HostRules.name(manifest.extends) }

  /// The findings that are not accepted. Throws a failure that carries them if one of them is an error.
  func accepted(
    _ findings: [Finding], _ coverage: Coverage = Coverage(), else failure: String
  ) throws(StepFailure) -> [Finding] {
    let report = policy.report(findings.map { $0.of(plugin: manifest.name) })
    guard report.hasErrors else { return report.findings }
    var failure = StepFailure("\(failure): \(report.summary)", findings: report.findings)
    failure.coverage = coverage
    failure.isRefusal = true
    throw failure
  }

  /// Encodes everything that changes the report of findings.
  func encodePolicy(into encoder: inout some KeyEncoder) {
    if let host { encoder.add("host", host) }
    // Findings are recognized by it.
    encoder.add("plugin", manifest.name)
    // Parameters count also where a rule is off: an AAR takes what the host has from one.
    for (id, settings) in policy.settings(manifest.rules).sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where settings.level != .off || !settings.lists.isEmpty || !settings.tables.isEmpty {
      encoder.add("rule", "\(id) \(settings.level.rawValue)")
      for (name, values) in settings.lists.sorted(by: { $0.key < $1.key }) {
        encoder.add("parameter", name)
        for value in values { encoder.add("value", value) }
      }
      for (name, rows) in settings.tables.sorted(by: { $0.key < $1.key }) {
        encoder.add("parameter", name)
        for (key, values) in rows {
          encoder.add("key", key)
          for value in values { encoder.add("value", value) }
        }
      }
      for key in AllRules.rule(id)?.configurationKeys(settings) ?? [] {
        encoder.add("configuration", key)
        if let text = manifest.judgedConfiguration.text(key) { encoder.add("value", text) }
      }
    }
    for level in policy.otherLevels(manifest.rules) { encoder.add("level", level) }
    if let acceptance = policy.acceptance { encoder.add("accepted", acceptance) }
  }
}
