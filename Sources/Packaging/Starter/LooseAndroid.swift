import Android
import Archives

/// What of a tree is for Android by itself: jars, AARs, shared libraries and sources, with a manifest or without one.
struct LooseAndroid: Sendable {
  let archives: [StarterFile]
  let libraries: [StarterFile]
  /// Of Java and Kotlin.
  let sources: [StarterFile]
  /// Those that Android's tools wrote.
  let generated: [StarterFile]
  private let survey: TreeSurvey

  init(_ survey: TreeSurvey) {
    self.survey = survey
    func isMeant(_ file: StarterFile) -> Bool {
      if case .other = PathSystem(file.path) { return false }
      return !survey.isOfApplication(file.path)
    }
    archives = survey.files { $0 == .jar || $0 == .aar }.filter(isMeant)
    libraries = survey.files { $0 == .sharedLibrary }.filter(isMeant)
    let all = survey.files { $0 == .source(.java) || $0 == .source(.kotlin) }.filter(isMeant)
    let made = Set(all.filter(survey.tree.isGenerated).map(\.path))
    sources = all.filter { !made.contains($0.path) }
    generated = all.filter { made.contains($0.path) }
  }

  /// One without a manifest, or a module of Gradle's.
  func library(beside ndk: NDKBuild?) -> AndroidLibrary? {
    let places = (archives + libraries + sources).map(\.folder) + [ndk?.directory].compactMap(\.self)
    guard !places.isEmpty else { return nil }
    var folders: Set<String> = []
    for place in places {
      var parts = place.split(separator: "/")
      while folders.insert(parts.joined(separator: "/")).inserted, parts.popLast() != nil {}
    }
    let (package, origin) = package
    let near = folders.filter { !survey.androidApplications.has(manifestIn: $0) }.sorted()
    return AndroidLibrary(loose: survey.tree, near: near, package: package, origin: origin)
  }

  /// Of a Titanium module, of the sources, or of the classes in a jar; nothing else names one.
  var package: (name: String, origin: String) {
    for module in survey.descriptions where module.kind == .titanium {
      if let id = module.name, AndroidLibrary.isPackage(id) { return (id, "the moduleid of \(module.path)") }
    }
    let own = sources.compactMap { survey.sources[$0.path]?.package }
    if let name = LooseAndroid.likeliest(own) { return (name, "the package of the sources") }
    for jar in archives where jar.kind == .jar && survey.tree.isZip(jar.path) {
      if let name = LooseAndroid.likeliest(survey.tree.packages(ofJar: jar.path)) {
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

  /// Of the packages of files, one a file: the one that all are in, or else the one with most of the files. A vendor's own,
  /// `com.acme`, is one for many plugins, and copies of the system's interfaces are no plugin's.
  static func likeliest(_ packages: [String]) -> String? {
    let own = packages.filter { package in
      !["android.", "androidx.", "com.android.", "java.", "javax.", "kotlin.", "kotlinx."].contains {
        (package + ".").hasPrefix($0)
      }
    }
    let counts = Dictionary(own.map { ($0, 1) }, uniquingKeysWith: +).filter { AndroidLibrary.isPackage($0.key) }
    let order = counts.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
    guard var common = order.first?.key.split(separator: ".") else { return nil }
    for (package, _) in order { common = zip(common, package.split(separator: ".")).prefix { $0 == $1 }.map(\.0) }
    let shared = common.joined(separator: ".")
    if common.count > 2 || counts[shared] != nil { return shared }
    let most = counts.values.max()
    return order.first { $0.value == most }?.key
  }
}

extension StarterTree {
  /// Whether it is the R or BuildConfig that Android's tools write anew with each build.
  func isGenerated(_ source: StarterFile) -> Bool {
    guard ["R.java", "BuildConfig.java"].contains(source.name) else { return false }
    let head = text(source.path, limit: 1 << 10).lowercased()
    return head.contains("auto-generated file") || head.contains("automatically generated file")
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
