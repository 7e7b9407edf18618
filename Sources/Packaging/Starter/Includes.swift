import Findings

/// What sources include: where it is found in the tree, and what is not.
struct Includes: Sendable {
  /// Options of clang.
  private(set) var flags: [String] = []
  /// Paths of headers.
  private(set) var found: [String] = []
  /// As they are included.
  private(set) var missing: [String] = []
  private(set) var isFreestanding = false
  private(set) var usesModules = false

  /// Headers that a compiler brings along, for every system.
  private static let compilers: Set<String> = [
    "stdint.h", "stddef.h", "stdbool.h", "stdarg.h", "limits.h", "float.h", "iso646.h", "stdalign.h", "stdnoreturn.h",
    "stdatomic.h", "arm_neon.h",
  ]

  init(of files: [StarterFile], _ survey: TreeSurvey) {
    let headers = survey.files { $0 == .header }.map(\.path)
    // By their last names: a tree has many headers, and each is included often.
    let byName = Dictionary(grouping: headers) { $0.split(separator: "/").last.map(String.init) ?? "" }
    let frameworks = survey.files { $0 == .framework || $0 == .xcframework }
    var folders: Set<String> = []
    var frameworkFolders: Set<String> = []
    var seen: Set<String> = []
    var open = files.map(\.path)
    while let path = open.popLast() {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      for name in survey.sources[path]?.includes ?? [] where seen.insert("\(folder)\n\(name)").inserted {
        if let header = Includes.header(name, from: folder, byName) {
          if seen.insert(header).inserted {
            found.append(header)
            open.append(header)
          }
          let root = String(header.dropLast(name.utf8.count))
          if header != StarterTree.join(folder, name), header.hasSuffix(name) { folders.insert(root) }
        } else if let framework = frameworks.first(where: { Includes.has(name, $0) }) {
          frameworkFolders.formUnion(Includes.folders(of: framework, survey.tree))
        } else if Includes.compilers.contains(name) {
          isFreestanding = true
        } else if !missing.contains(name) {
          missing.append(name)
        }
      }
    }
    missing.sort()
    usesModules = files.contains { survey.tree.text($0.path, limit: 1 << 17).contains("@import ") }
    flags = folders.sorted().map { "-I \(ShellText.quoted(path: $0.isEmpty ? "." : String($0.dropLast())))" }
    flags += frameworkFolders.sorted().map { "-F \(ShellText.quoted(path: $0.isEmpty ? "." : $0))" }
  }

  /// Beside the file that includes it, or anywhere in the tree below a folder that is given to the compiler then.
  private static func header(_ name: String, from folder: String, _ byName: [String: [String]]) -> String? {
    guard let last = name.split(separator: "/").last.map(String.init), let headers = byName[last] else { return nil }
    let beside = StarterTree.join(folder, name)
    if headers.contains(beside) { return beside }
    let plain = name.split(separator: "/").filter { $0 != ".." && $0 != "." }.joined(separator: "/")
    return headers.first { $0 == plain || $0.hasSuffix("/\(plain)") }
  }

  private static func has(_ include: String, _ framework: StarterFile) -> Bool {
    let stem = framework.name.dropLast(framework.ending.count)
    return include.hasPrefix("\(stem)/")
  }

  /// Where clang looks for a framework: the folder that it is in, of an XCFramework the one of devices.
  private static func folders(of framework: StarterFile, _ tree: StarterTree) -> [String] {
    guard framework.kind == .xcframework else { return [framework.folder] }
    let slices = tree.names(framework.path).filter { $0.hasPrefix("ios-") && !$0.contains("simulator") }
    return slices.prefix(1).map { StarterTree.join(framework.path, $0) }
  }
}
