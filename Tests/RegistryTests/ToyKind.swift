import Artifacts
import BuildEngine
import Documents
import Findings
import Store

@testable import Packaging

/// A kind of deliverable in one file: a document of one number.
enum ToyKind: DeliverableKind {
  static let artifact = ArtifactKind("toy", ending: ".toy.json", isRelease: true)
  static let schema: String? = "of a toy"
  static let kind = Kind(
    name: "toy",
    keys: [Key("size", .text, required: true, "how large it is"), Key("name", .name, "the file's name")],
    summary: "a toy")

  static func read(
    _ document: Node, at place: Place, _ schema: DocumentSchema?
  ) throws(Mistakes) -> (Inventory, defects: [Mistake]?) {
    let mistakes = schema?.mistakes(in: document, root: "the toy") ?? []
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    guard document["size"] != nil else { throw Mistakes("a toy has a size", at: document.place) }
    return (Inventory(place: place, role: artifact), nil)
  }

  static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    plan.step(declaration, ToyKind.self, Maker(size: declaration.node["size"]?.text ?? ""))
  }

  private struct Maker: FileMaker {
    let size: String

    func encode(into encoder: inout some KeyEncoder) { encoder.add("size", size) }

    func make(_ context: ActionContext) async throws -> FileContents {
      FileContents(form: .bytes(Array("{\"size\": \"\(size)\"}\n".utf8)))
    }
  }
}
