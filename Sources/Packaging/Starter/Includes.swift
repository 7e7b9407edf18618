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
    var headers = HeaderSearch(survey.files { $0 == .header }.map(\.path))
    let frameworks = survey.files { $0 == .framework || $0 == .xcframework }
    var folders: Set<String> = []
    var frameworkFolders: Set<String> = []
    var (seen, unknown) = (Set<String>(), Set<String>())
    var open = files.map(\.path)
    while let path = open.popLast() {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      for name in survey.sources[path]?.includes ?? [] where seen.insert("\(folder)\n\(name)").inserted {
        if let header = headers.find(name, from: folder) {
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
        } else {
          unknown.insert(name)
        }
      }
    }
    missing = unknown.sorted()
    usesModules = files.contains { survey.tree.text($0.path, limit: 1 << 17).contains("@import ") }
    flags = folders.sorted().map { "-I \(ShellText.quoted(path: $0.isEmpty ? "." : String($0.dropLast())))" }
    flags += frameworkFolders.sorted().map { "-F \(ShellText.quoted(path: $0.isEmpty ? "." : $0))" }
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

/// Headers by their last names: a tree has many, and each is included often.
private struct HeaderSearch {
  private let all: Set<String>
  private let byName: [String: [String]]
  /// What was found of a name away from the files that include it.
  private var known: [String: String?] = [:]

  init(_ headers: [String]) {
    all = Set(headers)
    byName = Dictionary(grouping: headers, by: StarterTree.name(of:))
  }

  /// Beside the file that includes it, or anywhere in the tree below a folder that is given to the compiler then.
  mutating func find(_ name: String, from folder: String) -> String? {
    let beside = StarterTree.join(folder, name)
    if all.contains(beside) { return beside }
    if let found = known[name] { return found }
    let plain = name.split(separator: "/").filter { $0 != ".." && $0 != "." }.joined(separator: "/")
    let ending = "/" + plain
    let found = (byName[StarterTree.name(of: plain)] ?? []).first { $0 == plain || $0.hasSuffix(ending) }
    known[name] = .some(found)
    return found
  }
}
