import Artifacts
package import BuildEngine
package import Documents
package import Findings
package import Rules
import Store
package import SystemPackage

/// A manifest as steps of a build.
package struct Plan: Sendable {
  package let manifest: Manifest
  /// The folder of deliverables, relative to the plugin's folder.
  package let out: FilePath
  package let policy: FindingPolicy

  /// `SOURCE_DATE_EPOCH`, the date of every entry of an archive: seconds since 1970.
  var sourceDate: Int?

  package static let recordStep = "release-record"

  /// The steps of the manifest, and the one that writes the release record.
  package func steps() throws(Mistakes) -> [Step] {
    var steps: [Step] = []
    var mistakes: [Mistake] = []
    func add(_ declarations: [Manifest.Declaration], _ kinds: [any PlannedKind.Type], as noun: Step.Noun) {
      for declaration in declarations {
        guard let kind = kinds.first(where: { $0.kind.name == declaration.kind }) else { continue }
        do throws(Mistakes) {
          var step = try kind.plan(declaration, in: self)
          step.noun = noun
          steps.append(step)
        } catch { mistakes += error.all }
      }
    }
    add(manifest.steps, Kinds.steps, as: .step)
    add(manifest.deliverables, Kinds.deliverables, as: .deliverable)
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    return steps + [ReleaseRecordAction.step(self)]
  }

  package func output(_ name: String) -> FilePath { out.appending(name) }

  /// The record of a deliverable's contents, which its step writes.
  package func record(of deliverable: String) -> FilePath {
    Graph.recordsFolder.appending("\(deliverable).json")
  }

  package static func inputs(_ nodes: [Node]) throws(Mistakes) -> [Input] {
    var inputs: [Input] = []
    for node in nodes {
      let text = node.text ?? ""
      if Glob.isPattern(text) {
        do throws(GlobError) { inputs.append(.glob(try Glob(text), node.place)) } catch {
          throw Mistakes("'\(text)': \(error.message)", at: node.place, hint: error.hint)
        }
      } else {
        inputs.append(.path(FilePath(text), node.place))
      }
    }
    return inputs
  }

  var platforms: Set<Inventory.Platform> {
    let kinds = Set(manifest.deliverables.map(\.kind))
    return Set(Kinds.deliverables.filter { kinds.contains($0.kind.name) }.compactMap { $0.artifact.platform })
  }
}

extension Step.Noun {
  fileprivate static let deliverable = Step.Noun("deliverable", otherOutput: "give one of them a 'name:' of its own")
}

struct ReleaseRecordAction: Action {
  let plan: Plan

  /// It is done before it could be sent.
  var isForWorkers: Bool { false }

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
    plan.encodePolicy(into: &encoder)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    var records = try context.inputs.flatMap { $0 }.map { input in
      try DeliverableRecord.read(try context.disk.read(context.absolute(input.path)))
    }
    let judged = try judge(records, Place(context.outputs[0].lastComponent?.string ?? ""))
    for index in records.indices { records[index].hasCode = nil }
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
    return judged
  }

  /// Applies the rules about all deliverables together.
  private func judge(_ records: [DeliverableRecord], _ place: Place) throws -> ActionReport {
    let items = records.map { record in
      var item = Item(path: Array(record.path.utf8), size: record.size)
      if let hasCode = record.hasCode { item.facts = [CarriedCode(isThere: hasCode)] }
      return item
    }
    let inventory = Inventory(place: place, role: .release, items: items)
    var judging = Judging()
    judging.platforms = plan.platforms
    return try plan.judge(inventory, judging, else: "the deliverables together do not pass the rules")
  }
}
