import Archives
import Artifacts
import BuildEngine
import Findings
import Store
import SystemPackage

/// Writes an archive, reads it back through libarchive, compares it with what was meant, runs the rules on it, and only
/// then puts it in its place.
struct ZipAction: Action {
  let kind: String
  let declaration: String
  let fileName: String
  let items: [PackItem]
  let plan: Plan

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("kind", kind)
    encoder.add("compressor", Compressor.fingerprint)
    if let date = plan.sourceDate { encoder.add("date", date) }
    for item in items {
      encoder.add("from", item.from.text ?? "")
      encoder.add("to", item.to ?? "")
    }
    plan.policy.encode(plan.manifest.rules, into: &encoder)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    try refuseEscapingLinks(context)
    let packed = try PackedItems(items, context.inputs)
    let files = packed.files.sorted { $0.path < $1.path }
    let output = try Store.OutputFile.create(context.absolute(context.outputs[0]))
    let archive = output.temporaryPath
    let summary = try await ZipWriter.write(
      files.map { entry($0, context) }, to: archive, options: ZipOptions(epoch: plan.sourceDate)
    ) { done, total in
      context.advance(Int64(done), Int64(total))
    }
    // The disk works while the processor reads back.
    async let synced: Void = FileSystem.sync(file: archive)
    let digests = try await readBack(archive, summary, files, context)
    try await synced

    var inventory = Inventory(place: Place(fileName), role: .iosZip)
    inventory.items = try files.map { try item($0, context) }
    let report = try Judgement.pass(inventory, plan)

    let digest = try FileSystem.digest(of: archive)
    try record(summary, digests, digest)
      .write(to: context.absolute(context.outputs[1]), context.disk)
    try output.commit()
    var leftOut = packed.leftOut
    for file in files { leftOut.count(attributesOf: context.absolute(file.source)) }
    return ActionReport(
      notes: leftOut.note.map { [$0] } ?? [], findings: report.findings, digests: [context.outputs[0]: digest])
  }

  /// A link that is named itself is packed as what it leads to, and that is in the plugin's folder: what lies elsewhere
  /// is no part of the plugin, and another machine has something else there.
  private func refuseEscapingLinks(_ context: ActionContext) throws {
    let root = try FileSystem.realPath(context.root)
    var mistakes: [Mistake] = []
    for (item, group) in zip(items, context.inputs) {
      for input in group where input.linkTarget != nil && input.path == input.match {
        let end = try FileSystem.realPath(context.absolute(input.path))
        if end.starts(with: root) { continue }
        mistakes.append(
          Mistake(
            "the symbolic link \(input.path) leads out of the plugin's folder, to \(end)", at: item.place,
            hint: "put a copy of the file in its place"))
      }
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
  }

  private func entry(_ file: PackedFile, _ context: ActionContext) -> Entry {
    let kind: Entry.Kind =
      if file.isLink {
        .symbolicLink(target: file.input.linkTarget?.pathBytes ?? [])
      } else if file.input.kind == .folder {
        .directory
      } else {
        .file(
          .file(context.absolute(file.source), size: Int(file.input.size)), executable: file.input.executable)
      }
    return Entry(path: file.path, kind: kind)
  }

  /// The digest of each entry as libarchive reads it; each must be the one that the step's key was made of.
  private func readBack(
    _ archive: FilePath, _ summary: ZipSummary, _ files: [PackedFile], _ context: ActionContext
  ) async throws -> [Digest] {
    let digests = try await ReadBack.verify(archive, against: summary) { _ in DigestSink() }.compactMap {
      Digest(bytes: $0.digest)
    }
    for (file, digest) in zip(files, digests) where !file.isLink && file.input.kind == .file {
      guard digest == file.input.digest else {
        throw StepFailure(
          "\(file.source) was changed while it was being packed", hint: "wait until nothing writes to it and run again")
      }
    }
    return digests
  }

  private func item(_ file: PackedFile, _ context: ActionContext) throws(FileError) -> Item {
    let kind: Item.Kind = file.isLink ? .link : file.input.kind.itemKind
    var item = Item(path: file.path.bytes, kind: kind, size: Int(file.input.size))
    if kind == .file { item.content = try Item.Content(ofFile: context.absolute(file.source)) }
    return item
  }

  private func record(_ summary: ZipSummary, _ digests: [Digest], _ whole: Digest) -> DeliverableRecord {
    let entries = zip(summary.entries, digests).map { item, digest in
      DeliverableRecord.Entry(
        path: String(decoding: item.path.bytes, as: UTF8.self), size: item.uncompressedSize, mode: item.octalMode,
        sha256: digest.hex)
    }
    return DeliverableRecord(
      name: declaration, kind: kind, path: fileName, size: summary.size, sha256: whole.hex, entries: entries)
  }
}

extension ZipSummary.Item {
  /// `0644` of a file, `0120777` of a link.
  fileprivate var octalMode: String {
    let isLink = mode & 0o170000 == 0o120000
    return "0" + String(isLink ? mode : mode & 0o7777, radix: 8)
  }
}
