import Artifacts
import Documents
package import Findings
import Rules
import Store
package import SystemPackage

/// Finds the host whose rules a finished artifact must pass.
package enum HostRules {
  struct Found {
    var rules: [RuleID: RuleSettings] = [:]
    var schemas = DocumentSchemas()
    /// The names of its recipes; nil if none is known.
    var host: String?
    /// The plugin's name.
    var plugin: String?
    /// The configuration that the host gives to the plugin.
    var configuration: Configuration?
    /// The app that contains the plugin's extension; nil if no manifest names it.
    var app: FilePath?
    /// Whether a manifest, a release record or the user names the host.
    var isKnown = true

    /// The rules for a third party's AAR in a plugin's tree. The AAR that embeds it is held to the host's SDKs instead.
    var ofOthers: Found {
      var found = self
      found.rules[TargetSDK.id]?.lists["target"] = nil
      found.rules[AARMetadataRule.id]?.lists["compile-sdk"] = nil
      return found
    }
  }

  /// The settings of recipes laid over one another. Their paths are relative to `folder`.
  static func of(recipes: [String], in folder: FilePath) throws(Mistakes) -> Found {
    let names = recipes.map { Node(.text($0), at: Place("--recipe \($0)")) }
    let place = Place("--recipe")
    let layer = Node(.map([.init(key: "extends", keyPlace: place, node: Node(.list(names), at: place))]), at: place)
    let merged = try Layers(layer, in: folder, read: Project.readRecipe).merged
    return Found(rules: try settings(merged), schemas: try DocumentSchemas(merged), host: name(recipes))
  }

  /// Throws for mistakes in the settings, so that an unknown rule is not left out in silence.
  private static func settings(_ merged: Node) throws(Mistakes) -> [RuleID: RuleSettings] {
    guard let rules = merged["rules"] else { return [:] }
    var check = SchemaCheck()
    check.check(rules, .object(RuleShapes.keys), "rules")
    guard check.mistakes.isEmpty else { throw Mistakes(check.mistakes) }
    return RuleShapes.settings(rules)
  }

  /// `mobilesmith`; nil if there are none.
  static func name(_ recipes: [String]) -> String? { recipes.isEmpty ? nil : recipes.joined(separator: " and ") }

  /// Reads the manifest in the artifact, if that is a plugin's folder, or above it; else the release record beside it.
  static func find(for artifact: FilePath) throws -> Found {
    let path = artifact.isAbsolute ? artifact : try FileSystem.realPath(".").pushing(artifact).lexicallyNormalized()
    var folder = path
    repeat {
      let manifest = folder.appending("npi.yml")
      if try FileSystem.status(of: manifest, followingLinks: true)?.kind == .regular {
        var options = Project.Options()
        options.manifest = manifest
        let layers = try Layers(options, read: Project.readRecipe)
        let recipes = layers.merged["extends"]?.texts.compactMap(\.text) ?? []
        var found = Found(
          rules: try settings(layers.merged), schemas: try DocumentSchemas(layers.merged), host: name(recipes))
        guard try isMade(path, in: folder) else { return found.ofOthers }
        found.plugin = layers.merged["name"]?.text
        found.app = layers.merged["deliverables"]?.members.lazy.compactMap { $0.node["app"]?.text }.first
          .map { folder.pushing(FilePath($0)) }
        let members = layers.merged["config"]?.members ?? []
        found.configuration = Configuration(
          members.compactMap { member in
            member.node.text.map { (member.key, .text($0)) }
          })
        return found
      }
    } while folder.removeLastComponent() && !folder.isEmpty
    folder = path.removingLastComponent()
    if let record = try record(of: path) {
      var found = try of(recipes: record.plugin.extends, in: folder)
      found.plugin = record.plugin.name
      let file = record.deliverables.first { $0.kind == ConfigFile.kind.name }
      // A missing or unreadable file is reported when it is linted itself.
      found.configuration = file.flatMap { try? Configuration.read(folder.appending($0.path)) }
      return found
    }
    return Found(isKnown: false)
  }

  /// The parts of a policy file that violate its host's JSON Schema. None if no host is known, or if what names it
  /// cannot be read: then that is reported when it is linted.
  @Sendable package static func defects(ofPolicy path: FilePath) -> [Mistake] {
    guard let host = try? find(for: path) else { return [] }
    return (try? host.schemas.read(path, at: Place(path.string), as: .policy).defects) ?? []
  }

  /// The release record beside an artifact that lists it.
  private static func record(of path: FilePath) throws -> ReleaseRecord? {
    let folder = path.removingLastComponent()
    for name in try FileSystem.list(folder) where name.string.hasSuffix(".release.json") {
      // A record that cannot be read says nothing of this artifact.
      guard let record = try? ReleaseRecord.read(folder.appending(name)) else { continue }
      if record.deliverables.contains(where: { FilePath.Component($0.path) == path.lastComponent }) { return record }
    }
    return nil
  }

  /// Whether the plugin in that folder makes the artifact, or is the artifact.
  private static func isMade(_ path: FilePath, in folder: FilePath) throws -> Bool {
    if path == folder || path.starts(with: folder.appending("dist")) { return true }
    return try record(of: path) != nil
  }
}
