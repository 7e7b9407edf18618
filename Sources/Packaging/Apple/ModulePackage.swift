import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import ObjectFiles
import Store
import SystemPackage

/// Declares the parts of an XCFramework or framework: each source has a role. `ModuleAssembly` puts them together.
struct ModulePackage: FileMaker {
  enum Container: Sendable { case xcframework, framework }

  enum Role: Sendable, Equatable {
    /// With the number of the input that has its headers, among those of `ownHeaders`.
    case library(headers: Int?)
    case ownHeaders, headers, swiftModule, debugSymbols, resource, privacy
  }

  struct Source: Sendable {
    let role: Role
    let node: Node
    var item: PackItem?
  }

  let container: Container
  let declaration: Manifest.Declaration
  let plan: Plan
  let module: String
  let layout: HeaderFolder.Layout
  let info: PropertyList
  private(set) var sources: [Source] = []
  let signing: Signing?

  static func keys(_ container: Container, name: String) -> [Key] {
    let library = Shape.either([
      .path,
      .object([
        Key("from", .path, required: true, "a path or glob"), Key("headers", .path, "the headers of this one"),
      ]),
    ])
    let isOne = container == .framework
    return [
      Key(
        "libraries", .oneOrMany(library), required: true,
        isOne
          ? "static libraries or object files of one platform, or a finished framework"
          : "static libraries, object files or finished frameworks; what is for several platforms is split"),
      Key("headers", .path, "the folder of headers, with a module map or without"),
      Key("swift-module", .oneOrMany(.path), "the interfaces (.swiftinterface) of a Swift module, or their folders"),
      Key("module", .name, "what is imported, and what the framework is called (the plugin's name)"),
    ]
      + (isOne
        ? []
        : [
          Key(
            "layout", .choice(["framework", "library"]),
            "what a static library becomes: a framework, or a library beside its headers (framework)")
        ]) + [
        Key("debug-symbols", .oneOrMany(.path), "folders X.dSYM; each goes to the framework that it is of"),
        Key("resources", PackItem.shape, "files and folders in each framework: paths, globs, or from and to"),
        Key("privacy", .path, "the privacy manifest (PrivacyInfo.xcprivacy) in each framework"),
        Signing.key,
        Key("identifier", .text, "the bundle identifier of each framework (the module's name)"),
        Key("info", .any, "a map that is merged into the Info.plist of each framework"),
        Key("name", .name, "the file's name (\(name))"),
      ]
  }

  init(_ container: Container, _ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) {
    (self.container, self.declaration, self.plan) = (container, declaration, plan)
    let node = declaration.node
    module = node["module"]?.text ?? plan.manifest.name
    layout = node["layout"]?.text == "library" ? .library : .framework
    var notes = PackNotes()
    if layout == .library {
      for key in ["resources", "privacy", "info", "identifier"] {
        guard let member = node.member(key) else { continue }
        notes.refuse(
          "'\(key)' needs a framework: Xcode copies nothing but the headers beside a library", at: member.keyPlace,
          hint: "leave 'layout' out")
      }
    }
    info = InfoPlist.merged(declaration, &notes)
    signing = Signing(declaration, &notes)
    try notes.check()
    var own: [Node] = []
    for item in node["libraries"].map({ $0.list ?? [$0] }) ?? [] {
      guard let from = item.text == nil ? item["from"] : item else { continue }
      let headers = item["headers"]
      sources.append(Source(role: .library(headers: headers == nil ? nil : own.count), node: from))
      if let headers { own.append(headers) }
    }
    guard !sources.isEmpty else {
      throw Mistakes("'\(declaration.name)' has no libraries", at: node["libraries"]?.place ?? declaration.place)
    }
    sources += own.map { Source(role: .ownHeaders, node: $0) }
    let others: [(String, Role)] = [
      ("headers", .headers), ("swift-module", .swiftModule), ("debug-symbols", .debugSymbols), ("privacy", .privacy),
    ]
    for (key, role) in others { sources += (node[key]?.texts ?? []).map { Source(role: role, node: $0) } }
    let items = node["resources"]?.list?.compactMap(PackItem.init) ?? []
    sources += items.map { Source(role: .resource, node: $0.from, item: $0) }
  }

  func step(_ kind: any DeliverableKind.Type) throws(Mistakes) -> Step {
    let nodes = sources.map(\.node) + (signing?.inputs ?? [])
    return plan.step(declaration, kind, inputs: try Plan.inputs(nodes), places: nodes.map(\.place), self)
  }

  /// The modules of the other deliverables, and the products that Swift packages of them depend on.
  var supplied: Set<String> {
    let deliverables = plan.manifest.deliverables
    let products = deliverables.flatMap { $0.node["dependencies"]?.list ?? [] }.flatMap { dependency in
      (dependency["products"]?.texts ?? []).compactMap(\.text)
    }
    let pods = deliverables.filter { $0.kind == "cocoapods" }.flatMap { $0.node["dependencies"]?.members ?? [] }
    return Set(deliverables.map { $0.node["module"]?.text ?? plan.manifest.name } + products + pods.map(\.key))
  }

  func encode(into encoder: inout some KeyEncoder) {
    plan.encodeArchive(into: &encoder)
    encoder.add("version", plan.manifest.version)
    encoder.add("module", module)
    // Finished frameworks have names of their own, unless the manifest names the module.
    encoder.add("named", declaration.node["module"] == nil ? "no" : "yes")
    if sources.contains(where: { $0.role == .swiftModule }) {
      for name in supplied.sorted() { encoder.add("supplied", name) }
    }
    encoder.add("layout", "\(layout)")
    encoder.add("identifier", declaration.node["identifier"]?.text ?? "")
    encoder.add("info", Digest(of: info.binary))
    for source in sources {
      encoder.add("role", "\(source.role)")
      encoder.add("from", source.node.text ?? "")
      encoder.add("to", source.item?.to ?? "")
    }
  }

  func make(_ context: ActionContext) async throws -> FileContents {
    var making = ModuleAssembly(package: self, context: context)
    try making.run()
    return FileContents(
      form: .archive(making.list.entries.sorted { $0.entry.path < $1.entry.path }, ZipOptions(epoch: plan.sourceDate)),
      notes: making.leftOut.notes + making.notes)
  }
}
