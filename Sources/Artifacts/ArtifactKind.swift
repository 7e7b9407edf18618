/// The kind of an artifact, which decides how the artifact is read and which rules apply. The set is open: a kind of
/// deliverable declares its own; these are the kinds that more than one module uses.
package struct ArtifactKind: Sendable, Hashable {
  package let name: String
  /// The ending of such files' names; nil if a name does not tell the kind.
  package let ending: String?
  /// The part of a file's name behind `NAME-VERSION`.
  package let fileEnding: String
  /// Nil if it fits every platform.
  package let platform: Inventory.Platform?
  /// True for a zip, false for a JSON document or a folder.
  package let isArchive: Bool
  /// Whether an app takes only one version of such a file, so that two in one folder are a mistake.
  package let isRelease: Bool
  /// Whether the plugin's version stands in the names of such files.
  package let isVersioned: Bool
  /// The name of the folder, for a kind that is one; nil for a file.
  package let folder: String?
  /// Whether it gives other deliverables to a package manager, or goes with them, and is no part of an app itself.
  package let isForManagers: Bool

  package init(
    _ name: String, ending: String?, fileEnding: String? = nil, platform: Inventory.Platform? = nil,
    isArchive: Bool = false, isRelease: Bool? = nil, isVersioned: Bool = true
  ) {
    self.name = name
    self.ending = ending
    self.fileEnding = fileEnding ?? ending ?? ""
    self.platform = platform
    self.isArchive = isArchive
    self.isRelease = isRelease ?? isArchive
    self.isVersioned = isVersioned
    (folder, isForManagers) = (nil, false)
  }

  /// A kind for a package manager: files with this ending, or a folder.
  private init(forManagers name: String, ending: String? = nil, folder: String? = nil) {
    (self.name, self.ending, self.folder, isForManagers) = (name, ending, folder, true)
    (fileEnding, platform) = (ending ?? "", nil)
    (isArchive, isRelease, isVersioned) = (false, false, false)
  }

  package static let iosZip = ArtifactKind(
    "ios-zip", ending: ".zip", fileEnding: "-ios.zip", platform: .ios, isArchive: true)
  package static let aar = ArtifactKind("aar", ending: ".aar", platform: .android, isArchive: true)
  package static let appExtension = ArtifactKind("app-extension", ending: "-appex.zip", platform: .ios, isArchive: true)
  package static let framework = ArtifactKind(
    "framework", ending: ".framework.zip", platform: .ios, isArchive: true, isVersioned: false)
  package static let xcframework = ArtifactKind(
    "xcframework", ending: ".xcframework.zip", platform: .ios, isArchive: true, isVersioned: false)
  package static let config = ArtifactKind("config", ending: ".json")
  package static let policy = ArtifactKind("policy", ending: ".policy.json", isRelease: true)
  /// The configurations of all plugins of an app, by their names.
  package static let pluginsConfig = ArtifactKind("plugins-config", ending: ".plugins.json")
  /// The record of one build; its items are the deliverables.
  package static let release = ArtifactKind("release", ending: ".release.json", isRelease: true)
  /// A Swift package whose targets are XCFrameworks.
  package static let swiftPackage = ArtifactKind(forManagers: "swiftpm", folder: "swiftpm")
  /// A part of a Maven repository.
  package static let mavenRepository = ArtifactKind(forManagers: "maven", folder: "maven")
  package static let podspec = ArtifactKind(forManagers: "cocoapods", ending: ".podspec.json")
  /// A file of any form.
  package static let plainFile = ArtifactKind(forManagers: "file")
  /// A plain folder: sources, or items to be packed.
  package static let tree = ArtifactKind("tree", ending: nil)
  /// A bare jar of Java classes. It is for Android, even if libraries for Apple's systems lie in it.
  package static let jar = ArtifactKind("jar", ending: ".jar", platform: .android, isArchive: true)
  /// Templates and assets that a hybrid app fetches, in a folder for each version of the app.
  package static let webTemplates = ArtifactKind("web-templates", ending: "-web.zip", isArchive: true)
  /// An archive of another kind.
  package static let archive = ArtifactKind("archive", ending: nil, isArchive: true)

  /// The kinds of files that a build delivers. The program registers the kinds that it makes; the default is the kinds
  /// declared in this module.
  @TaskLocal package static var deliverables: [ArtifactKind] = [
    .iosZip, .framework, .xcframework, .aar, .appExtension, .config, .policy, .pluginsConfig, .webTemplates,
    .swiftPackage, .mavenRepository, .podspec, .plainFile,
  ]
}
