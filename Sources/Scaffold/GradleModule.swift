import Documents
import Findings

/// A module of a Gradle build that makes an Android library, recognized by literal words of its script.
struct GradleModule: Sendable {
  let folder: String
  /// The folder of `gradlew` and the settings.
  let build: String
  /// `:sdk`; `:` for the build's own folder.
  let name: String
  /// The path at which `assembleRelease` leaves the AAR.
  let output: String
  /// Whether it is compiled with other modules, whose code is not in its AAR.
  let needsOthers: Bool

  /// The folders with a script that applies the plugin for libraries, and those that apply the one for applications.
  static func search(_ files: [SourceTree.File], _ tree: SourceTree) -> (libraries: [String], applications: [String]) {
    var found = (libraries: [String](), applications: [String]())
    for file in files where isScript(file.name) {
      let script = PlainValues(tree.bytes(file.path))
      let (isLibrary, isApplication) = (applies("library", script), applies("application", script))
      if isApplication {
        found.applications.append(file.folder)
      } else if isLibrary {
        found.libraries.append(file.folder)
      }
    }
    return found
  }

  static func isScript(_ name: String) -> Bool { name == "build.gradle" || name == "build.gradle.kts" }

  /// Recognizes `id 'com.android.library'`, `apply plugin: "com.android.library"`,
  /// `alias(libs.plugins.android.library)`, `id(libs.plugins.androidLibrary.get().pluginId)`.
  private static func applies(_ plugin: String, _ script: PlainValues) -> Bool {
    let others = ["apply false", "classpath", "ultiplatform", "hasPlugin", "withPlugin", "findPlugin"]
    return script.hasLine(with: ["com.android.\(plugin)"], without: others)
      || script.hasLine(with: ["libs.", "ndroid", String(plugin.dropFirst())], without: others)
  }

  /// Gradle's name for a module, and the folder of the wrapper that builds it, or the root if there is none.
  static func name(_ folder: String, in tree: SourceTree) -> (name: String, build: String) {
    let build = ([folder] + PathText.folders(above: folder)).first { tree.isFile(PathText.join($0, "gradlew")) } ?? ""
    let inner = folder.utf8.dropFirst(build.isEmpty ? 0 : build.utf8.count + 1)
    return (":" + (String(inner) ?? "").with(":", for: "/"), build)
  }

  init(_ folder: String, in tree: SourceTree) throws(Unfit) {
    self.folder = folder
    func script(_ folder: String, _ name: String) -> (path: String, values: PlainValues)? {
      ["\(name).gradle", "\(name).gradle.kts"].map { PathText.join(folder, $0) }.first(where: tree.isFile)
        .map { ($0, PlainValues(tree.bytes($0))) }
    }
    (name, build) = GradleModule.name(folder, in: tree)
    let above = build
    guard tree.isFile(PathText.join(above, "gradlew")), let (settingsPath, settings) = script(above, "settings") else {
      throw Unfit(reason: "there is no Gradle wrapper and settings.gradle with which it could be built here")
    }
    let path = String(name.dropFirst())
    guard
      path.isEmpty
        || ["\"", "'"].contains(where: { quote in
          settings.hasLine(with: [quote + path + quote]) || settings.hasLine(with: [quote + ":" + path + quote])
        })
    else { throw Unfit(reason: "\(settingsPath) does not include it as '\(name)'") }
    guard !settings.hasLine(with: ["projectDir"]), !settings.hasLine(with: [").name"]) else {
      throw Unfit(reason: "\(settingsPath) moves modules")
    }
    for (path, values) in [script(folder, "build"), script(above, "build")].compactMap(\.self) {
      guard values.first(["buildDir"]) == nil, values.first(["buildDir", "buildDirectory"], of: .any) == nil,
        !values.hasLine(with: ["buildDirectory.set"])
      else {
        throw Unfit(reason: "\(path) moves the folder of what is built")
      }
      let keys = ["archivesBaseName", "archivesName"]
      let setter = keys.first { key in
        values.first([key]) != nil || values.first([key], of: .any) != nil || values.hasLine(with: ["\(key).set"])
          || values.hasLine(with: ["setProperty", key])
      }
      if let word = setter ?? GradleModule.movers.first(where: { values.hasLine(with: [$0]) }) {
        throw Unfit(reason: "\(path) says with '\(word)' what the AAR is called, or that there are several")
      }
    }
    let stem: String
    if path.isEmpty {
      guard case .text(let text) = settings.first(["name"], of: .named("rootProject"), atTop: true)?.value else {
        throw Unfit(reason: "\(settingsPath) does not say the build's name, after which the AAR is called")
      }
      stem = text
    } else {
      stem = PathText.name(folder)
    }
    output = PathText.join(folder, "build/outputs/aar/\(stem)-release.aar")
    guard !output.utf8.contains(where: "*?[{\\".utf8.contains), PathText.resolved(output) == output else {
      throw Unfit(reason: "a manifest cannot name \(output)")
    }
    needsOthers = script(folder, "build")?.values.hasLine(with: ["project(", ":"]) ?? false
  }

  /// Words of scripts that change the name of the AAR, or make several.
  private static let movers = ["outputFileName", "productFlavors", "flavorDimensions"]

  func step(inputs: [String]) -> YAMLValue {
    let directory = build.isEmpty ? [] : [YAMLValue.Member("directory", .text(build))]
    let task = name == ":" ? ":assembleRelease" : "\(name):assembleRelease"
    return .map(
      [YAMLValue.Member("run", .texts(["./gradlew", task, "--no-daemon"]))] + directory + [
        YAMLValue.Member("inputs", .texts(inputs)), YAMLValue.Member("outputs", .texts([output])),
      ])
  }

  /// Patterns of the build's possible inputs: everything in the folders of its modules except the outputs of builds.
  func inputs(_ files: [SourceTree.File]) -> [String] {
    let inside = files.filter { $0.standing == .own || $0.standing == .dependency }
      .filter { PathText.isBelow($0.path, build) }
    let all = Set(inside.filter { GradleModule.isScript($0.name) }.map(\.folder)).union([build])
    var patterns: Set<String> = []
    for file in inside {
      if all.contains(file.folder) {
        let isPlain = FolderStanding.words(file.ending) == [file.ending] && !file.isFolder
        if ["gradlew", "version", "VERSION"].contains(file.name) {
          patterns.insert(file.path)
        } else if isPlain, !GradleModule.texts.contains(file.ending) {
          patterns.insert(PathText.join(file.folder, "*.\(file.rawEnding)"))
        }
        continue
      }
      // The top folder of the file in its module: `sdk/src`, `sdk/libs`, `gradle`.
      var folder = file.folder
      while !folder.isEmpty, !all.contains(PathText.folder(folder)) { folder = PathText.folder(folder) }
      // Folders beside modules belong to no module, except those with the build's own settings.
      let isBuilds = PathText.folder(folder) == build && build != self.folder
      if !isBuilds || GradleModule.folders.contains(PathText.name(folder)) { patterns.insert("\(folder)/**") }
    }
    return patterns.sorted()
  }

  /// Endings of files for people and other tools, which a build does not read.
  private static let texts: Set<String> = ["md", "bat", "yml", "yaml", "png", "jpg", "gif", "svg", "sh", "rst"]

  /// Folders beside modules that a build reads.
  private static let folders: Set<String> = ["gradle", "buildSrc", "build-logic", "config", "scripts"]
}
