import Documents
import Findings

/// The part of a POM that describes a module to people. Maven Central takes no POM without it.
struct MavenAbout: Sendable {
  private let summary: String?
  private let url: String?
  private let licenses: [XMLTag]
  private let developers: [XMLTag]
  private let scm: XMLTag?
  let capabilities: [MavenCoordinates]

  static let keys: [Key] = [
    Key("url", .text, "the home page"),
    Key(
      "license",
      .oneOrMany(
        .either([
          .text, .object([Key("name", .text, required: true, "its name"), Key("url", .text, "where it stands")]),
        ])), "the licence: its name (as SPDX has it), or name and url"),
    Key(
      "developers",
      .list(
        .either([
          .text,
          .object([
            Key("name", .text, required: true, "the name"), Key("email", .text, "an address"),
            Key("organization", .text, "whom they work for"), Key("url", .text, "the organization's page"),
          ]),
        ])), "who makes it: names, or name, email, organization and url"),
    Key(
      "scm",
      .either([
        .text,
        .object([
          Key("url", .text, required: true, "where it can be looked at"),
          Key("connection", .text, "for reading: scm:git:https://…"),
          Key("developer-connection", .text, "for writing: scm:git:ssh://…"),
        ]),
      ]), "the source's repository: its url, or url, connection and developer-connection"),
    Key(
      "capabilities", .oneOrMany(.text), "capabilities that Gradle knows it by, besides its name: group:name:version"),
  ]

  init(_ node: Node, summary: String?) throws(Mistakes) {
    try MavenAbout.refuseOutsideXML(node)
    self.summary = summary
    url = node["url"]?.text
    licenses = MavenAbout.list(node["license"], "license", ["name", "url"])
    developers = MavenAbout.list(
      node["developers"], "developer", ["name", "email", "organization", "url"], as: ["url": "organizationUrl"])
    scm = node["scm"].map { scm in
      let keys = [("connection", "connection"), ("developer-connection", "developerConnection"), ("url", "url")]
      return XMLTag(
        "scm", scm.text.map { [XMLTag("url", text: $0)] } ?? keys.flatMap { MavenModule.optional($1, scm[$0]?.text) })
    }
    capabilities = try (node["capabilities"]?.texts ?? []).map { (node) throws(Mistakes) in
      let capability = try MavenCoordinates(node)
      if capability.version.isEmpty {
        throw Mistakes("'\(node.text ?? "")' has no version", at: node.place, hint: "write group:name:version")
      }
      return capability
    }
  }

  /// Every text below a node may become part of a POM.
  private static func refuseOutsideXML(_ node: Node) throws(Mistakes) {
    if let text = node.text, let scalar = characterOutsideXML(text) {
      throw Mistakes("XML cannot hold the character U+\(String(scalar.value, radix: 16))", at: node.place)
    }
    for child in node.list ?? [] { try refuseOutsideXML(child) }
    for member in node.members { try refuseOutsideXML(member.node) }
  }

  private static func list(
    _ node: Node?, _ name: String, _ keys: [String], as names: [String: String] = [:]
  ) -> [XMLTag] {
    (node.map { $0.list ?? [$0] } ?? []).map { item in
      let children =
        item.text.map { [XMLTag("name", text: $0)] }
        ?? keys.flatMap { MavenModule.optional(names[$0] ?? $0, item[$0]?.text) }
      return XMLTag(name, children)
    }
  }

  /// In the order of Maven's schema.
  func elements(of coordinates: MavenCoordinates) -> [XMLTag] {
    [XMLTag("name", text: coordinates.artifact)] + MavenModule.optional("description", summary)
      + MavenModule.optional("url", url) + (licenses.isEmpty ? [] : [XMLTag("licenses", licenses)])
      + (developers.isEmpty ? [] : [XMLTag("developers", developers)]) + (scm.map { [$0] } ?? [])
  }
}
