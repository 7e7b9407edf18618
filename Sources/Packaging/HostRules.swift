import Artifacts
import Documents
import Findings
import Rules
import Store
import SystemPackage

/// Which host's rules a finished artifact is held against.
enum HostRules {
  struct Found {
    var rules: [RuleID: RuleSettings]
    var note: String?

    /// An AAR of somebody else in a plugin's tree was not made for the host: what embeds it is judged instead.
    var ofOthers: Found {
      var found = self
      found.rules[TargetSDK.id]?.lists["target"] = nil
      found.rules[AARMetadataRule.id]?.lists["compile-sdk"] = nil
      return found
    }
  }

  /// The settings of recipes laid over one another. `folder` is where their paths begin.
  static func of(recipes: [String], in folder: FilePath) throws(Mistakes) -> [RuleID: RuleSettings] {
    let names = recipes.map { Node(.text($0), at: Place("--recipe \($0)")) }
    let place = Place("--recipe")
    let layer = Node(.map([.init(key: "extends", keyPlace: place, node: Node(.list(names), at: place))]), at: place)
    return RuleShapes.settings(try Layers(layer, in: folder, read: Project.readRecipe).merged["rules"])
  }

  /// The manifest in the artifact, if that is a plugin's folder, or in the folders above it; else the release record beside it.
  static func find(for artifact: FilePath) throws -> Found {
    let path = artifact.isAbsolute ? artifact : try FileSystem.realPath(".").pushing(artifact).lexicallyNormalized()
    var folder = path
    repeat {
      let manifest = folder.appending("npi.yml")
      if try FileSystem.status(of: manifest, followingLinks: true)?.kind == .file {
        var options = Project.Options()
        options.manifest = manifest
        let layers = try Layers(options, read: Project.readRecipe)
        let found = Found(rules: RuleShapes.settings(layers.merged["rules"]), note: nil)
        return try isMade(path, in: folder) ? found : found.ofOthers
      }
    } while folder.removeLastComponent() && !folder.isEmpty
    folder = path.removingLastComponent()
    if let record = try record(of: path) {
      return Found(rules: try of(recipes: record.plugin.extends, in: folder), note: nil)
    }
    return Found(rules: [:], note: "no host is known for \(artifact): only general rules were checked (--recipe NAME)")
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

  /// Whether an artifact is one that the plugin in that folder makes, or is the plugin itself.
  private static func isMade(_ path: FilePath, in folder: FilePath) throws -> Bool {
    if path == folder || path.starts(with: folder.appending("dist")) { return true }
    return try record(of: path) != nil
  }
}
