/// What stands in the tree and is in no deliverable, each with what to do about it.
struct NotPacked: Sendable {
  private var files: [(path: String, reason: String)] = []
  /// Whole folders, by their paths.
  private var folders: [(path: String, reason: String, count: Int)] = []
  private var folderIndices: [String: Int] = [:]

  mutating func add(_ path: String, _ reason: String) {
    files.append((path, reason))
  }

  /// One more file of a folder that is left out whole.
  mutating func add(folder: String, _ reason: String) {
    if let index = folderIndices[folder] {
      folders[index].count += 1
    } else {
      folderIndices[folder] = folders.count
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
    for (path, reason, count) in other.folders {
      add(folder: path, reason)
      if let index = folderIndices[path] { folders[index].count += count - 1 }
    }
  }

  /// What is named one by one before its files are put together.
  private static let mostPatterns = 12
  /// Of a pattern that has several reasons: more are not named one by one.
  private static let mostNames = 4
  /// In characters: what is longer is read by nobody.
  private static let longestLine = 240

  /// `android/libs/x86/*.so (8), src/*.java (3): add …`: one line for each thing to do.
  var lines: [String] {
    var order: [String] = []
    var patterns: [String: [(name: String, paths: [String])]] = [:]
    var indices: [String: Int] = [:]
    /// How many reasons there are for what a pattern matches.
    var reasonCounts: [String: Int] = [:]
    for (path, reason) in files {
      if patterns[reason] == nil { order.append(reason) }
      let pattern = NotPacked.pattern(path)
      if let index = indices["\(reason)\n\(pattern)"] {
        patterns[reason]?[index].paths.append(path)
      } else {
        reasonCounts[pattern, default: 0] += 1
        indices["\(reason)\n\(pattern)"] = patterns[reason]?.count ?? 0
        patterns[reason, default: []].append((pattern, [path]))
      }
    }
    var lines = order.map { reason in
      let groups = patterns[reason] ?? []
      var texts = groups.map { group in
        let isShared = reasonCounts[group.name] ?? 0 > 1 && group.paths.count <= NotPacked.mostNames
        return isShared ? group.paths.joined(separator: ", ") : NotPacked.text(group)
      }
      let length = texts.reduce(0) { $0 + $1.utf8.count }
      if groups.count > NotPacked.mostPatterns || length > NotPacked.longestLine {
        texts = NotPacked.joined(groups).map(NotPacked.text)
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

  private static func text(_ group: (name: String, paths: [String])) -> String {
    group.paths.count == 1 && !group.name.contains("**") ? group.paths[0] : "\(group.name) (\(group.paths.count))"
  }

  /// By the first folder and the ending; or the name, where all have the same one.
  private static func joined(_ groups: [(name: String, paths: [String])]) -> [(name: String, paths: [String])] {
    var joined: [(name: String, paths: [String])] = []
    var indices: [String: Int] = [:]
    for group in groups {
      let parts = group.name.split(separator: "/")
      let name = parts.count > 1 ? "\(parts[0])/**/\(parts.last ?? "")" : group.name
      if let index = indices[name] {
        joined[index].paths += group.paths
      } else {
        indices[name] = joined.count
        joined.append((name, group.paths))
      }
    }
    return joined.map { group in
      let names = Set(group.paths.map(StarterTree.name(of:)))
      guard group.paths.count > 1, names.count == 1, let name = names.first else { return group }
      return (StarterTree.join(StarterTree.folder(of: group.name), name), group.paths)
    }
  }
}
