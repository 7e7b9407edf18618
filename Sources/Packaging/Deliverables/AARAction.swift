import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

/// Gathers the entries of an AAR, writes it, reads it back, runs the rules on it, and only then puts it in its place.
struct AARAction: Action {
  let declaration: String
  let fileName: String
  let keyed: KeyedInputs
  let metadata: AARMetadata
  let stripsSignatures: Bool
  let plan: Plan

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("kind", AAR.kind.name)
    encoder.add("compressor", Compressor.fingerprint)
    if let date = plan.sourceDate { encoder.add("date", date) }
    keyed.encode(into: &encoder)
    encoder.add("metadata", String(decoding: metadata.bytes, as: UTF8.self))
    encoder.add("strip-signatures", "\(stripsSignatures)")
    plan.policy.encode(plan.manifest.rules, into: &encoder)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    try EscapingLinks.refuse(Array(zip(keyed.places, context.inputs)), context)
    let output = try context.create(context.outputs[0])
    var builder = try AARBuilder(self, context)
    try await builder.build()
    let clashes = try plan.passing(builder.clashes)

    let items = builder.contents.ordered
    // The jars of the builder are files that go with it.
    defer { withExtendedLifetime(builder.jars) {} }
    let packed = try await PackedArchive.write(
      items.map(\.entry), to: output.temporaryPath, options: ZipOptions(epoch: plan.sourceDate, level: .fast)
    ) { done, total in
      context.advance(Int64(done), Int64(total))
    }
    var inventory = Inventory(place: Place(fileName), role: .aar)
    inventory.items = items.map(\.inventoryItem)
    let report = try RuleGate.pass(inventory, plan)

    try packed.record(name: declaration, kind: AAR.kind.name, path: fileName)
      .write(to: context.absolute(context.outputs[1]), context.disk)
    try output.commit()
    return ActionReport(
      notes: builder.notes, findings: clashes + report.findings, digests: [context.outputs[0]: packed.digest])
  }
}

extension AARContents.Item {
  fileprivate var inventoryItem: Item {
    var item = Item(path: entry.entry.path.bytes, kind: .file, size: 0)
    if case .file(let content, _) = entry.entry.kind { item.size = content.size }
    item.content = facts
    return item
  }
}
