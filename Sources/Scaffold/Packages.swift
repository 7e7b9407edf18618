import Findings

/// The packages of a tree, each a folder with its descriptions, and the owner of each file among them.
struct Packages: Sendable {
  /// The descriptions in each package's folder. Those of the part for one system (`ios/X.podspec`) belong to the
  /// package.
  private(set) var folders: [String: [PackageDescription]] = [:]

  /// Folders that hold the part of a package for one system.
  private static let halves: Set<String> = ["ios", "android", "darwin", "macos", "apple", "iphone", "platforms", "src"]

  /// More than any repository of plugins has.
  static let most = 512

  init(in tree: SourceTree) throws(Refusal) {
    var descriptions: [PackageDescription] = []
    for file in tree.described {
      if let description = PackageDescription(file, in: tree) { descriptions.append(description) }
      guard descriptions.count <= Packages.most else {
        throw Refusal(
          "more than \(Packages.most) packages are described in this tree",
          hint: "name a folder: npi-pack init -C packages/camera")
      }
    }
    let sorted = descriptions.sorted { (depth($0.folder), $0.path) < (depth($1.folder), $1.path) }
    func depth(_ folder: String) -> Int { folder.isEmpty ? 0 : PathText.names(folder).count }
    for description in sorted {
      folders[home(of: description), default: []].append(description)
    }
  }

  /// The folder of the package that a description belongs to.
  private func home(of description: PackageDescription) -> String {
    let folder = description.folder
    guard folders[folder] == nil, let outer = owner(of: folder) else { return folder }
    let inside = PathText.names(folder).dropFirst(PathText.names(outer).count)
    let isHalf = inside.first.map { Packages.halves.contains($0.lowercased()) } ?? false
    let names = folders[outer]?.compactMap(\.name?.text) ?? []
    return isHalf || description.name.map { names.contains($0.text) } == true ? outer : folder
  }

  /// The innermost package that contains a path; nil if there is none.
  func owner(of path: String) -> String? {
    var folder = path
    while true {
      if folders[folder] != nil { return folder }
      if folder.isEmpty { return nil }
      folder = PathText.folder(folder)
    }
  }

  /// The descriptions of the root package: those in its own folder first, then by the priority of their kinds.
  var root: [PackageDescription] { folders[""] ?? [] }

  var isBuiltByHost: Bool { root.contains { $0.kind.isBuiltByHost } }

  /// Throws unless the tree's code belongs to one package, that of the root.
  func check(_ code: [SourceTree.File], _ answers: Answers) throws(Refusal) {
    if answers.taken.contains(".") { return }
    let owners = Set(code.map { owner(of: $0.path) ?? "" })
    // A Cordova plugin may have no code of its own, and only name what the app's build fetches.
    let plugins = folders.filter { $0.value.contains { $0.kind == .cordova } }.map(\.key)
    let others = owners.union(plugins).subtracting([""]).sorted()
    guard !others.isEmpty else { return }
    let candidates = (owners.contains("") ? ["."] : []) + others
    let question =
      others.count == 1 && candidates.count == 1
      ? "the plugin's code is in \(printable(others[0])), and not in this folder"
      : "several plugins are in this tree: \(candidates.count) folders have a description and code of their own"
    throw answers.refusal(question, candidates) { folder in
      folder == "." ? answers.command(take: folder) : answers.command(in: folder)
    }
  }
}
