package import Store
package import SystemPackage

/// What stands in a folder that might be a plugin: found by names and by a few words in source files, never by running
/// anything. Paths are relative to the folder, in the order of their bytes.
package struct TreeSurvey: Sendable {
  package private(set) var name: String
  package private(set) var version: String?
  package private(set) var xcodeProject: String?
  package private(set) var usesGradle = false
  package private(set) var libraries: [String] = []
  package private(set) var frameworks: [String] = []
  package private(set) var bundles: [String] = []
  /// Folders of Objective-C and C sources and how many there are.
  package private(set) var sourceFolders: [String] = []
  /// The class that the host makes first, if a source file shows it.
  package private(set) var viewController: String?
  package private(set) var fragment: String?

  private var filesLeft = 20_000

  /// What tools write, and what is not the plugin's own.
  private static let skipped: Set<String> = [
    "build", "dist", "DerivedData", "Pods", "Carthage", "node_modules", "out", "bin",
  ]

  package init(_ root: FilePath) throws(FileError) {
    name = TreeSurvey.identifier(root.lexicallyNormalized().lastComponent?.string ?? "Plugin")
    try walk(root, "", depth: 0)
    if let project = xcodeProject?.split(separator: "/").last?.dropLast(".xcodeproj".count) {
      name = TreeSurvey.identifier(String(project))
    }
  }

  private mutating func walk(_ folder: FilePath, _ prefix: String, depth: Int) throws(FileError) {
    for component in try FileSystem.list(folder) {
      let name = component.string
      let path = prefix + name
      guard !name.hasPrefix("."), filesLeft > 0, let status = try FileSystem.status(of: folder.appending(component))
      else { continue }
      filesLeft -= 1
      if status.kind == .folder {
        try visit(folder: folder.appending(component), name, path, depth: depth)
      } else if status.kind == .file {
        try visit(file: folder.appending(component), name, path)
      }
    }
  }

  private mutating func visit(folder: FilePath, _ name: String, _ path: String, depth: Int) throws(FileError) {
    if name.hasSuffix(".bundle") {
      bundles.append(path)
    } else if name.hasSuffix(".framework") || name.hasSuffix(".xcframework") {
      frameworks.append(path)
    } else if name.hasSuffix(".xcodeproj") {
      xcodeProject = xcodeProject ?? path
    } else if !TreeSurvey.skipped.contains(name), !name.hasSuffix(".xcworkspace"), depth < 8 {
      try walk(folder, path + "/", depth: depth + 1)
    }
  }

  private mutating func visit(file: FilePath, _ name: String, _ path: String) throws(FileError) {
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    switch ending {
    case "a": libraries.append(path)
    case "m", "mm", "c", "swift", "java", "kt":
      let text = try String(decoding: FileSystem.read(file, limit: 16 << 20).prefix(1 << 20), as: UTF8.self)
      if ["java", "kt"].contains(ending) { readJava(text) } else { readAppleSource(text, path) }
    case "gradle", "kts":
      let text = try String(decoding: FileSystem.read(file, limit: 16 << 20).prefix(1 << 20), as: UTF8.self)
      readGradle(text)
    default: break
    }
  }

  private mutating func readAppleSource(_ text: String, _ path: String) {
    let folder = path.split(separator: "/").dropLast().joined(separator: "/")
    if !path.hasSuffix(".swift"), !sourceFolders.contains(folder) { sourceFolders.append(folder) }
    guard viewController == nil, text.contains("initWithJSON:") || text.contains("npiWithJSON:") else { return }
    viewController = text.firstMatch(of: #/@implementation\s+(\w+)/#).map { String($0.1) }
  }

  private mutating func readJava(_ text: String) {
    guard fragment == nil, let name = text.firstMatch(of: #/class\s+(\w+)[^{]*?(?:extends|:)\s*\w*Fragment\b/#),
      let package = text.firstMatch(of: #/package\s+([\w.]+)/#)
    else { return }
    fragment = "\(package.1).\(name.1)"
  }

  private mutating func readGradle(_ text: String) {
    usesGradle = true
    if let version = text.firstMatch(of: #/versionName\s*=?\s*["']([^"']+)["']/#) { self.version = String(version.1) }
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
