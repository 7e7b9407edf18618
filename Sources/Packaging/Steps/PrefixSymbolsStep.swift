import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Rewriting
import Store
import SystemPackage

/// `prefix-symbols`: an object file or static library whose own symbols have a prefix, so that no other library of an
/// app has them too.
package enum PrefixSymbolsStep: PlannedKind {
  package static let kind = Kind(
    name: "prefix-symbols",
    keys: [
      Key("input", .path, required: true, "an object file or static library, for Apple's systems or Android"),
      Key("output", .path, required: true, "the same with other names"),
      Key("prefix", .text, required: true, "stands before the names of C: RC_ makes RC_parse of parse"),
      Key("keep", .oneOrMany(.text), "names that stay, as nm prints them; * and ? stand for any text and character"),
      Key("classes", .flag, "whether Objective-C classes get the prefix too (false)"),
      Key("protocols", .oneOrMany(.text), "the Objective-C protocols that get it with the classes"),
      Key("debug", .choice(["keep", "drop"]), "drop leaves debugging information out (keep)"),
    ],
    summary: "a library whose symbols have a prefix, which collide with nobody's")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    let prefix = node["prefix"]?.text ?? ""
    if let fault = SymbolPrefix.fault(in: prefix) {
      throw Mistakes(fault, at: node["prefix"]?.place ?? declaration.place)
    }
    let inputs = try Plan.inputs([node["input"]].compactMap(\.self))
    func texts(_ key: String) -> [String] { (node[key]?.texts ?? []).compactMap(\.text) }
    let maker = Maker(
      place: declaration.place, prefix: prefix, keep: texts("keep"), classes: node["classes"]?.text == "true",
      protocols: texts("protocols"), keepsDebug: node["debug"]?.text != "drop")
    return plan.step(declaration, kind, inputs: inputs, maker)
  }

  private struct Maker: FileMaker {
    let place: Place
    let prefix: String
    let keep: [String]
    let classes: Bool
    let protocols: [String]
    let keepsDebug: Bool

    func encode(into encoder: inout some KeyEncoder) {
      encoder.add("prefix", prefix)
      for name in keep { encoder.add("keep", name) }
      encoder.add("classes", "\(classes)")
      for name in protocols { encoder.add("protocol", name) }
      encoder.add("debug", keepsDebug ? "keep" : "drop")
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      guard let input = context.inputs.first?.first, input.kind == .regular else {
        throw Mistakes("'input' is one file", at: place)
      }
      let name = input.path.string
      let change = SymbolPrefix(prefix, keep: keep, classes: classes, protocols: protocols)
      let file = try RenamedFile(context.absolute(input.path), name: name, change, keepsDebug: keepsDebug)
      let said = try PrefixNotes([file], of: name, at: place)
      var contents = FileContents(form: .stream { try file.write(to: &$0) }, notes: said.lines)
      let output = context.outputs[0].string
      contents.check = { try file.check($0, name: output) }
      return contents
    }
  }
}
