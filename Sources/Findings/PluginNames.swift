/// What the plugins of one run are called, by which their findings are known again.
package enum PluginNames {
  /// One file, or one folder, of a plugin: its path as it was typed, and what a manifest or a record calls the plugin.
  package typealias File = (path: String, name: String?)

  /// A name for each file. Files of one kind that would be one plugin, `a/P.zip` and `b/P.zip`, are told apart by as few of
  /// the folders above them as it takes, and if that does not do by their names with the versions.
  ///
  /// - Parameter resolve: the path from the root, without links: how and from where a path was typed tells nothing apart.
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

  /// What baselines call a plugin: its own name, whoever its neighbours are.
  package static func stable(_ file: File, resolve: (String) -> String) -> String {
    toldApart([file], resolve: resolve)[0]
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

  private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}

/// Numbers plugins of one name where they have one thing in common, so that they are not one to a baseline: `P`, `P 2`.
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
