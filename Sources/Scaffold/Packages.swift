import Findings

/// The packages that a tree holds, each a folder with the descriptions in it, and which of them owns a file.
struct Packages: Sendable {
  /// The descriptions in each package's folder. Those of a half for one system (`ios/X.podspec`) belong to the package.
  private(set) var folders: [String: [PackageDescription]] = [:]

  /// Folders that hold the half of a package for one system.
  private static let halves: Set<String> = ["ios", "android", "darwin", "macos", "apple", "iphone", "platforms", "src"]

  /// No repository of plugins has more descriptions.
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

  /// The innermost package that a path lies in; nil if it lies in none.
  func owner(of path: String) -> String? {
    var folder = path
    while true {
      if folders[folder] != nil { return folder }
      if folder.isEmpty { return nil }
      folder = PathText.folder(folder)
    }
  }

  /// What describes the root; what stands in its own folder first, then in the order in which kinds count.
  var root: [PackageDescription] { folders[""] ?? [] }

  /// Whether the host's own tools compile the root package's sources.
  var isBuiltByHost: Bool { root.contains { $0.kind.isBuiltByHost } }

  /// Takes the code of one package: that of the root. Throws if the tree's code belongs to others.
  func check(_ code: [SourceTree.File], _ answers: Answers) throws(Refusal) {
    if answers.taken.contains(".") { return }
    let owners = Set(code.map { owner(of: $0.path) ?? "" })
    // A plugin of Cordova's may be all description: it names what the app's build fetches.
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
