/// Which files of a tree are an Android application's, and no part of a library.
struct AndroidApplications: Sendable {
  /// Gradle's, with all that is in them.
  private let modules: Set<String>
  /// Of manifests whose launcher starts a class that is there: their sources and resources.
  private let launched: Set<String>
  private let libraries: Set<String>
  /// What descriptions name: it is the plugin's, wherever it lies.
  private let named: Set<String>

  init() { (modules, launched, libraries, named) = ([], [], [], []) }

  init(
    _ modules: [GradleModule], _ manifests: [AndroidManifestFile], _ files: [StarterFile],
    _ descriptions: [ProjectDescription]
  ) {
    func folders(_ kind: GradleModule.Kind) -> [String] { modules.filter { $0.kind == kind }.map(\.folder) }
    let places = manifests.map { (manifest: $0, base: AndroidApplications.base($0.folder)) }
    // A host's class is started by the manifest of many a plugin.
    var classes: Set<[String]> = []
    for file in files where file.kind == .source(.java) || file.kind == .source(.kotlin) {
      let name = String(file.name.dropLast(file.ending.utf8.count))
      var parts = file.folder.split(separator: "/")
      while classes.insert([parts.joined(separator: "/"), name]).inserted, parts.popLast() != nil {}
    }
    let started = places.filter { manifest, base in
      guard let name = manifest.launched, let base else { return false }
      return classes.contains([base, name])
    }
    self.modules = Set(folders(.application)).subtracting([""])
    let libraries = Set(folders(.library) + places.filter { !$0.manifest.isApp }.compactMap(\.base))
    self.libraries = libraries
    launched = Set(started.compactMap(\.base)).subtracting(libraries)
    named = Set(descriptions.flatMap { $0.androidSources + $0.androidResources + $0.libraries })
  }

  /// The folder of a module with such a manifest; nil of what adds to `src/main`.
  private static func base(_ folder: String) -> String? {
    let parts = folder.split(separator: "/")
    guard parts.dropLast().last == "src" else { return folder }
    return parts.last == "main" ? parts.dropLast(2).joined(separator: "/") : nil
  }

  private static let parts: Set<Substring> = ["src", "gen", "java", "kotlin", "res", "assets"]

  /// Whether a manifest that starts a class of its own is there.
  func has(manifestIn folder: String) -> Bool { launched.contains(folder) }

  /// The innermost folder that says something decides.
  func contains(_ path: String) -> Bool {
    guard !named.contains(path) else { return false }
    var parts = path.split(separator: "/")
    while let inner = parts.popLast() {
      let folder = parts.joined(separator: "/")
      if modules.contains(folder) || launched.contains(folder) && AndroidApplications.parts.contains(inner) {
        return true
      }
      if libraries.contains(folder) { return false }
    }
    return false
  }
}
