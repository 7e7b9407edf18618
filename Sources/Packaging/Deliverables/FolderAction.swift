import Artifacts
import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

/// Makes the files of a folder.
protocol FolderMaker: Sendable {
  /// Encodes everything besides the inputs that can change the files, or the messages about them.
  func encode(into encoder: inout some KeyEncoder)
  /// Throws the same errors as `Action.run`.
  func make(_ context: ActionContext, _ folder: inout FolderWriter) async throws
}

/// Writes the files of a folder that is not in its place yet.
struct FolderWriter: ~Copyable {
  private let folder: OutputFolder
  private let context: ActionContext
  /// As the release record lists them.
  fileprivate var files: [DeliverableRecord.Entry] = []
  /// Files besides the inputs that decided about the contents; they need not be there.
  var discovered: [FilePath] = []
  /// One-liners for the user.
  var notes: [String] = []
  /// None of them is an error.
  var findings: [Finding] = []

  fileprivate init(_ context: ActionContext) throws(FileError) {
    self.context = context
    folder = try OutputFolder.create(context.outputs[0], below: try OpenFolder(context.root))
  }

  /// `path` is relative to the folder, with slashes.
  @discardableResult
  mutating func add(_ path: String, _ form: FileContents.Form) async throws -> Checksums {
    let file = try folder.create(FilePath(path))
    _ = try await FileContents(form: form).write(to: file, nil, context)
    let checksums = try Checksums(of: file.temporaryPath)
    try file.sync()
    try file.commitUnsynced()
    files.append(.init(path: path, size: checksums.size, mode: "0644", sha256: checksums.sha256))
    return checksums
  }

  /// Adds a copy of an input.
  @discardableResult
  mutating func add(_ path: String, copyOf input: ResolvedInput) async throws -> Checksums {
    let source = try SourceFile(context.absolute(input.path))
    let copy = try await add(path, .assembled(AssembledFile(source)))
    guard copy.sha256 == input.digest?.hex else {
      throw StepFailure("\(input.path) was changed while it was being copied", hint: "run again")
    }
    return copy
  }

  /// Writes files that the release record does not list: those of a step's folder.
  func fill(_ body: (borrowing OutputFolder) async throws -> Void) async throws { try await body(folder) }

  fileprivate consuming func commit() throws(FileError) { try folder.commit() }
}

/// Makes a folder: one for a package manager from other deliverables, with its record, or the output of a step.
struct FolderAction<Maker: FolderMaker>: Action {
  let name: String
  let kind: String
  let maker: Maker

  var discovers: Bool { true }

  /// It copies files, which is done before they could be sent.
  var isForWorkers: Bool { false }

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("kind", kind)
    maker.encode(into: &encoder)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    var folder = try FolderWriter(context)
    try await maker.make(context, &folder)
    let record = DeliverableRecord(
      folder: context.outputs[0].lastComponent?.string ?? "", name: name, kind: kind, files: folder.files)
    let report = ActionReport(notes: folder.notes, findings: folder.findings, discovered: folder.discovered)
    try folder.commit()
    if context.outputs.count > 1 {
      try context.disk.write(context.absolute(context.outputs[1]), Array(record.json.compact.utf8))
    }
    return report
  }
}

extension Plan {
  /// The step of a deliverable that is a folder.
  func step(
    _ declaration: Manifest.Declaration, _ kind: any DeliverableKind.Type, inputs: [Input], _ maker: some FolderMaker
  ) -> Step {
    let folder = manifest.fileName(declaration, kind.artifact)
    return Step(
      name: declaration.name, summary: "\(kind.kind.name) \(folder)", inputs: inputs,
      outputs: [output(folder), record(of: declaration.name)],
      action: FolderAction(name: declaration.name, kind: kind.kind.name, maker: maker), place: declaration.place)
  }

  /// A step that makes the folder of its key `output`.
  func folderStep(
    _ declaration: Manifest.Declaration, _ kind: Kind, inputs: [Input], _ maker: some FolderMaker
  ) -> Step {
    let output = FilePath(declaration.node["output"]?.text ?? "")
    return Step(
      name: declaration.name, summary: "\(kind.name) \(output)", inputs: inputs, outputs: [output],
      action: FolderAction(name: declaration.name, kind: kind.name, maker: maker), place: declaration.place)
  }

  /// The zip and the record of a deliverable, which `PackedFramework` reads.
  func inputs(of made: (declaration: Manifest.Declaration, path: FilePath), at place: Place) -> [Input] {
    [.path(made.path, place), .path(record(of: made.declaration.name), place)]
  }

  /// Finds the deliverable that another one is made of. Throws if none has that name and one of these kinds.
  func made(
    _ node: Node, _ kinds: [ArtifactKind], for kind: Kind
  ) throws(Mistakes) -> (declaration: Manifest.Declaration, path: FilePath) {
    let name = node.text ?? ""
    guard let declaration = manifest.deliverables.first(where: { sameBytes($0.name, name) }) else {
      let near = nearest(to: name, among: manifest.deliverables.map(\.name))
      throw Mistakes(
        "no deliverable is called '\(name)'", at: node.place,
        hint: near.map { "did you mean '\($0)'?" } ?? "'of' names deliverables of this manifest")
    }
    guard let artifact = kinds.first(where: { $0.name == declaration.kind }) else {
      throw Mistakes(
        "'\(name)' is of kind \(declaration.kind), and \(kind.name) is made of \(enumerated(kinds.map(\.name)))",
        at: node.place)
    }
    return (declaration, output(manifest.fileName(declaration, artifact)))
  }
}
