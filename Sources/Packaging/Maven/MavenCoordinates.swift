import Documents
import Findings

/// The name of a module in a Maven repository: `group:artifact:version`, with `@type` for a file of another type than
/// a jar.
struct MavenCoordinates: Hashable, Sendable {
  let group: String
  let artifact: String
  /// Empty only for a module of the same deliverable, before its version is known.
  var version: String
  var type: String?

  /// The folder of all versions, with slashes.
  var folder: String { "\(group.with("/", for: "."))/\(artifact)" }

  /// Whether the bytes of the version may change.
  var isSnapshot: Bool { version.hasSuffix("-SNAPSHOT") }

  init(group: String, artifact: String, version: String) {
    (self.group, self.artifact, self.version) = (group, artifact, version)
  }

  init(_ node: Node) throws(Mistakes) {
    var text = node.text ?? ""
    if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
      type = try MavenCoordinates.part(String(text[text.index(after: at)...]), "type", at: node.place)
      text = String(text[..<at])
    }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard (2...3).contains(parts.count) else {
      throw Mistakes(
        "'\(text)' names no module of a Maven repository", at: node.place,
        hint: "write group:artifact:version, as androidx.core:core:1.9.0")
    }
    group = try MavenCoordinates.part(parts[0], "group", at: node.place)
    artifact = try MavenCoordinates.part(parts[1], "artifact", at: node.place)
    version = parts.count == 3 ? parts[2] : ""
    if parts.count == 3, version.isEmpty || version.utf8.contains(where: { $0 <= 0x20 || "/\\:<>\"".utf8.contains($0) })
    {
      throw Mistakes("'\(version)' is no version", at: node.place)
    }
  }

  /// A text that is a folder in a repository, or part of a file's name there. Source of the characters: Maven's model
  /// validator, which takes letters, digits, `-`, `_` and `.` in groups and artifacts.
  static func part(_ text: String, _ noun: String, at place: Place, alsoTaking others: String = "") throws(Mistakes)
    -> String
  {
    let isPlain = text.utf8.allSatisfy { byte in
      (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "-_.".utf8.contains(byte)
        || others.utf8.contains(byte)
    }
    let isPath = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).contains(
      where: \.isEmpty)
    guard !text.isEmpty, isPlain, !isPath else {
      throw Mistakes(
        "'\(text)' is no \(noun) of a Maven module", at: place,
        hint: "it has letters, digits, '-', '_', and single dots between them")
    }
    return text
  }
}

/// A module that another one needs.
struct MavenDependency: Sendable {
  enum Scope: String, CaseIterable, Sendable {
    /// The app's own code sees it: what Gradle calls `api`.
    case compile
    /// It is only there when the app runs: what Gradle calls `implementation`.
    case runtime
  }

  struct Exclusion: Sendable {
    let group: String
    let artifact: String
  }

  let coordinates: MavenCoordinates
  var scope = Scope.compile
  var exclusions: [Exclusion] = []

  static let shape = Shape.list(
    .either([
      .text,
      .object([
        Key("of", .text, required: true, "group:artifact:version"),
        Key("scope", .choice(Scope.allCases.map(\.rawValue)), "whether the app's code sees it (compile)"),
        Key("exclude", .oneOrMany(.text), "modules that do not come with it: group:artifact, or * for either"),
      ]),
    ]))

  /// `siblings` are the modules of the same deliverable, which need no version.
  init(_ node: Node, siblings: [MavenCoordinates]) throws(Mistakes) {
    let name = node["of"] ?? node
    var coordinates = try MavenCoordinates(name)
    if coordinates.version.isEmpty {
      guard let own = siblings.first(where: { $0.group == coordinates.group && $0.artifact == coordinates.artifact })
      else {
        throw Mistakes(
          "'\(name.text ?? "")' has no version", at: name.place, hint: "write group:artifact:version")
      }
      coordinates = own
    }
    self.coordinates = coordinates
    scope = node["scope"]?.text.flatMap(Scope.init) ?? .compile
    exclusions = try (node["exclude"]?.texts ?? []).map { (exclusion) throws(Mistakes) in
      let text = exclusion.text ?? ""
      let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard parts.count == 2 else {
        throw Mistakes("'\(text)' excludes nothing", at: exclusion.place, hint: "write group:artifact, or *:*")
      }
      func part(_ text: String, _ noun: String) throws(Mistakes) -> String {
        text == "*" ? text : try MavenCoordinates.part(text, noun, at: exclusion.place)
      }
      return Exclusion(group: try part(parts[0], "group"), artifact: try part(parts[1], "artifact"))
    }
  }
}
