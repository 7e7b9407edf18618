package import Artifacts
package import BuildEngine
package import Documents
package import Findings
package import SystemPackage

/// `maven`: AARs and jars as modules of a Maven repository, in a folder to be laid over it.
package enum MavenRepository: DeliverableKind {
  package static let artifact = ArtifactKind.mavenRepository

  private static let moduleKeys: [Key] = [
    Key("artifact", .text, "what it is called in its group (the plugin's name)"),
    Key("dependencies", MavenDependency.shape, "modules that it needs: group:artifact:version, or of, scope, exclude"),
    Key("sources", .oneOrMany(.path), "folders of sources, or a jar of them"),
    Key("javadoc", .oneOrMany(.path), "folders of documentation, or a jar of them"),
  ]

  package static let kind = Kind(
    name: "maven",
    keys: [
      Key(
        "of",
        .oneOrMany(
          .either([
            .path,
            .object([Key("from", .path, required: true, "a deliverable, or the path of an AAR or jar")] + moduleKeys),
          ])), required: true, "deliverables of kind aar, and paths of AARs and jars"),
      Key("group", .text, required: true, "the group of all modules: com.example"),
    ] + moduleKeys + MavenAbout.keys + [
      Key("bom", .text, "the artifact of a bill of materials with all modules"),
      Key("repository", .text, "the folder of the repository, whose lists of versions are continued"),
      Key("name", .name, "the folder's name (maven)"),
    ],
    summary: "AARs and jars as modules of a Maven repository")

  /// The keys that belong to one module.
  static var namesOfModuleKeys: [String] { moduleKeys.map(\.name) }

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let maker = try MavenModules(declaration, in: plan)
    var inputs: [Input] = []
    for part in maker.parts {
      if let file = part.file {
        inputs.append(.path(file, part.node.place))
      } else {
        inputs += try Plan.inputs([part.node])
      }
    }
    return plan.step(declaration, MavenRepository.self, inputs: inputs, maker)
  }

  package static func destination(
    _ path: FilePath, _ declaration: Manifest.Declaration, version: String
  ) -> String {
    let repository = declaration.node["repository"]?.text
    return ShellText.line(["cp", "-R", path.appending(".").string, repository ?? "REPOSITORY"])
  }
}
