package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `plugins-config`: the configurations of an app's plugins in one JSON object, each under its plugin's name.
package enum PluginsConfig: DeliverableKind {
  package static let artifact = ArtifactKind.pluginsConfig
  package static let kind = Kind(
    name: "plugins-config",
    keys: [
      Key(
        "plugins", .oneOrMany(.path), required: true,
        "release records, configurations (NAME-VERSION.json) or folders of them; paths or globs"),
      Key("name", .name, "the file's name (NAME-VERSION.plugins.json)"),
    ],
    summary: "the configurations of an app's plugins, by their names")

  /// Only the form is checked: everything else differs between hosts.
  package static func read(
    _ document: Node, at place: Place, _ schema: DocumentSchema?
  ) throws(Mistakes) -> (Inventory, defects: [Mistake]?) {
    var check = SchemaCheck(root: "the configuration of plugins")
    check.check(document, .map(.map(.any)), "")
    guard check.mistakes.isEmpty else { throw Mistakes(check.mistakes) }
    return (Inventory(place: place, role: artifact), nil)
  }

  private static let recordEnding = ".release.json"

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let nodes = declaration.node["plugins"]?.texts ?? []
    guard !nodes.isEmpty else {
      throw Mistakes(
        "'\(declaration.name)' has no plugins", at: declaration.node["plugins"]?.place ?? declaration.place)
    }
    // The files that a record lists are in the record's folder.
    let beside = nodes.compactMap { node -> Node? in
      guard let text = node.text, text.hasSuffix(recordEnding) else { return nil }
      let folder = text.lastIndex(of: "/").map { text[...$0] } ?? ""
      return Node(.text("\(folder)*.json"), at: node.place)
    }
    return plan.step(
      declaration, PluginsConfig.self, inputs: try Plan.inputs(nodes + beside), Maker(namedCount: nodes.count))
  }

  private struct Maker: FileMaker {
    /// The number of inputs that the manifest names. The files beside the records follow them.
    let namedCount: Int

    func encode(into encoder: inout some KeyEncoder) { encoder.add("named", "\(namedCount)") }

    func make(_ context: ActionContext) async throws -> FileContents {
      var merged = MergedConfigurations(context)
      let files = context.inputs.prefix(namedCount).joined().filter { $0.kind == .regular }.map(\.path)
      for file in files where file.string.hasSuffix(PluginsConfig.recordEnding) { try merged.add(record: file) }
      for file in files { merged.add(file: file) }
      return FileContents(form: .bytes(Array(try merged.json().pretty.utf8)))
    }
  }
}

private struct MergedConfigurations {
  let context: ActionContext
  let known: Set<FilePath>
  private var found: [(plugin: String, path: FilePath)] = []
  private var taken: Set<FilePath> = []

  init(_ context: ActionContext) {
    self.context = context
    known = Set(context.inputs.joined().map(\.path))
  }

  mutating func add(record path: FilePath) throws {
    guard taken.insert(path).inserted else { return }
    let record = try ReleaseRecord.read(context.absolute(path))
    for deliverable in record.deliverables where deliverable.kind == ConfigFile.kind.name {
      let file = path.removingLastComponent().appending(deliverable.path)
      guard known.contains(file) else {
        throw Mistakes(
          "\(path) lists \(deliverable.path), which is not there", hint: "keep a release's files together")
      }
      if taken.insert(file).inserted { found.append((record.plugin.name, file)) }
    }
  }

  /// Adds a configuration that no record lists. The plugin's name is taken from the file's.
  mutating func add(file path: FilePath) {
    let name = path.lastComponent?.string ?? ""
    guard Kinds.artifact(named: name) == .config, taken.insert(path).inserted else { return }
    found.append((MergedConfigurations.plugin(ofFile: name), path))
  }

  /// `Ledger` for `Ledger-1.0.json`.
  private static func plugin(ofFile name: String) -> String {
    let stem = name.utf8.dropLast(".json".utf8.count)
    let end = stem.indices.first {
      stem[$0] == UInt8(ascii: "-") && stem[stem.index(after: $0)...].first.map { 0x30...0x39 ~= $0 } == true
    }
    return String(decoding: stem[..<(end ?? stem.endIndex)], as: UTF8.self)
  }

  func json() throws -> JSONValue {
    guard !found.isEmpty else {
      throw Mistakes("no configuration is among the plugins", hint: "their deliverables of kind 'config' are merged")
    }
    var members: [(key: String, value: JSONValue)] = []
    var paths: [[UInt8]: FilePath] = [:]
    for (plugin, path) in found {
      if let first = paths.updateValue(path, forKey: Array(plugin.utf8)) {
        throw Mistakes(
          "two configurations are of the plugin \(plugin)", notes: ["\(first)", "\(path)"], hint: "name one of them")
      }
      let bytes = try FileSystem.read(context.absolute(path), limit: YAMLText.maxBytes)
      let node = try JSONText.parse(bytes, name: path.string)
      _ = try Configuration(node)
      members.append((plugin, node.sortedMembers))
    }
    return .sorted(members)
  }
}
