import Findings

/// What a description file of the tree says of the plugin. Paths are relative to the tree, and something is there.
struct ProjectDescription: Sendable {
  /// The first ones say more of the plugin than the last ones, where several lie in one folder.
  enum Kind: Int, Sendable {
    case cordova, titanium, air, podspec, pubspec, swiftPackage, gradle, npm, godot, framework
  }

  let kind: Kind
  /// Of the file.
  let path: String
  /// As they can stand in a manifest: nothing that is computed, and valid in a file's name.
  var name: String?
  var version: String?
  /// `12.0`
  var minimumIOS: String?
  /// An API level: `21`.
  var minimumAndroidSDK: String?
  /// System frameworks and libraries that the app must link: `UIKit`, `libz`.
  var frameworks: [String] = []
  /// Binaries: .a .framework .xcframework .so .jar .aar
  var libraries: [String] = []
  /// For iOS.
  var sources: [String] = []
  var headers: [String] = []
  var resources: [String] = []
  /// Where some resources go in a bundle: `Rally.bundle` by the path, or a folder in it.
  var bundles: [String: String] = [:]
  var settings = CompileSettings()
  /// It says which files are its code, and these are headers only: sources elsewhere are another's.
  var hasHeadersOnly = false
  /// Names of pods that this one does not work without.
  var needs: [String] = []
  /// Binaries that are elsewhere, and where.
  var remote: [(name: String, url: String)] = []
  /// For Android: Java and Kotlin, and files of `res`.
  var androidSources: [String] = []
  var androidResources: [String] = []
  /// Where the description puts some of these: `values/scan.xml`.
  var androidTargets: [String: String] = [:]
  var manifestAdditions: [ManifestAddition] = []
  /// Scripts that are applied to the app's own Gradle build, and make no module.
  var appliedScripts: [String] = []

  init(_ kind: Kind, _ path: String) {
    self.kind = kind
    self.path = path
  }

  var folder: String { StarterTree.folder(of: path) }

  /// Whether there is anything in it that a manifest could use.
  var isEmpty: Bool {
    let lists = [frameworks, libraries, sources, headers, resources, androidSources, androidResources]
    let texts = [name, version, minimumIOS, minimumAndroidSDK]
    return remote.isEmpty && lists.allSatisfy(\.isEmpty) && texts.allSatisfy { $0 == nil }
  }

  /// Each path once, where it is first.
  mutating func removeRepetitions() {
    let lists = [
      \ProjectDescription.libraries, \.sources, \.headers, \.resources, \.androidSources, \.androidResources,
    ]
    for list in lists {
      var seen: Set<String> = []
      self[keyPath: list].removeAll { !seen.insert($0).inserted }
    }
  }

  /// What another description has for iOS: who needs it ships it along.
  mutating func take(_ other: ProjectDescription) {
    for name in other.frameworks { addFramework(name) }
    libraries += other.libraries
    sources += other.sources
    hasHeadersOnly = hasHeadersOnly && sources.isEmpty
    headers += other.headers
    resources += other.resources
    bundles.merge(other.bundles) { own, _ in own }
    settings.add(other.settings, from: other.path)
  }

  mutating func setName(_ text: String?) { name = name ?? text.flatMap(ProjectDescription.usableName) }
  mutating func setVersion(_ text: String?) { version = version ?? text.flatMap(ProjectDescription.usableVersion) }

  mutating func setMinimumIOS(_ text: String?) {
    minimumIOS = minimumIOS ?? text.flatMap { ProjectDescription.isVersionNumber($0) ? $0 : nil }
  }

  mutating func setMinimumAndroidSDK(_ text: String?) {
    let number = text.flatMap { Int($0) }.flatMap { (1...999).contains($0) ? $0 : nil }
    minimumAndroidSDK = minimumAndroidSDK ?? number.map(String.init)
  }

  /// `Social.framework`, `UIKit`, `libz.tbd`, `sqlite3.dylib`
  mutating func addFramework(_ text: String, isLibrary: Bool = false) {
    let endings = [".framework", ".tbd", ".dylib"]
    let ending = endings.first { text.utf8.count > $0.utf8.count && text.hasSuffix($0) }
    var name = String(text.dropLast(ending?.count ?? 0))
    let isLibrary = isLibrary || ending.map { $0 != ".framework" } ?? false
    if isLibrary, !name.hasPrefix("lib") { name = "lib" + name }
    guard ProjectDescription.usableName(name) == name, frameworks.count < ProjectDescription.mostFrameworks,
      !frameworks.contains(name)
    else { return }
    frameworks.append(name)
  }

  mutating func addRemote(_ name: String, _ url: String) {
    guard ProjectDescription.usableName(name) == name, url.hasPrefix("https://") || url.hasPrefix("http://"),
      url.utf8.count <= ProjectDescription.longestURL, printable(url) == url, !url.contains(" "),
      remote.count < ProjectDescription.mostFrameworks
    else { return }
    remote.append((name, url))
  }

  // MARK: - What can stand in a manifest

  private static let longest = 100
  private static let longestURL = 500
  private static let mostFrameworks = 500

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "._-+".utf8.contains(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// A package's scope is left out, `@acme/scan`, and spaces are written as dashes.
  static func usableName(_ text: String) -> String? {
    let local = text.hasPrefix("@") ? text.split(separator: "/").dropFirst().joined(separator: "/") : text
    let name = String(local.trimmed.map { $0 == " " ? "-" : $0 })
    guard let first = name.utf8.first, name.utf8.count <= longest, name.utf8.allSatisfy(isPlain),
      !"._-+".utf8.contains(first)
    else { return nil }
    return name
  }

  static func usableVersion(_ text: String) -> String? {
    let version = text.trimmed
    guard let first = version.utf8.first, isDigit(first), version.utf8.count <= longest,
      version.utf8.allSatisfy(isPlain)
    else { return nil }
    return String(version)
  }

  private static func isVersionNumber(_ text: String) -> Bool {
    text.utf8.count <= 12 && text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
      && text.utf8.first.map(isDigit) ?? false && text.utf8.last.map(isDigit) ?? false
  }
}
