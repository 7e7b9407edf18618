import Android
import Archives
package import Artifacts
package import BuildEngine
package import Documents
package import Findings

/// `aar`: classes, resources, assets and native libraries as one Android library, with third-party AARs merged in.
package enum AAR: DeliverableKind {
  package static let artifact = ArtifactKind.aar
  package static let kind = Kind(
    name: "aar",
    keys: [
      Key(
        "manifest", .path,
        "the library's AndroidManifest.xml; without one and without 'namespace' the first AAR of 'embed' is packed, with "
          + "the others merged into it"),
      Key("namespace", .text, "the package of the library's R class, in place of package= in the manifest"),
      Key("min-sdk", .text, "the lowest API level that the library runs on, in place of the manifest's"),
      Key("target-sdk", .text, "the API level that the library is made for, in place of the manifest's"),
      Key("placeholders", .map(.text), "values for ${name} in the manifest; others stay for the app's build"),
      Key("classes", .oneOrMany(.path), "folders of class files, and jars: they become classes.jar"),
      Key("libs", .oneOrMany(.path), "jars that keep their names, below libs/"),
      Key("res", .oneOrMany(.path), "folders of resources"),
      Key("public", .path, "a public.txt: the resources that others may use, beside those of <public>"),
      Key("assets", .oneOrMany(.path), "folders of assets"),
      Key("jni", .oneOrMany(.path), "folders that hold a folder of shared libraries for each ABI"),
      Key("proguard", .oneOrMany(.path), "the same as 'consumer-rules'; its files come first"),
      Key("consumer-rules", .oneOrMany(.path), "rules for whoever shrinks the app, joined in this order"),
      Key("prefab", .path, "a folder of headers and libraries for native consumers"),
      Key("aidl", .oneOrMany(.path), "folders of interfaces (.aidl) for consumers"),
      Key("baseline-profile", .oneOrMany(.path), "profiles of the classes to compile ahead, joined in this order"),
      Key("api", .oneOrMany(.path), "folders of class files, and jars: what consumers compile against (api.jar)"),
      Key("lint", .path, "a jar of checks for Android's lint (lint.jar)"),
      Key(
        "annotations", .oneOrMany(.path), "annotations that are in no class file: zips, or folders of annotations.xml"),
      Key("navigation", .path, "the deep links of the library's navigation graphs (navigation.json)"),
      Key("data-binding", .oneOrMany(.path), "folders of what data binding tells the app's build"),
      Key(
        "files", .oneOrMany(.path),
        "other files for the root of the AAR, such as licences; those of a folder by their paths"),
      Key(
        "embed",
        .oneOrMany(
          .either([
            .path,
            .object([
              Key("from", .path, required: true, "a path or glob"),
              Key(
                "without", .oneOrMany(.choice(AARGroup.keys)), "parts that are left out, by the keys that bring them"),
            ]),
          ])), "third-party AARs that are merged into this one"),
      Key(
        "metadata", .object(AARMetadata.keys.map { Key($0.name, .text, $0.summary) }),
        "what the AAR asks of the build that takes it"),
      Key(
        "strip-signatures", .flag, "whether signatures of jars may be left out: jars that are joined have none (false)"),
      Key("name", .name, "the file's name (NAME-VERSION.aar)"),
    ],
    summary: "an Android library with its resources, made without Gradle",
    choice: KeyChoice("manifest", "namespace", "embed", required: true, allowsSeveral: true))

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    let keyed = KeyedInputs(
      node,
      keys: [
        "manifest", "classes", "libs", "res", "public", "assets", "jni", "proguard", "consumer-rules", "prefab", "aidl",
        "baseline-profile", "api", "lint", "annotations", "navigation", "data-binding", "files", "embed",
      ])
    let edit = manifestEdit(node)
    if let problem = edit.problem {
      throw Mistakes(
        "the \(problem.key) of '\(declaration.name)' is wrong: \(problem.text)",
        at: node[problem.key]?.place ?? declaration.place)
    }
    let metadata = AARMetadata((node["metadata"]?.members ?? []).map { ($0.key, $0.node.text ?? "") })
    if let problem = metadata.problems.first, let place = node["metadata"]?.place {
      throw Mistakes("the metadata of '\(declaration.name)' is wrong: \(problem)", at: place)
    }
    guard edit.namespace != nil || keyed.nodes.contains(where: { ["manifest", "embed"].contains($0.key) }) else {
      throw Mistakes(
        "'\(declaration.name)' has no manifest", at: declaration.place,
        hint: "manifest: the library's AndroidManifest.xml, namespace: its package, or embed: an AAR that is finished")
    }
    let maker = Maker(
      keyed: keyed, edit: edit, metadata: metadata, stripsSignatures: node["strip-signatures"]?.text == "true",
      plan: plan)
    return plan.step(declaration, AAR.self, inputs: try keyed.inputs(), maker)
  }

  private static func manifestEdit(_ node: Node) -> ManifestEdit {
    var edit = ManifestEdit()
    edit.namespace = node["namespace"]?.text
    edit.minSDK = node["min-sdk"]?.text
    edit.targetSDK = node["target-sdk"]?.text
    edit.placeholders = (node["placeholders"]?.members ?? []).map { ($0.key, $0.node.text ?? "") }
    return edit
  }

  struct Maker: FileMaker {
    let keyed: KeyedInputs
    let edit: ManifestEdit
    let metadata: AARMetadata
    let stripsSignatures: Bool
    let plan: Plan

    func encode(into encoder: inout some KeyEncoder) {
      plan.encodeArchive(into: &encoder)
      keyed.encode(into: &encoder)
      for case (let name, let value?) in [
        ("namespace", edit.namespace), ("min-sdk", edit.minSDK), ("target-sdk", edit.targetSDK),
      ] {
        encoder.add(name, value)
      }
      for (name, value) in edit.placeholders {
        encoder.add("placeholder", name)
        encoder.add("value", value)
      }
      encoder.add("metadata", String(decoding: metadata.bytes, as: UTF8.self))
      encoder.add("strip-signatures", "\(stripsSignatures)")
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      var builder = try AARBuilder(self, context)
      try await builder.build()
      let findings = try plan.passing(builder.notes.clashes)
      return FileContents(
        form: .archive(builder.entries, ZipOptions(epoch: plan.sourceDate, level: .fast)), notes: builder.summary,
        findings: findings, scratch: builder.jars)
    }
  }
}
