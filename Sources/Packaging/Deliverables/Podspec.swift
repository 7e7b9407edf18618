package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import ObjectFiles
package import SystemPackage

/// `cocoapods`: a podspec, as JSON, of an XCFramework of the same manifest.
package enum Podspec: DeliverableKind {
  package static let artifact = ArtifactKind.podspec
  package static let kind = Kind(
    name: "cocoapods",
    keys: [
      Key("of", .text, required: true, "the deliverable of kind xcframework or framework"),
      Key("source", .text, required: true, "where the app fetches it: https, with {version} and {file}"),
      Key("summary", .text, "what it is, in one line (the plugin's summary)"),
      Key("license", .text, "the licence's name, as SPDX has it"),
      Key("homepage", .text, "the home page"),
      Key("authors", .oneOrMany(.text), "who makes it"),
    ] + PackedFramework.linkKeys + [
      Key("dependencies", .map(.text), "other pods that it needs, with their versions: '~> 1.0'"),
      Key("name", .name, "the file's name (NAME.podspec.json)"),
    ],
    summary: "a podspec of an XCFramework")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    guard let of = node["of"] else { throw Mistakes("'\(declaration.name)' is of nothing", at: declaration.place) }
    let made = try plan.made(of, [.xcframework, .framework], for: kind)
    let maker = Maker(
      plan: plan, node: node, source: try PackedFramework.address(node["source"], of: 1) ?? "")
    return plan.step(
      declaration, Podspec.self,
      inputs: plan.inputs(of: made, at: of.place), maker)
  }

  package static func destination(
    _ path: FilePath, _ declaration: Manifest.Declaration, version: String
  ) -> String {
    ShellText.line(["pod", "repo", "push", "SPECS", path.string])
  }

  private struct Maker: FileMaker {
    let plan: Plan
    let node: Node
    let source: String

    func encode(into encoder: inout some KeyEncoder) {
      encoder.add("version", plan.manifest.version)
      encoder.add("source", source)
      encoder.add("spec", JSONValue.object(members).compact)
    }

    /// The members that the manifest gives. CocoaPods writes them in this order.
    private var members: [(key: String, value: JSONValue)] {
      var members: [(key: String, value: JSONValue)] = [
        ("name", .string(plan.manifest.name)), ("version", .string(plan.manifest.version)),
      ]
      func add(_ key: String, _ text: String?) { if let text { members.append((key, .string(text))) } }
      add("summary", node["summary"]?.text ?? plan.manifest.summary)
      add("homepage", node["homepage"]?.text)
      add("license", node["license"]?.text)
      for key in ["authors", "frameworks", "libraries"] {
        let texts = node[key]?.texts.compactMap(\.text) ?? []
        if !texts.isEmpty { members.append((key, .array(texts.map(JSONValue.string)))) }
      }
      let pods = node["dependencies"]?.members ?? []
      if !pods.isEmpty {
        let values = pods.map { ($0.key, JSONValue.array($0.node.text.map { [.string($0)] } ?? [])) }
        members.append(("dependencies", .object(values)))
      }
      return members
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      guard let zip = context.inputs.first?.first, let record = context.inputs.last?.first else {
        throw StepFailure("there is no framework")
      }
      let framework = try PackedFramework(zip, record: record, context)
      // CocoaPods knows no Catalyst of its own: it is a part of iOS.
      let names: [(AppleSystem, String)] = [
        (.iOS, "ios"), (.macOS, "osx"), (.tvOS, "tvos"), (.watchOS, "watchos"), (.visionOS, "visionos"),
      ]
      let platforms = names.compactMap { system, name in
        framework.systems[system].map { (key: name, value: JSONValue.string($0.description)) }
      }
      let source: JSONValue = [
        "http": .string(framework.address(source, version: plan.manifest.version)),
        "sha256": .string(framework.checksum), "type": "zip",
      ]
      let spec = JSONValue.object(
        members + [
          ("source", source), ("platforms", .object(platforms)),
          ("vendored_frameworks", .array([.string(framework.folder)])),
        ])
      return FileContents(form: .bytes(Array(spec.pretty.utf8)))
    }
  }
}
