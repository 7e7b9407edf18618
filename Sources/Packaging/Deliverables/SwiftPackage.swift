import Archives
package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
package import SystemPackage

/// `swiftpm`: a Swift package in a folder, whose targets are XCFrameworks of the same manifest.
package enum SwiftPackage: DeliverableKind {
  package static let artifact = ArtifactKind.swiftPackage
  package static let kind = Kind(
    name: "swiftpm",
    keys: [
      Key("of", .oneOrMany(.text), required: true, "deliverables of kind xcframework"),
      Key(
        "url", .text,
        "where the app fetches them: https, with {version} and {file}; without it they lie in the package"),
      Key("product", .name, "the library that apps name (the plugin's name)"),
      Key(
        "dependencies",
        .list(
          .object([
            Key("url", .text, required: true, "the address of the package"),
            Key("from", .text, "the lowest version; the next major one is too high"),
            Key("exact", .text, "the only version"),
            Key("products", .oneOrMany(.text), required: true, "its products that the library needs"),
          ])), "other packages that the library needs"),
      Key("resources", PackItem.shape, "files and folders for the app: paths, globs, or from and to"),
    ] + PackedFramework.linkKeys + [
      Key("name", .name, "the folder's name (swiftpm)")
    ],
    summary: "a Swift package whose targets are XCFrameworks")

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    var inputs: [Input] = []
    for name in node["of"]?.texts ?? [] {
      let made = try plan.made(name, [.xcframework], for: kind)
      inputs += plan.inputs(of: made, at: name.place)
    }
    guard !inputs.isEmpty else {
      throw Mistakes("'\(declaration.name)' is of nothing", at: node["of"]?.place ?? declaration.place)
    }
    let items = node["resources"]?.list?.compactMap(PackItem.init) ?? []
    let maker = Maker(
      name: node["product"]?.text ?? plan.manifest.name, version: plan.manifest.version,
      url: try PackedFramework.address(node["url"], of: inputs.count / 2),
      dependencies: try dependencies(node["dependencies"]),
      items: items, frameworks: texts(node["frameworks"]), libraries: texts(node["libraries"]),
      place: declaration.place)
    return plan.step(
      declaration, SwiftPackage.self, inputs: inputs + (try Plan.inputs(items.map(\.from))), maker)
  }

  package static func destination(
    _ path: FilePath, _ declaration: Manifest.Declaration, version: String
  ) -> String {
    let file = ShellText.quoted(path: path.appending(PackageManifest.fileName).string)
    return "commit \(file) at the root of a repository and tag it \(version)"
  }

  private static func texts(_ node: Node?) -> [String] { node?.texts.compactMap(\.text) ?? [] }

  private static func dependencies(_ node: Node?) throws(Mistakes) -> [PackageSwift.Dependency] {
    try (node?.list ?? []).map { (item) throws(Mistakes) in
      let versions = ["from", "exact"].compactMap { key in item[key].map { (key, $0) } }
      guard let (key, version) = versions.first, versions.count == 1 else {
        throw Mistakes(
          versions.isEmpty ? "the dependency has no version" : "the dependency has two versions", at: item.place,
          hint: "from: 1.0.0, or exact: 1.0.0")
      }
      let text = version.text ?? ""
      guard isVersion(text) else {
        throw Mistakes(
          "'\(text)' is no version of a Swift package", at: version.place, hint: "write three numbers: 1.0.0")
      }
      return PackageSwift.Dependency(
        url: item["url"]?.text ?? "",
        requirement: key == "from" ? "from: \(swiftQuoted(text))" : ".exact(\(swiftQuoted(text)))",
        products: texts(item["products"]))
    }
  }

  /// Whether it has the three numbers of semver.org; what may follow them is not checked.
  private static func isVersion(_ text: String) -> Bool {
    let core = text.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
    let numbers = core.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return numbers.count == 3 && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }
  }

  private struct Maker: FolderMaker {
    let name: String
    let version: String
    let url: String?
    let dependencies: [PackageSwift.Dependency]
    let items: [PackItem]
    let frameworks: [String]
    let libraries: [String]
    let place: Place

    func encode(into encoder: inout some KeyEncoder) {
      // The text has everything else that the manifest says.
      encoder.add("package", package([], resources: []).text)
      encoder.add("version", version)
      encoder.add("url", url ?? "")
      items.encode(into: &encoder)
    }

    private func package(_ binaries: [PackageSwift.Binary], resources: [String]) -> PackageSwift {
      PackageSwift(
        name: name, binaries: binaries, dependencies: dependencies, resources: resources, frameworks: frameworks,
        libraries: libraries)
    }

    func make(_ context: ActionContext, _ folder: inout FolderWriter) async throws {
      let files = context.inputs.dropLast(items.count).compactMap(\.first)
      let packed = try PackedItems(items, Array(context.inputs.suffix(items.count)))
      var binaries: [PackageSwift.Binary] = []
      for index in stride(from: 0, to: files.count - 1, by: 2) {
        let binary = try binary(files[index], record: files[index + 1], context)
        if let other = binaries.first(where: { sameBytes($0.name, binary.name) }) {
          throw Mistakes("two of its XCFrameworks have the name \(other.name)", at: place)
        }
        if let path = binary.path { try await folder.add(path, copyOf: files[index]) }
        binaries.append(binary)
      }
      let tops = packed.files.map { String(decoding: $0.path.components[0], as: UTF8.self) }
      let package = package(binaries, resources: Set(tops).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      if let sources = package.wrapperFolder {
        try await folder.add("\(sources)/Wrapper.swift", .bytes(Array(Maker.wrapperText.utf8)))
        for file in packed.files { try await add(file, to: sources, &folder) }
      }
      folder.notes += packed.leftOut(context).notes
      try await folder.add(PackageManifest.fileName, .bytes(Array(package.text.utf8)))
    }

    private static let wrapperText =
      "// A binary target can have no dependencies and no resources; this target has them.\n"

    private func add(_ file: PackedFile, to sources: String, _ folder: inout FolderWriter) async throws {
      guard file.input.kind == .regular, !file.input.isLink else {
        throw Mistakes(
          "\(file.input.path) is not copied into a Swift package: it is no file", at: file.place,
          hint: "put a file in its place, or leave it out")
      }
      try await folder.add("\(sources)/\(file.path)", copyOf: file.input)
    }

    private func binary(
      _ zip: ResolvedInput, record: ResolvedInput, _ context: ActionContext
    ) throws -> PackageSwift.Binary {
      let framework = try PackedFramework(zip, record: record, context)
      return PackageSwift.Binary(
        name: framework.name, path: url == nil ? framework.file : nil,
        url: url.map { framework.address($0, version: version) } ?? "", checksum: framework.checksum,
        systems: framework.systems)
    }
  }
}
