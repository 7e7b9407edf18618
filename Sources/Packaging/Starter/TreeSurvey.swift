import Android
import Artifacts
import Documents
import ObjectFiles
import Store
import SystemPackage

/// What in a folder might be a plugin: found by names and a few words in sources, never by running anything. Paths are
/// relative to it, by their bytes. What cannot be read is passed over: a first manifest is better than none.
struct TreeSurvey: Sendable {
  private(set) var name: String
  private(set) var version: String?
  private(set) var xcodeProject: String?
  private(set) var usesGradle = false
  private(set) var libraries: [String] = []
  private(set) var frameworks: [String] = []
  private(set) var bundles: [String] = []
  /// Folders of Objective-C, C++ and C sources.
  private(set) var sourceFolders: [String] = []
  private(set) var headerFolders: [String] = []
  /// The class that the host makes first, if a source file shows it.
  private(set) var viewController: String?
  private(set) var fragment: String?
  private(set) var android = AndroidSearch.Outcome.nothing

  let tree: StarterTree
  private var modules: [GradleModule] = []
  private var manifests: [AndroidManifestFile] = []
  /// Where they are, and the names of their classes.
  private var fragments: [(path: String, name: String)] = []
  private var filesLeft = StarterTree.mostFiles
  private static let deepest = 16

  /// What tools write, and what is not the plugin's own.
  private static let skipped: Set<String> = [
    "build", "dist", "DerivedData", "Pods", "Carthage", "node_modules", "out", "bin",
  ]

  init(_ root: FilePath) throws(FileError) {
    tree = StarterTree(root: root)
    name = TreeSurvey.identifier(root.lexicallyNormalized().lastComponent?.string ?? "Plugin")
    _ = try FileSystem.list(root)
    walk("", depth: 0)
    findAndroid()
    if let project = xcodeProject?.split(separator: "/").last?.dropLast(".xcodeproj".count) {
      name = TreeSurvey.identifier(String(project))
    }
  }

  private mutating func walk(_ folder: String, depth: Int) {
    for name in tree.names(folder) where filesLeft > 0 {
      filesLeft -= 1
      let path = StarterTree.join(folder, name)
      switch tree.kind(path) {
      case .folder?: visit(folder: name, path, depth: depth)
      case .file?: visit(file: name, path)
      default: break
      }
    }
  }

  private mutating func visit(folder name: String, _ path: String, depth: Int) {
    if name.hasSuffix(".bundle") {
      bundles.append(path)
    } else if name.hasSuffix(".framework") || name.hasSuffix(".xcframework") {
      frameworks.append(path)
    } else if name.hasSuffix(".xcodeproj") {
      xcodeProject = xcodeProject ?? path
    } else if !TreeSurvey.skipped.contains(name), !name.hasSuffix(".xcworkspace"), depth < TreeSurvey.deepest {
      walk(path, depth: depth + 1)
    }
  }

  private mutating func visit(file name: String, _ path: String) {
    let folder = String(path.dropLast(name.count + 1))
    switch name.split(separator: ".").last {
    case "a": libraries.append(path)
    case "h": if headerFolders.last != folder { headerFolders.append(folder) }
    case "m", "mm", "c":
      if sourceFolders.last != folder { sourceFolders.append(folder) }
      readAppleSource(tree.text(path))
    case "swift": readAppleSource(tree.text(path))
    case "java", "kt": readJava(tree.text(path, limit: TreeSurvey.javaHead), path)
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

  /// In bytes: a class is declared behind imports and comments, and patterns are slow on what is generated.
  private static let javaHead = 1 << 17

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
    version = GradleModule.version(text) ?? version
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
    version = library.module?.version ?? library.manifestVersion ?? (isOfApp ? nil : version)
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

extension AndroidLibrary {
  /// Of the manifest itself; what cannot be part of a file's name is the user's to write.
  fileprivate var manifestVersion: String? {
    let text = manifest?.content?.root["versionName", namespace: AndroidManifest.android]
    return text?.contains(#/^\d[\w.+\-]*$/#) == true ? text : nil
  }
}
