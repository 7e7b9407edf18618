import BuildEngine
package import Findings
import Store
package import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is in one deliverable. Written beside the engine's state when the deliverable is made, and gathered in the
/// release record.
package struct DeliverableRecord: Codable, Sendable {
  package var name: String
  package var kind: String
  /// The file's name in the folder of the record.
  package var path: String
  package var size: Int
  package var sha256: String
  package var entries: [Entry]

  package struct Entry: Codable, Sendable {
    package var path: String
    package var size: Int
    /// Octal, as `0644`; a link's begins with `012`.
    package var mode: String
    package var sha256: String
  }

  func write(to path: FilePath, _ disk: any Disk) throws(FileError) {
    try disk.write(path, Array(json.compact.utf8))
  }

  static func read(_ bytes: [UInt8]) throws -> DeliverableRecord {
    try JSONDecoder().decode(DeliverableRecord.self, from: Data(bytes))
  }

  var json: JSONValue {
    let entries: [JSONValue] = entries.map { entry in
      [
        "path": .string(entry.path), "size": .int(entry.size), "mode": .string(entry.mode),
        "sha256": .string(entry.sha256),
      ]
    }
    return [
      "name": .string(name), "kind": .string(kind), "path": .string(path), "size": .int(size),
      "sha256": .string(sha256), "entries": .array(entries),
    ]
  }
}

/// `NAME-VERSION.release.json`: every deliverable of one build, by which tool and compressor it was made.
package struct ReleaseRecord: Codable, Sendable {
  package var version: Int
  package var plugin: Plugin
  package var deliverables: [DeliverableRecord]

  package struct Plugin: Codable, Sendable {
    package var name: String
    package var version: String
    /// The recipes that the manifest extends, as it names them.
    package var extends: [String]
  }

  /// Room for hundreds of thousands of entries.
  private static let mostBytes = 64 << 20

  package static func read(_ path: FilePath) throws(Mistakes) -> ReleaseRecord {
    do {
      return try JSONDecoder().decode(ReleaseRecord.self, from: Data(try FileSystem.read(path, limit: mostBytes)))
    } catch let error as FileError {
      throw Mistakes(error)
    } catch {
      throw Mistakes("\(path) is not a release record", hint: "npi-pack writes one beside the deliverables")
    }
  }
}

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
