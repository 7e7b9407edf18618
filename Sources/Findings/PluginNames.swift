/// Names of the plugins of one run, which are part of their findings' identities.
package enum PluginNames {
  /// One file or folder of a plugin: its path as it was typed, and the plugin's name in a manifest or a record.
  package typealias File = (path: String, name: String?)

  /// A name for each file. Files of one kind that would be one plugin, `a/P.zip` and `b/P.zip`, are told apart by as
  /// few of the folders above them as possible, or else by their file names with versions.
  ///
  /// - Parameter resolve: returns the absolute path without links, so that different spellings of a path are one.
  package static func toldApart(_ files: [File], resolve: (String) -> String) -> [String] {
    var names = files.map { path, name in
      let isSomewhere = ["", ".", ".."].contains(parts(path).last ?? "")
      return name ?? StableName.plugin(isSomewhere ? resolve(path) : path)
    }
    let groups = Dictionary(grouping: files.indices) {
      [names[$0], StableName.unversioned(parts(files[$0].path).last ?? "")]
    }
    for group in groups.values where group.count > 1 {
      for (index, name) in zip(group, toldApart(names[group[0]], group.map { resolve(files[$0].path) })) {
        names[index] = name
      }
    }
    return names
  }

  /// The name of a plugin in baselines, which does not depend on other plugins.
  package static func stable(_ file: File, resolve: (String) -> String) -> String {
    toldApart([file], resolve: resolve)[0]
  }

  /// A short text for each path: its last part, and for paths that have that in common as few of the folders above as
  /// tell them apart, `share/…/libQQ.a`.
  package static func labels(_ paths: some Sequence<String>) -> [String: String] {
    var labels: [String: String] = [:]
    var left = Set(paths).map { (path: $0, parts: parts($0)) }
    for depth in 1...maxFolders where !left.isEmpty {
      let ends = Dictionary(grouping: left) { $0.parts.suffix(depth) }
      for (end, same) in ends where same.count == 1 {
        let isCut = end.count > 2
        labels[same[0].path] = (isCut ? [end[end.startIndex], "…", end[end.endIndex - 1]] : Array(end)).joined(
          separator: "/")
      }
      left = left.filter { labels[$0.path] == nil }
    }
    for (path, _) in left { labels[path] = path }
    return labels
  }

  private static let maxFolders = 16

  private static func toldApart(_ name: String, _ paths: [String]) -> [String] {
    let all = paths.map { parts($0) }
    let count = Set(paths).count
    for isWhole in [false, true] {
      for depth in 0...min(maxFolders, all.map(\.count).max() ?? 0) {
        let names = all.map { parts in
          let folders = parts.dropLast().filter { !StableName.foldersOfBuilds.contains($0) }.suffix(depth)
          let last = isWhole ? parts.last ?? name : name
          return (folders.map { isWhole ? $0 : StableName.place($0) } + [last]).joined(separator: "/")
        }
        if Set(names).count == count { return names }
      }
    }
    return paths
  }

  private static func parts(_ path: String) -> [String] { path.pathParts.map(String.init) }
}

/// Numbers plugins with the same name that have one thing in common, so that a baseline tells them apart: `P`, `P 2`.
package struct Namesakes<Thing: Hashable & Sendable, Plugin: Equatable & Sendable>: Sendable {
  private var plugins: [Thing: [Plugin]] = [:]

  package init() {}

  package mutating func name(_ name: String, of plugin: Plugin, in thing: Thing) -> String {
    let known = plugins[thing, default: []]
    let number = known.firstIndex(of: plugin) ?? known.count
    if number == known.count { plugins[thing, default: []].append(plugin) }
    return number == 0 ? name : "\(name) \(number + 1)"
  }
}
