import Android
import Documents
import Findings
import Store

/// One module of a Maven repository at one version: its main file, and what its metadata say of it.
struct MavenModule: Sendable {
  let coordinates: MavenCoordinates
  let dependencies: [MavenDependency]
  let about: MavenAbout

  /// A file of the module, with its name in the version's folder.
  struct File {
    enum Role: String { case library, sources, javadoc }

    let role: Role
    let name: String
    let checksums: Checksums
  }

  /// `aar` or `jar`
  var type: String { coordinates.type ?? "jar" }

  /// The name of one of its files: `rally-1.4.0-sources.jar`.
  func fileName(_ classifier: String = "", _ ending: String) -> String {
    "\(coordinates.artifact)-\(coordinates.version)\(classifier.isEmpty ? "" : "-\(classifier)").\(ending)"
  }

  // MARK: POM

  /// Gradle looks for this line, and then reads the module metadata instead.
  private static let marker: StaticString = "do_not_remove: published-with-gradle-metadata"

  var pom: [UInt8] {
    let items = dependencies.map { dependency in
      XMLTag(
        "dependency",
        MavenModule.names(dependency.coordinates) + [XMLTag("version", text: dependency.coordinates.version)]
          + MavenModule.optional("type", dependency.coordinates.type)
          + [XMLTag("scope", text: dependency.scope.rawValue)] + exclusions(dependency))
    }
    return MavenModule.project(
      coordinates, packaging: type, about, items.isEmpty ? [] : [XMLTag("dependencies", items)],
      comment: MavenModule.marker)
  }

  private func exclusions(_ dependency: MavenDependency) -> [XMLTag] {
    if dependency.exclusions.isEmpty { return [] }
    let exclusions = dependency.exclusions.map { exclusion in
      XMLTag(
        "exclusion",
        [XMLTag("groupId", text: exclusion.group), XMLTag("artifactId", text: exclusion.artifact)])
    }
    return [XMLTag("exclusions", exclusions)]
  }

  /// The POM of a bill of materials: an app that imports it needs no versions for the modules.
  static func billOfMaterials(
    _ coordinates: MavenCoordinates, of modules: [MavenModule], _ about: MavenAbout
  ) -> [UInt8] {
    let items = modules.map { module in
      XMLTag(
        "dependency",
        names(module.coordinates) + [XMLTag("version", text: module.coordinates.version)]
          + optional("type", module.coordinates.type))
    }
    return project(
      coordinates, packaging: "pom", about, [XMLTag("dependencyManagement", [XMLTag("dependencies", items)])])
  }

  private static func names(_ coordinates: MavenCoordinates) -> [XMLTag] {
    [XMLTag("groupId", text: coordinates.group), XMLTag("artifactId", text: coordinates.artifact)]
  }

  static func optional(_ name: String, _ text: String?) -> [XMLTag] { text.map { [XMLTag(name, text: $0)] } ?? [] }

  /// The elements are in the order of Maven's schema (maven-4.0.0.xsd).
  private static func project(
    _ coordinates: MavenCoordinates, packaging: String, _ about: MavenAbout, _ others: [XMLTag],
    comment: StaticString? = nil
  ) -> [UInt8] {
    let schema = "http://maven.apache.org/POM/4.0.0"
    var root = XMLTag(
      "project",
      [XMLTag("modelVersion", text: "4.0.0")] + names(coordinates) + [
        XMLTag("version", text: coordinates.version), XMLTag("packaging", text: packaging),
      ] + about.elements(of: coordinates) + others)
    // Maven knows no namespaces, so that the default one can only be declared by its name.
    root.attributes = [
      ("xmlns", schema), ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
      ("xsi:schemaLocation", "\(schema) https://maven.apache.org/xsd/maven-4.0.0.xsd"),
    ].map { XMLTag.Attribute(name: $0, namespace: "", value: $1) }
    return XMLWriter.write(root, comment: comment)
  }
}

// MARK: - Module metadata

// Gradle's module metadata, version 1.1: JSON that says what a POM cannot. Source: the specification in Gradle's
// repository, `gradle-module-metadata-latest-specification.md`.

extension MavenModule {
  func metadata(_ files: [File]) -> JSONValue {
    let usages: [(name: String, usage: String, scopes: [MavenDependency.Scope])] = [
      ("apiElements", "java-api", [.compile]), ("runtimeElements", "java-runtime", [.compile, .runtime]),
    ]
    var variants = usages.map { name, usage, scopes in
      variant(
        name,
        [
          ("org.gradle.category", "library"), ("org.gradle.dependency.bundling", "external"),
          ("org.gradle.libraryelements", type), ("org.gradle.usage", usage),
        ], files.filter { $0.role == .library }, dependencies.filter { scopes.contains($0.scope) })
    }
    for file in files where file.role != .library {
      variants.append(
        variant(
          "\(file.role)Elements",
          [
            ("org.gradle.category", "documentation"), ("org.gradle.dependency.bundling", "external"),
            ("org.gradle.docstype", file.role.rawValue), ("org.gradle.usage", "java-runtime"),
          ], [file], []))
    }
    return [
      "formatVersion": "1.1",
      "component": [
        "group": .string(coordinates.group), "module": .string(coordinates.artifact),
        "version": .string(coordinates.version),
        "attributes": ["org.gradle.status": coordinates.isSnapshot ? "integration" : "release"],
      ],
      "variants": .array(variants),
    ]
  }

  private func variant(
    _ name: String, _ attributes: [(String, String)], _ files: [File], _ dependencies: [MavenDependency]
  ) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("name", .string(name)), ("attributes", .object(attributes.map { ($0, .string($1)) })),
    ]
    if !dependencies.isEmpty { members.append(("dependencies", .array(dependencies.map(\.json)))) }
    members.append(("files", .array(files.map(\.json))))
    // Whoever names capabilities has to name the module's own, which is implied otherwise.
    let capabilities = about.capabilities.isEmpty ? [] : [coordinates] + about.capabilities
    if !capabilities.isEmpty {
      let values = capabilities.map { capability -> JSONValue in
        [
          "group": .string(capability.group), "name": .string(capability.artifact),
          "version": .string(capability.version),
        ]
      }
      members.append(("capabilities", .array(values)))
    }
    return .object(members)
  }
}

extension MavenDependency {
  fileprivate var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("group", .string(coordinates.group)), ("module", .string(coordinates.artifact)),
      ("version", ["requires": .string(coordinates.version)]),
    ]
    if !exclusions.isEmpty {
      let values = exclusions.map { exclusion -> JSONValue in
        ["group": .string(exclusion.group), "module": .string(exclusion.artifact)]
      }
      members.append(("excludes", .array(values)))
    }
    return .object(members)
  }
}

extension MavenModule.File {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "url": .string(name), "size": .int(checksums.size), "sha512": .string(checksums.sha512),
      "sha256": .string(checksums.sha256), "sha1": .string(checksums.sha1), "md5": .string(checksums.md5),
    ]
  }
}
