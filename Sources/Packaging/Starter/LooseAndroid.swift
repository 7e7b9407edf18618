import Android
import Archives

/// What of a tree is for Android by itself: jars, AARs, shared libraries and sources, with a manifest or without one.
struct LooseAndroid: Sendable {
  let archives: [StarterFile]
  let libraries: [StarterFile]
  /// Of Java and Kotlin.
  let sources: [StarterFile]
  private let survey: TreeSurvey

  init(_ survey: TreeSurvey) {
    self.survey = survey
    func isMeant(_ file: StarterFile) -> Bool {
      if case .other = PathSystem(file.path) { return false }
      return !survey.isOfApplication(file.path)
    }
    archives = survey.files { $0 == .jar || $0 == .aar }.filter(isMeant)
    libraries = survey.files { $0 == .sharedLibrary }.filter(isMeant)
    sources = survey.files { $0 == .source(.java) || $0 == .source(.kotlin) }.filter(isMeant)
  }

  /// One without a manifest, or a module of Gradle's.
  var library: AndroidLibrary? {
    let files = archives + libraries + sources
    guard !files.isEmpty else { return nil }
    var folders: Set<String> = []
    for file in files {
      var parts = file.folder.split(separator: "/")
      while folders.insert(parts.joined(separator: "/")).inserted, parts.popLast() != nil {}
    }
    let (package, origin) = package
    return AndroidLibrary(loose: survey.tree, near: folders.sorted(), package: package, origin: origin)
  }

  /// Of the sources, or of the classes in a jar; nothing else names one.
  var package: (name: String, origin: String) {
    let own = sources.compactMap { survey.sources[$0.path]?.package }
    if let name = LooseAndroid.shortest(own) { return (name, "the package of the sources") }
    for jar in archives where jar.kind == .jar && survey.tree.isZip(jar.path) {
      if let name = LooseAndroid.shortest(survey.tree.packages(ofJar: jar.path)) {
        return (name, "the package of \(jar.path)")
      }
    }
    for aar in archives where aar.kind == .aar {
      // Two libraries of one package share an R, which 'aar' takes for a mistake.
      if let name = survey.tree.manifest(ofAAR: aar.path)?.package.map({ $0 + ".plugin" }),
        AndroidLibrary.isPackage(name)
      {
        return (name, "a package beside that of \(aar.path)")
      }
    }
    let name = survey.name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let part = name.first?.isLetter == true ? name : "plugin" + name
    let package = "com.example.\(part)"
    return (
      AndroidLibrary.isPackage(package) ? package : package + "plugin",
      "a package that nothing in the tree names: give it the plugin's own"
    )
  }

  static func shortest(_ packages: [String]) -> String? {
    packages.filter(AndroidLibrary.isPackage).min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}

extension StarterTree {
  /// Nil if there is none that can be read.
  func manifest(ofAAR path: String) -> AndroidManifest? {
    guard let file = try? PositionalFile(absolute(path)),
      let directory = try? ZipDirectory(ZipSource(file), limit: 1 << 24),
      let record = directory.records.first(where: { $0.name.elementsEqual("AndroidManifest.xml".utf8) }),
      let bytes = try? directory.contents(of: record, limit: 1 << 20)
    else { return nil }
    return try? AndroidManifest(bytes)
  }
}
