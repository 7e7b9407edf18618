import Archives
import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `jar`: class folders and jars as one canonical jar.
package enum JarStep: PlannedKind {
  package static let kind = Kind(
    name: "jar",
    keys: [
      Key("classes", .oneOrMany(.path), "folders of class files, and jars"),
      Key("resources", .oneOrMany(.path), "folders whose contents go to the jar's root, and files"),
      Key(
        "strip-signatures", .flag, "whether signatures of jars may be left out: packed anew they do not hold (false)"),
      Key("output", .path, required: true, "the jar"),
    ],
    summary: "one jar of class folders and jars")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    let keyed = KeyedInputs(node, keys: ["classes", "resources"])
    guard !keyed.nodes.isEmpty else {
      throw Mistakes(
        "'\(declaration.name)' has neither classes nor resources", at: declaration.place,
        hint: "classes: build/classes")
    }
    return plan.step(
      declaration, kind, inputs: try keyed.inputs(),
      Maker(keyed: keyed, stripsSignatures: node["strip-signatures"]?.text == "true", plan: plan))
  }

  private struct Maker: FileMaker {
    let keyed: KeyedInputs
    let stripsSignatures: Bool
    let plan: Plan

    func encode(into encoder: inout some KeyEncoder) {
      plan.encodeArchive(into: &encoder)
      encoder.add("strip-signatures", "\(stripsSignatures)")
      keyed.encode(into: &encoder)
      // The policy decides whether two classes of one name are an error.
      plan.encodePolicy(into: &encoder)
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      var contents = JarContents(
        purpose: .merged, stripsSignatures: stripsSignatures,
        spool: try Spool(in: context.folder(of: context.outputs[0])))
      try contents.add(classes: keyed.things("classes", context.inputs), context)
      for thing in keyed.things("resources", context.inputs) { contents.add(thing, context) }
      try contents.notes.check()
      let findings = try plan.passing(contents.notes.clashes)
      return FileContents(
        form: .archive(contents.entries, plan.jarOptions), notes: contents.notes.leftOut.notes, findings: findings)
    }
  }
}

extension JarContents {
  /// Adds class folders, and jars. The names of the jars tell their modules apart.
  mutating func add(classes things: [NamedInput], _ context: ActionContext) throws {
    for thing in things {
      if thing.isFolder {
        add(thing, context)
      } else {
        try add(
          jar: context.absolute(thing.path), name: Place(thing.path.string), owner: thing.path.stem ?? "",
          at: thing.place)
      }
    }
  }
}
