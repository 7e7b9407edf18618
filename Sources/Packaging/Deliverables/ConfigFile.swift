package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store

/// `config`: the merged configuration as one JSON object, every value a string, for all platforms.
package enum ConfigFile: DeliverableKind {
  package static let artifact = ArtifactKind.config
  package static let kind = Kind(
    name: "config",
    keys: [
      Key(
        "order", .choice(["sorted", "manifest"]), "the order of the keys: by their bytes, or as they stand (sorted)"),
      Key("name", .name, "the file's name (NAME-VERSION.json)"),
    ],
    summary: "the merged configuration: one JSON object")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let order = declaration.node["order"]?.text.flatMap(Manifest.Order.init) ?? .sorted
    return plan.step(declaration, ConfigFile.self, Maker(order: order, plan: plan))
  }

  private struct Maker: FileMaker {
    let order: Manifest.Order
    let plan: Plan

    private var text: String { plan.manifest.configuration(order: order).pretty }

    func encode(into encoder: inout some KeyEncoder) {
      encoder.add("content", text)
      for platform in plan.platforms.map(\.rawValue).sorted() { encoder.add("platform", platform) }
    }

    func make(
      _ file: inout Store.OutputFile, reading: FileReading?, _ context: ActionContext
    ) async throws -> MadeFile {
      try file.write(whole: Array(text.utf8))
    }
  }
}
