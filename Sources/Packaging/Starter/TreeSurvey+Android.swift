import ObjectFiles

// The Android half of the tree.
extension TreeSurvey {
  mutating func findAndroid() {
    defer { if case .library(let library, _) = android { androidFolders.formUnion([library.base, library.folder]) } }
    let packages = sources.compactMap { path, facts in facts.package.map { (path, $0) } }.sorted { $0.0 < $1.0 }
    android = AndroidSearch(tree, modules, manifests, fragments: fragments.map(\.path), packages: packages).find()
    guard case .library(let library, _) = android else {
      fragment = host == nil ? nil : fragments.first?.name
      version = version ?? modules.lazy.compactMap(\.version).last
      return
    }
    let prefix = library.base.isEmpty ? "" : library.base + "/"
    // What only an application has is not in the AAR.
    let apps = modules.filter { $0.kind == .application && !$0.folder.isEmpty }.map { $0.folder + "/" }
    let found =
      fragments.first { $0.path.hasPrefix(prefix) }
      ?? fragments.first { fragment in !apps.contains { fragment.path.hasPrefix($0) } }
    fragment = host == nil ? nil : found?.name
    version = library.module?.version ?? gradleDescription?.version ?? library.manifestVersion ?? version
  }

  /// Of the module that is packed, as its own and other scripts say together.
  var gradleDescription: ProjectDescription? {
    guard case .library(let library, _) = android else { return nil }
    return descriptions.first { $0.kind == .gradle && $0.folder == library.base }
  }

  /// Whether a path is in one of Android's folders: those of its modules, and those that only Android has.
  func isAndroids(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return androidFolders.hasFolder(above: path + "/")
      || parts.contains { AndroidABI(rawValue: String($0))?.isOnlyAndroids == true }
      || parts.starts(with: ["src", "main"])
      || PathSystem(path) == .android
  }

  /// Whether a project of Xcode's lies among Android's sources: of a library that they bring along.
  func isAmongAndroids(_ path: String) -> Bool { isAndroids(path) && PathSystem(path) != .apple }

  /// Whether a path is in the folder of an application or of its tests: the plugin is a library.
  func isOfApplication(_ path: String) -> Bool { application(path) != nil }

  /// Which of the two it is.
  func application(_ path: String) -> GradleModule.Kind? {
    if androidApplications.contains(path) { return .application }
    return modules.first { $0.kind == .test && !$0.folder.isEmpty && path.hasPrefix($0.folder + "/") }?.kind
  }
}

extension AndroidABI {
  /// Apple has an architecture of that one name, too.
  fileprivate var isOnlyAndroids: Bool { self != .x86_64 }
}
