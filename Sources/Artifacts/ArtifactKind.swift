/// What an artifact is for, as far as that decides how it is read and which rules apply. An open set: a kind of
/// deliverable brings its own, and these are the ones that more than one module knows.
package struct ArtifactKind: Sendable, Hashable {
  package let name: String
  /// How the names of such files end; nil if a name does not tell.
  package let ending: String?
  /// The name of such a file ends with it, behind `NAME-VERSION`.
  package let fileEnding: String
  /// Nil if it is for any.
  package let platform: Inventory.Platform?
  /// A zip; else one JSON document.
  package let isArchive: Bool
  /// Whether an app has one version of such a file: two in one folder are a mistake.
  package let isRelease: Bool

  package init(
    _ name: String, ending: String?, fileEnding: String? = nil, platform: Inventory.Platform? = nil,
    isArchive: Bool = false, isRelease: Bool? = nil
  ) {
    self.name = name
    self.ending = ending
    self.fileEnding = fileEnding ?? ending ?? ""
    self.platform = platform
    self.isArchive = isArchive
    self.isRelease = isRelease ?? isArchive
  }

  package static let iosZip = ArtifactKind(
    "ios-zip", ending: ".zip", fileEnding: "-ios.zip", platform: .ios, isArchive: true)
  package static let aar = ArtifactKind("aar", ending: ".aar", platform: .android, isArchive: true)
  package static let appExtension = ArtifactKind("app-extension", ending: "-appex.zip", platform: .ios, isArchive: true)
  package static let config = ArtifactKind("config", ending: ".json")
  /// Which messages a plugin sends and receives.
  package static let policy = ArtifactKind("policy", ending: ".policy.json", isRelease: true)
  /// The configurations of all plugins of an app, by their names.
  package static let pluginsConfig = ArtifactKind("plugins-config", ending: ".plugins.json")
  /// All that one build makes: its items are the deliverables.
  package static let release = ArtifactKind("release", ending: ".release.json", isRelease: true)
  /// A folder as it stands: source, or items that are to be packed.
  package static let tree = ArtifactKind("tree", ending: nil)
  /// Java classes by themselves: nothing for Apple's systems, whatever libraries of theirs lie in it.
  package static let jar = ArtifactKind("jar", ending: ".jar", platform: .android, isArchive: true)
  /// Templates and assets that a hybrid app fetches, in a folder for each version of the app.
  package static let webTemplates = ArtifactKind("web-templates", ending: "-web.zip", isArchive: true)
  /// An archive of another kind.
  package static let archive = ArtifactKind("archive", ending: nil, isArchive: true)

  /// The kinds of files that leave a plugin's folder. The program registers those that it makes; without that, these are
  /// the ones that this module declares.
  @TaskLocal package static var deliverables: [ArtifactKind] = [
    .iosZip, .aar, .appExtension, .config, .policy, .pluginsConfig, .webTemplates,
  ]
}
