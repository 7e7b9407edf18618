import Archives
import Artifacts
import BuildEngine
import Documents
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
    try EscapingLinks.refuse(zip(items, context.inputs).map { ($0.place, $1) }, context)
    let packed = try PackedItems(items, context.inputs)
    let files = packed.files.sorted { $0.path < $1.path }
    let output = try context.create(context.outputs[0])
    let archive = try await PackedArchive.write(
      files.map { entry($0, context) }, to: output.temporaryPath, options: ZipOptions(epoch: plan.sourceDate)
    ) { done, total in
      context.advance(Int64(done), Int64(total))
    }

    var inventory = Inventory(place: Place(fileName), role: .iosZip)
    inventory.items = try files.map { try item($0, context) }
    let report = try RuleGate.pass(inventory, plan)

    try archive.record(name: declaration, kind: kind, path: fileName)
      .write(to: context.absolute(context.outputs[1]), context.disk)
    try output.commit()
    var leftOut = packed.leftOut
    for file in files { leftOut.count(attributesOf: context.absolute(file.source)) }
    return ActionReport(
      notes: leftOut.note.map { [$0] } ?? [], findings: report.findings, digests: [context.outputs[0]: archive.digest])
  }

  private func entry(_ file: PackedFile, _ context: ActionContext) -> PackedEntry {
    let kind: Entry.Kind =
      if file.isLink {
        .symbolicLink(target: file.input.linkTarget?.pathBytes ?? [])
      } else if file.input.kind == .folder {
        .directory
      } else {
        .file(
          .file(context.absolute(file.source), size: Int(file.input.size)), executable: file.input.executable)
      }
    let isFile = !file.isLink && file.input.kind == .file
    return PackedEntry(
      Entry(path: file.path, kind: kind), digest: isFile ? file.input.digest : nil, source: file.source.string)
  }

  private func item(_ file: PackedFile, _ context: ActionContext) throws(FileError) -> Item {
    let kind: Item.Kind = file.isLink ? .link : file.input.kind == .folder ? .folder : .file
    var item = Item(path: file.path.bytes, kind: kind, size: Int(file.input.size))
    if kind == .file { item.content = try Item.Content(ofFile: context.absolute(file.source)) }
    return item
  }
}
