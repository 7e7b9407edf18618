import Android
import Archives
package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store

/// `aar`: classes, resources, assets and native libraries as one Android library, with third-party AARs merged in.
package enum AAR: DeliverableKind {
  package static let artifact = ArtifactKind.aar
  package static let kind = Kind(
    name: "aar",
    keys: [
      Key(
        "manifest", .path,
        "the library's AndroidManifest.xml, which names its package; without one the first AAR of 'embed' is packed, with "
          + "the others merged into it"),
      Key("classes", .oneOrMany(.path), "folders of class files, and jars: they become classes.jar"),
      Key("libs", .oneOrMany(.path), "jars that keep their names, below libs/"),
      Key("res", .oneOrMany(.path), "folders of resources"),
      Key("assets", .oneOrMany(.path), "folders of assets"),
      Key("jni", .oneOrMany(.path), "folders that hold a folder of shared libraries for each ABI"),
      Key("proguard", .oneOrMany(.path), "rules for whoever shrinks the app, joined in this order"),
      Key("prefab", .path, "a folder of headers and libraries for native consumers"),
      Key("embed", .oneOrMany(.path), "third-party AARs that are merged into this one"),
      Key(
        "metadata", .object(AARMetadata.keys.map { Key($0.name, .text, $0.summary) }),
        "what the AAR asks of the build that takes it"),
      Key(
        "strip-signatures", .flag, "whether signatures of jars may be left out: packed anew they do not hold (false)"),
      Key("name", .name, "the file's name (NAME-VERSION.aar)"),
    ],
    summary: "an Android library with its resources, made without Gradle",
    choice: KeyChoice("manifest", "embed", required: true, allowsBoth: true))

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    let keyed = KeyedInputs(
      node, keys: ["manifest", "classes", "libs", "res", "assets", "jni", "proguard", "prefab", "embed"])
    let metadata = AARMetadata((node["metadata"]?.members ?? []).map { ($0.key, $0.node.text ?? "") })
    if let problem = metadata.problems.first, let place = node["metadata"]?.place {
      throw Mistakes("the metadata of '\(declaration.name)' is wrong: \(problem)", at: place)
    }
    guard node["manifest"] != nil || node["embed"]?.texts.isEmpty == false else {
      throw Mistakes(
        "'\(declaration.name)' has no manifest", at: declaration.place,
        hint: "manifest: the library's AndroidManifest.xml, or embed: an AAR that is finished")
    }
    let maker = Maker(
      keyed: keyed, metadata: metadata, stripsSignatures: node["strip-signatures"]?.text == "true", plan: plan)
    return plan.step(declaration, AAR.self, inputs: try keyed.inputs(), maker)
  }

  struct Maker: FileMaker {
    let keyed: KeyedInputs
    let metadata: AARMetadata
    let stripsSignatures: Bool
    let plan: Plan

    func encode(into encoder: inout some KeyEncoder) {
      plan.encodeArchive(into: &encoder)
      keyed.encode(into: &encoder)
      encoder.add("metadata", String(decoding: metadata.bytes, as: UTF8.self))
      encoder.add("strip-signatures", "\(stripsSignatures)")
    }

    func make(
      _ file: inout Store.OutputFile, reading: FileReading?, _ context: ActionContext
    ) async throws -> MadeFile {
      var builder = try AARBuilder(self, context)
      try await builder.build()
      let findings = try plan.passing(builder.notes.clashes)
      // The jars of the builder are files that go with it.
      defer { withExtendedLifetime(builder.jars) {} }
      var made = try await PackedArchive.write(
        builder.entries, to: file, ZipOptions(epoch: plan.sourceDate, level: .fast), reading, context)
      made.notes = builder.summary
      made.findings = findings
      return made
    }
  }
}
