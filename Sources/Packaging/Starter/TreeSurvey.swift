import Artifacts
import Documents
import ObjectFiles
package import Store
package import SystemPackage

/// What stands in a folder that might be a plugin: found by names and by a few words in source files, never by running
/// anything. Paths are relative to the folder, in the order of their bytes. What cannot be looked at is passed over: a
/// first manifest is better than none.
package struct TreeSurvey: Sendable {
  package private(set) var name: String
  package private(set) var version: String?
  package private(set) var xcodeProject: String?
  package private(set) var usesGradle = false
  package private(set) var libraries: [String] = []
  package private(set) var frameworks: [String] = []
  package private(set) var bundles: [String] = []
  /// Folders of Objective-C, C++ and C sources.
  package private(set) var sourceFolders: [String] = []
  package private(set) var headerFolders: [String] = []
  /// The class that the host makes first, if a source file shows it.
  package private(set) var viewController: String?
  package private(set) var fragment: String?
  private(set) var android = AndroidSearch.Outcome.nothing

  let tree: StarterTree
  private var modules: [GradleModule] = []
  private var manifests: [AndroidManifestFile] = []
  /// Where they are, and the names of their classes.
  private var fragments: [(path: String, name: String)] = []
  private var filesLeft = 20_000

  /// What tools write, and what is not the plugin's own.
  private static let skipped: Set<String> = [
    "build", "dist", "DerivedData", "Pods", "Carthage", "node_modules", "out", "bin",
  ]

  package init(_ root: FilePath) throws(FileError) {
    tree = StarterTree(root: root)
    name = TreeSurvey.identifier(root.lexicallyNormalized().lastComponent?.string ?? "Plugin")
    try walk(root, "", depth: 0)
    findAndroid()
    if let project = xcodeProject?.split(separator: "/").last?.dropLast(".xcodeproj".count) {
      name = TreeSurvey.identifier(String(project))
    }
  }

  private mutating func walk(_ folder: FilePath, _ prefix: String, depth: Int) throws(FileError) {
    for component in try FileSystem.list(folder) {
      let place = folder.appending(component)
      guard let name = StarterTree.plainName(component), filesLeft > 0, let status = try? FileSystem.status(of: place)
      else { continue }
      filesLeft -= 1
      if status.kind == .folder {
        visit(folder: place, name, prefix + name, depth: depth)
      } else if status.kind == .file {
        visit(file: place, name, prefix + name)
      }
    }
  }

  private mutating func visit(folder: FilePath, _ name: String, _ path: String, depth: Int) {
    if name.hasSuffix(".bundle") {
      bundles.append(path)
    } else if name.hasSuffix(".framework") || name.hasSuffix(".xcframework") {
      frameworks.append(path)
    } else if name.hasSuffix(".xcodeproj") {
      xcodeProject = xcodeProject ?? path
    } else if !TreeSurvey.skipped.contains(name), !name.hasSuffix(".xcworkspace"), depth < 16 {
      try? walk(folder, path + "/", depth: depth + 1)
    }
  }

  private mutating func visit(file: FilePath, _ name: String, _ path: String) {
    let folder = String(path.dropLast(name.count + 1))
    switch name.split(separator: ".").last {
    case "a": libraries.append(path)
    case "h": if headerFolders.last != folder { headerFolders.append(folder) }
    case "m", "mm", "c":
      if sourceFolders.last != folder { sourceFolders.append(folder) }
      readAppleSource(tree.text(path))
    case "swift": readAppleSource(tree.text(path))
    case "java", "kt": readJava(tree.text(path, limit: 1 << 17), path)
    case "gradle", "kts":
      readGradle(tree.text(path))
      if name.hasPrefix("build.") { modules.append(GradleModule(tree.text(path), folder: folder)) }
    case "xml" where name == "AndroidManifest.xml":
      manifests.append(AndroidManifestFile(path, tree.bytes(path)))
    default: break
    }
  }

  private mutating func readAppleSource(_ text: String) {
    guard viewController == nil, text.contains("initWithJSON:") || text.contains("npiWithJSON:") else { return }
    viewController = text.firstMatch(of: #/@implementation\s+(\w+)/#).map { String($0.1) }
  }

  private mutating func readJava(_ text: String, _ path: String) {
    guard !path.contains(#/(?i)(?:^|\/)\w*tests?\//#),
      let name = text.firstMatch(of: #/(abstract\s+)?class\s+(\w+)[^{]{0,200}?(?:extends|:)\s*[\w.]*Fragment\b/#),
      name.1 == nil,
      let package = text.firstMatch(of: #/package\s+([\w.]+)/#)
    else { return }
    fragments.append((path, "\(package.1).\(name.2)"))
  }

  private mutating func readGradle(_ text: String) {
    usesGradle = true
    // What is computed, or cannot be part of a file's name, is the user's to write.
    if let version = text.firstMatch(of: #/versionName\s*=?\s*["'](\d[\w.+-]*)["']/#) {
      self.version = String(version.1)
    }
    if let name = text.firstMatch(of: #/rootProject\.name\s*=\s*["']([^"']+)["']/#) {
      self.name = TreeSurvey.identifier(String(name.1))
    }
  }

  /// Letters, digits, `.`, `-` and `_`; what else stands in the name is left out.
  private static func identifier(_ text: String) -> String {
    let kept = text.filter { $0.isLetter || $0.isNumber || "._-".contains($0) }
    let name = String(kept.drop { $0 == "." || $0 == "-" })
    return name.isEmpty ? "Plugin" : name
  }
}

// The Android half of the tree.
extension TreeSurvey {
  private mutating func findAndroid() {
    android = AndroidSearch(tree: tree, modules: modules, manifests: manifests, fragments: fragments.map(\.path)).find()
    guard case .library(let library, _) = android else {
      fragment = fragments.first?.name
      return
    }
    let prefix = library.base.isEmpty ? "" : library.base + "/"
    // What only an application has is not in the AAR.
    let apps = modules.filter { $0.kind == .application && !$0.folder.isEmpty }.map { $0.folder + "/" }
    fragment =
      (fragments.first { $0.path.hasPrefix(prefix) }
      ?? fragments.first { fragment in !apps.contains { fragment.path.hasPrefix($0) } })?.name
    let isOfApp = modules.contains { $0.kind == .application && $0.version == version }
    version = library.module?.version ?? library.manifest.version ?? (isOfApp ? nil : version)
    // Native code of Android's, and what lies in its modules, is no part of the iOS library.
    let folders = modules.filter { $0.kind != .other }.map(\.folder) + [library.base, library.folder]
    func isAndroids(_ path: String) -> Bool {
      let parts = path.split(separator: "/")
      return folders.contains { !$0.isEmpty && (path + "/").hasPrefix($0 + "/") }
        || parts.contains { $0 == "jni" || $0 == "jniLibs" || AndroidABI(rawValue: String($0))?.isOnlyAndroids == true }
        || parts.starts(with: ["src", "main"])
    }
    for list in [\TreeSurvey.libraries, \.frameworks, \.bundles, \.sourceFolders, \.headerFolders] {
      self[keyPath: list].removeAll(where: isAndroids)
    }
  }
}

extension AndroidABI {
  /// Apple has an architecture of that one name, too.
  fileprivate var isOnlyAndroids: Bool { self != .x86_64 }
}

extension AndroidLibrary.Manifest {
  /// Of the manifest itself; what cannot be part of a file's name is the user's to write.
  fileprivate var version: String? {
    guard case .found(let file) = self,
      let text = file.manifest?.root["versionName", namespace: AndroidManifest.android]
    else { return nil }
    return text.contains(#/^\d[\w.+\-]*$/#) ? text : nil
  }
}
