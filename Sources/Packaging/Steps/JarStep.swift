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
    let output = FilePath(node["output"]?.text ?? "")
    return Step(
      name: declaration.name, summary: "jar \(output)", inputs: try keyed.inputs(), outputs: [output],
      action: JarAction(keyed: keyed, stripsSignatures: node["strip-signatures"]?.text == "true", plan: plan),
      place: declaration.place)
  }
}

private struct JarAction: Action {
  let keyed: KeyedInputs
  let stripsSignatures: Bool
  let plan: Plan

  func encode(into encoder: inout some KeyEncoder) {
    encoder.add("kind", "jar")
    encoder.add("compressor", Compressor.fingerprint)
    encoder.add("strip-signatures", "\(stripsSignatures)")
    if let date = plan.sourceDate { encoder.add("date", date) }
    keyed.encode(into: &encoder)
    plan.policy.encode(plan.manifest.rules, into: &encoder)
  }

  func run(_ context: ActionContext) async throws -> ActionReport {
    try EscapingLinks.refuse(Array(zip(keyed.places, context.inputs)), context)
    var contents = JarContents(
      .merged, stripsSignatures: stripsSignatures,
      spool: try Spool(in: context.folder(of: context.outputs[0])))
    for thing in keyed.things("classes", context.inputs) {
      if thing.isFolder {
        contents.add(thing, context)
      } else {
        try contents.add(
          jar: context.absolute(thing.path), name: Place(thing.path.string), owner: thing.path.stem ?? "",
          at: thing.place)
      }
    }
    for thing in keyed.things("resources", context.inputs) { contents.add(thing, context) }
    try contents.check()
    let findings = try plan.passing(contents.clashes)
    let output = try context.create(context.outputs[0])
    let options = ZipOptions(epoch: plan.sourceDate, allowsCaseTwins: true, level: .fast)
    _ = try await PackedArchive.write(contents.entries, to: output.temporaryPath, options: options) { done, total in
      context.advance(Int64(done), Int64(total))
    }
    try output.commit()
    return ActionReport(notes: contents.leftOut.note.map { [$0] } ?? [], findings: findings)
  }
}
