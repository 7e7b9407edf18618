import Archives
import Findings
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
      let place = folder.appending(component)
      guard let name = TreeSurvey.plainName(component), filesLeft > 0, let status = try? FileSystem.status(of: place)
      else { continue }
      filesLeft -= 1
      if status.kind == .folder {
        visit(folder: place, name, prefix + name, depth: depth)
      } else if status.kind == .file {
        visit(file: place, name, prefix + name)
      }
    }
  }

  /// Nil for a name that is hidden, or that a manifest cannot hold as it is: no text, or read as a pattern.
  private static func plainName(_ component: FilePath.Component) -> String? {
    guard let name = String(validating: component.nameBytes, as: UTF8.self), printable(name) == name,
      !name.hasPrefix("."), !name.utf8.contains(where: "\\*?[{".utf8.contains)
    else { return nil }
    return name
  }

  private mutating func visit(folder: FilePath, _ name: String, _ path: String, depth: Int) {
    if name.hasSuffix(".bundle") {
      bundles.append(path)
    } else if name.hasSuffix(".framework") || name.hasSuffix(".xcframework") {
      frameworks.append(path)
    } else if name.hasSuffix(".xcodeproj") {
      xcodeProject = xcodeProject ?? path
    } else if !TreeSurvey.skipped.contains(name), !name.hasSuffix(".xcworkspace"), depth < 8 {
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
      readAppleSource(TreeSurvey.beginning(of: file))
    case "swift": readAppleSource(TreeSurvey.beginning(of: file))
    case "java", "kt": readJava(TreeSurvey.beginning(of: file))
    case "gradle", "kts": readGradle(TreeSurvey.beginning(of: file))
    default: break
    }
  }

  /// Enough of a source file to find a few words in it.
  private static func beginning(of file: FilePath) -> String {
    String(decoding: (try? PositionalFile(file).bytes(at: 0, count: 1 << 20)) ?? [], as: UTF8.self)
  }

  private mutating func readAppleSource(_ text: String) {
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
