/// What stands in the tree and is in no deliverable, each with what to do about it.
struct NotPacked: Sendable {
  private var files: [(path: String, reason: String)] = []
  /// Whole folders, by their paths.
  private var folders: [(path: String, reason: String, count: Int)] = []

  mutating func add(_ path: String, _ reason: String) {
    files.append((path, reason))
  }

  /// One more file of a folder that is left out whole.
  mutating func add(folder: String, _ reason: String) {
    if let index = folders.firstIndex(where: { $0.path == folder }) {
      folders[index].count += 1
    } else {
      folders.append((folder, reason, 1))
    }
  }

  /// What another has; not what lies in one of these folders.
  mutating func add(_ other: NotPacked, outsideOf named: Set<String>) {
    files += other.files.filter { file in
      var parts = file.path.split(separator: "/")
      while parts.popLast() != nil, !parts.isEmpty { if named.contains(parts.joined(separator: "/")) { return false } }
      return true
    }
    folders += other.folders
  }

  /// What is named one by one before its files are put together.
  private static let mostPatterns = 12

  /// `android/libs/x86/*.so (8), src/*.java (3): add …`: one line for each thing to do.
  var lines: [String] {
    var order: [String] = []
    var patterns: [String: [(name: String, paths: [String])]] = [:]
    var indices: [String: Int] = [:]
    for (path, reason) in files {
      if patterns[reason] == nil { order.append(reason) }
      let pattern = NotPacked.pattern(path)
      if let index = indices["\(reason)\n\(pattern)"] {
        patterns[reason]?[index].paths.append(path)
      } else {
        indices["\(reason)\n\(pattern)"] = patterns[reason]?.count ?? 0
        patterns[reason, default: []].append((pattern, [path]))
      }
    }
    var lines = order.map { reason in
      var groups = patterns[reason] ?? []
      if groups.count > NotPacked.mostPatterns { groups = NotPacked.joined(groups) }
      let texts = groups.map { group in
        group.paths.count == 1 && !group.name.contains("**") ? group.paths[0] : "\(group.name) (\(group.paths.count))"
      }
      return "\(texts.joined(separator: ", ")): \(reason)"
    }
    var reasons: [String] = []
    for folder in folders where !reasons.contains(folder.reason) { reasons.append(folder.reason) }
    lines += reasons.map { reason in
      let texts = folders.filter { $0.reason == reason }.map { "\($0.path)/ (\($0.count))" }
      return "\(texts.joined(separator: ", ")): \(reason)"
    }
    return lines
  }

  private static func pattern(_ path: String) -> String {
    let parts = path.split(separator: "/")
    let name = parts.last.map(String.init) ?? path
    let ending = name.lastIndex(of: ".").map { String(name[$0...]) } ?? name
    return (parts.dropLast().map(String.init) + ["*\(ending)"]).joined(separator: "/")
  }

  /// By the first folder and the ending.
  private static func joined(_ groups: [(name: String, paths: [String])]) -> [(name: String, paths: [String])] {
    var joined: [(name: String, paths: [String])] = []
    for group in groups {
      let parts = group.name.split(separator: "/")
      let name = parts.count > 1 ? "\(parts[0])/**/\(parts.last ?? "")" : group.name
      if let index = joined.firstIndex(where: { $0.name == name }) {
        joined[index].paths += group.paths
      } else {
        joined.append((name, group.paths))
      }
    }
    return joined
  }
}
