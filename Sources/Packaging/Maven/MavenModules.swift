import Artifacts
import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

/// The modules of such a deliverable, and their files.
struct MavenModules: FolderMaker {
  /// An input: a part of the module with this number.
  struct Part: Sendable {
    let role: MavenModule.File.Role
    let module: Int
    let node: Node
    /// The file of a deliverable that the node names.
    var file: FilePath?
  }

  private let plan: Plan
  private let modules: [MavenModule]
  private let about: MavenAbout
  private let bom: MavenCoordinates?
  private let repository: (path: FilePath, place: Place)?
  let parts: [Part]

  init(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) {
    let node = declaration.node
    let place = declaration.place
    self.plan = plan
    about = try MavenAbout(node, summary: plan.manifest.summary)
    repository = node["repository"].map { (FilePath($0.text ?? ""), $0.place) }
    let group = try MavenCoordinates.part(
      node["group"]?.text ?? "", "group", at: node["group"]?.place ?? place)
    let version = try MavenCoordinates.part(plan.manifest.version, "version", at: place, alsoTaking: "+~")
    func coordinates(_ artifact: Node) throws(Mistakes) -> MavenCoordinates {
      MavenCoordinates(
        group: group, artifact: try MavenCoordinates.part(artifact.text ?? "", "artifact", at: artifact.place),
        version: version)
    }
    let items = try MavenModules.items(node, declaration)
    var parts: [Part] = []
    var names: [MavenCoordinates] = []
    for (index, item) in items.enumerated() {
      let from = item["from"] ?? item
      let (file, type) = try MavenModules.file(from, in: plan)
      parts.append(Part(role: .library, module: index, node: from, file: file))
      for (key, role) in [("sources", MavenModule.File.Role.sources), ("javadoc", .javadoc)] {
        parts += (item[key]?.texts ?? []).map { Part(role: role, module: index, node: $0) }
      }
      guard let artifact = item["artifact"] ?? (items.count == 1 ? Node(.text(plan.manifest.name), at: place) : nil)
      else {
        throw Mistakes(
          "'\(from.text ?? "")' is one of several modules and has no artifact of its own", at: from.place,
          hint: "write {from: \(from.text ?? ""), artifact: …}")
      }
      var name = try coordinates(artifact)
      if type != "jar" { name.type = type }
      if names.contains(where: { $0.artifact == name.artifact }) {
        throw Mistakes("two modules are called \(name.artifact)", at: artifact.place)
      }
      names.append(name)
    }
    self.parts = parts
    bom = try node["bom"].map(coordinates)
    if let bom, names.contains(where: { $0.artifact == bom.artifact }) {
      throw Mistakes("a module and the bill of materials are called \(bom.artifact)", at: node["bom"]?.place ?? place)
    }
    modules = try MavenModules.modules(items, names, about)
  }

  /// The modules as the manifest lists them. A single one may have its keys beside `of`.
  private static func items(_ node: Node, _ declaration: Manifest.Declaration) throws(Mistakes) -> [Node] {
    let items = node["of"].map { $0.list ?? [$0] } ?? []
    let own = MavenRepository.namesOfModuleKeys.compactMap(node.member)
    guard let first = items.first else {
      throw Mistakes("'\(declaration.name)' is of nothing", at: node["of"]?.place ?? declaration.place)
    }
    guard let key = own.first else { return items }
    if items.count > 1 {
      throw Mistakes(
        "'\(key.key)' does not say which of the modules it is for", at: key.keyPlace,
        hint: "put it to the module: {from: …, \(key.key): …}")
    }
    let from = Node.Member(key: "from", keyPlace: first.place, node: first)
    let members = first.text == nil ? first.members : [from]
    return [Node(.map(members + own.filter { first[$0.key] == nil }), at: first.place)]
  }

  private static func modules(
    _ items: [Node], _ names: [MavenCoordinates], _ about: MavenAbout
  ) throws(Mistakes) -> [MavenModule] {
    var modules: [MavenModule] = []
    for (item, name) in zip(items, names) {
      let dependencies = try (item["dependencies"]?.list ?? []).map { (node) throws(Mistakes) in
        try MavenDependency(node, siblings: names)
      }
      modules.append(MavenModule(coordinates: name, dependencies: dependencies, about: about))
    }
    return modules
  }

  /// The file that a deliverable makes, or nil for a path; and its type.
  private static func file(_ node: Node, in plan: Plan) throws(Mistakes) -> (file: FilePath?, type: String) {
    let text = node.text ?? ""
    for type in ["aar", "jar"] where text.hasSuffix(".\(type)") { return (nil, type) }
    return (try plan.made(node, [.aar], for: MavenRepository.kind).path, "aar")
  }

  func encode(into encoder: inout some KeyEncoder) {
    plan.encodeArchive(into: &encoder)
    plan.encodePolicy(into: &encoder)
    for module in modules {
      encoder.add("pom", Digest(of: module.pom))
      encoder.add("module", module.metadata([]).compact)
    }
    for part in parts { encoder.add("part", "\(part.role) \(part.module)") }
    if let bom { encoder.add("bom", Digest(of: MavenModule.billOfMaterials(bom, of: modules, about))) }
    encoder.add("repository", repository?.path.string ?? "")
  }

  // MARK: Making

  func make(_ context: ActionContext, _ folder: inout FolderWriter) async throws {
    if let repository {
      let path = context.absolute(repository.path)
      guard try FileSystem.status(of: path, followingLinks: true)?.kind == .directory else {
        throw Mistakes(
          "there is no folder \(repository.path), which the repository is said to be", at: repository.place,
          hint: "make it, or leave 'repository' out")
      }
    }
    for (number, module) in modules.enumerated() {
      var files: [MavenModule.File] = []
      for role in [MavenModule.File.Role.library, .sources, .javadoc] {
        let inputs = zip(parts, context.inputs).filter { $0.0.module == number && $0.0.role == role }
        if inputs.isEmpty { continue }
        let (ending, classifier) = role == .library ? (module.type, "") : ("jar", role.rawValue)
        let name = module.fileName(classifier, ending)
        let checksums = try await add(inputs, role, module, name, context, &folder)
        files.append(MavenModule.File(role: role, name: name, checksums: checksums))
      }
      let metadata = Array(module.metadata(files).pretty.utf8)
      try await add(module.coordinates, module.fileName("", "module"), .bytes(metadata), context, &folder)
      try await add(module.coordinates, module.fileName("", "pom"), .bytes(module.pom), context, &folder)
      try await addVersion(module.coordinates, context, &folder)
    }
    if let bom {
      let pom = MavenModule.billOfMaterials(bom, of: modules, about)
      try await add(bom, "\(bom.artifact)-\(bom.version).pom", .bytes(pom), context, &folder)
      try await addVersion(bom, context, &folder)
    }
  }

  /// Adds a copy of a finished file, or a jar of folders.
  private func add(
    _ inputs: [(Part, [ResolvedInput])], _ role: MavenModule.File.Role, _ module: MavenModule, _ name: String,
    _ context: ActionContext, _ folder: inout FolderWriter
  ) async throws -> Checksums {
    let things = inputs.flatMap { part, group in
      group.byMatch.map { root, inputs in
        NamedInput(root: root, files: inputs.filter { $0.kind != .directory }, place: part.node.place)
      }
    }
    if let only = things.first, things.count == 1, !only.isFolder {
      guard role == .library || only.path.extension == "jar" else {
        throw Mistakes("\(only.path) is no jar", at: only.place, hint: "name a folder, or a jar")
      }
      let path = "\(module.coordinates.folder)/\(module.coordinates.version)/\(name)"
      let checksums = try await folder.add(path, copyOf: only.root)
      return try await finish(module.coordinates, name, checksums, context, &folder)
    }
    guard role != .library else {
      throw Mistakes(
        things.count > 1
          ? "\(listed(things.map(\.path.string))) are several files, and a module has one"
          : "\(things.first?.path.string ?? "it") is a folder, and a module has a file",
        at: things.first?.place ?? plan.manifest.place)
    }
    if let file = things.first(where: { !$0.isFolder }) {
      throw Mistakes(
        "\(file.path) is a file beside others of the \(role.rawValue)", at: file.place, hint: "name folders, or one jar"
      )
    }
    var contents = JarContents(
      purpose: .copy, stripsSignatures: false, spool: try Spool(in: context.folder(of: context.outputs[0])))
    for thing in things { contents.add(thing, context) }
    try contents.notes.check()
    folder.findings += try plan.passing(contents.notes.clashes)
    folder.notes += contents.notes.leftOut.notes
    return try await add(
      module.coordinates, name, .archive(contents.entries, plan.jarOptions), context, &folder)
  }

  @discardableResult
  private func add(
    _ module: MavenCoordinates, _ name: String, _ form: FileContents.Form, _ context: ActionContext,
    _ folder: inout FolderWriter
  ) async throws -> Checksums {
    let checksums = try await folder.add("\(module.folder)/\(module.version)/\(name)", form)
    return try await finish(module, name, checksums, context, &folder)
  }

  /// Adds the checksums of a file, and refuses it if the repository has it with other bytes.
  private func finish(
    _ module: MavenCoordinates, _ name: String, _ checksums: Checksums, _ context: ActionContext,
    _ folder: inout FolderWriter
  ) async throws -> Checksums {
    let path = "\(module.folder)/\(module.version)/\(name)"
    try await addChecksums(checksums, path, &folder)
    guard let repository, !module.isSnapshot else { return checksums }
    let known = repository.path.pushing(FilePath(path))
    folder.discovered.append(known)
    let file = context.absolute(known)
    guard let size = try FileSystem.status(of: file, followingLinks: true)?.size else { return checksums }
    if size == Int64(checksums.size), try FileSystem.digest(of: file).hex == checksums.sha256 { return checksums }
    throw Mistakes(
      "\(module.group):\(module.artifact):\(module.version) is in \(repository.path) already, with another \(name)",
      at: repository.place, hint: "raise the version: one that was released never changes")
  }

  private func addChecksums(_ checksums: Checksums, _ path: String, _ folder: inout FolderWriter) async throws {
    for (ending, hex) in checksums.byEnding {
      try await folder.add("\(path).\(ending)", .bytes(Array(hex.utf8)))
    }
  }

  /// Adds the version to the module's list.
  private func addVersion(
    _ module: MavenCoordinates, _ context: ActionContext, _ folder: inout FolderWriter
  ) async throws {
    let path = "\(module.folder)/maven-metadata.xml"
    var metadata = MavenMetadata(of: module)
    if let repository {
      let known = repository.path.pushing(FilePath(path))
      folder.discovered.append(known)
      let file = context.absolute(known)
      if try FileSystem.status(of: file, followingLinks: true) != nil {
        metadata = try MavenMetadata(try FileSystem.read(file, limit: 16 << 20), of: module, at: known)
      }
    }
    let form = FileContents.Form.bytes(metadata.adding(module, date: plan.sourceDate))
    try await addChecksums(try await folder.add(path, form), path, &folder)
  }
}
