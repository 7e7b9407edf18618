import Artifacts
import BuildEngine
import Findings
import Store
import SystemPackage

/// Gathers the records of all deliverables.
struct ReleaseRecordAction: Action {
  let plan: Plan

  static func step(_ plan: Plan) -> Step {
    let manifest = plan.manifest
    let name = "\(manifest.name)-\(manifest.version).release.json"
    return Step(
      name: Plan.recordStep, summary: "record \(name)",
      inputs: manifest.deliverables.map { .path(plan.record(of: $0.name), $0.place) },
      outputs: [plan.output(name)], action: ReleaseRecordAction(plan: plan), place: manifest.place)
  }

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("kind", "release-record")
    encoder.add("name", plan.manifest.name)
    encoder.add("version", plan.manifest.version)
    for recipe in plan.manifest.extends { encoder.add("extends", recipe) }
    encoder.add("compressor", Compressor.fingerprint)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    let records = try context.inputs.flatMap { $0 }.map { input in
      try DeliverableRecord.read(try context.disk.read(context.absolute(input.path)))
    }
    let document: JSONValue = [
      "version": 1,
      "plugin": [
        "name": .string(plan.manifest.name), "version": .string(plan.manifest.version),
        "extends": .array(plan.manifest.extends.map(JSONValue.string)),
      ],
      "tool": ["name": "npi-pack", "version": .string(Tool.version)],
      "compressor": .string(Compressor.fingerprint.hex),
      "deliverables": .array(records.map(\.json)),
    ]
    try context.disk.write(context.absolute(context.outputs[0]), Array(document.pretty.utf8))
    return ActionReport()
  }
}
