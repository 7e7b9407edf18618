import Artifacts
package import BuildEngine
package import Documents
package import Findings
import ObjectFiles
import Rules
import Store
import SystemPackage

/// `config`: the merged configuration as one JSON object, every value a string, for all platforms.
package enum ConfigFile: PlannedKind {
  package static let kind = Kind(
    name: "config",
    keys: [
      Key(
        "order", .choice(["sorted", "manifest"]), "the order of the keys: by their bytes, or as they stand (sorted)"),
      Key("name", .name, "the file's name (NAME-VERSION.json)"),
    ],
    summary: "the merged configuration: one JSON object")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let name = plan.manifest.fileName(declaration, ".json")
    let order = declaration.node["order"]?.text.flatMap(Manifest.Order.init) ?? .sorted
    return Step(
      name: declaration.name, summary: "config \(name)", inputs: [],
      outputs: [plan.output(name), plan.record(of: declaration.name)],
      action: ConfigAction(declaration: declaration.name, fileName: name, order: order, plan: plan),
      place: declaration.place)
  }
}

private struct ConfigAction: Action {
  let declaration: String
  let fileName: String
  let order: Manifest.Order
  let plan: Plan

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("kind", "config")
    encoder.add("content", plan.manifest.configuration(order: order).pretty)
    for platform in plan.platforms { encoder.add("platform", platform) }
    plan.policy.encode(plan.manifest.rules, into: &encoder)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    var inventory = Inventory(place: Place(fileName), role: .config)
    inventory.configuration = plan.manifest.config.map { ($0.key, .text($0.text)) }
    inventory.platforms = Set(plan.platforms.compactMap(Inventory.Platform.init))
    let report = try RuleGate.pass(inventory, plan)
    let bytes = Array(plan.manifest.configuration(order: order).pretty.utf8)
    try context.disk.write(context.absolute(context.outputs[0]), bytes)
    let record = DeliverableRecord(
      name: declaration, kind: ConfigFile.kind.name, path: fileName, size: bytes.count,
      sha256: Digest(of: bytes).hex, entries: [])
    try record.write(to: context.absolute(context.outputs[1]), context.disk)
    return ActionReport(findings: report.findings)
  }
}

/// Rules run on a deliverable before it takes its place.
enum RuleGate {
  /// The findings, if none is an error; a failure that carries them, if one is.
  static func pass(_ inventory: Inventory, _ plan: Plan) throws(StepFailure) -> Report {
    let report = plan.policy.report(AllRules.check(inventory, plan.policy.settings(plan.manifest.rules)))
    guard !report.hasErrors else {
      throw StepFailure(
        "it does not pass the rules of its host: \(report.summary)", findings: report.findings)
    }
    return report
  }
}
