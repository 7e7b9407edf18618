/// Which of a tree's Xcode projects makes the plugin's library: of the plugin's own the one that descriptions are about, else the
/// highest.
struct ProjectChoice: Sendable {
  private(set) var taken: XcodeProject?
  /// What makes applications of the plugin's own tree.
  private(set) var applications: [XcodeProject] = []
  /// Folders of the others, with what belongs to them alone, and why that is not the plugin's.
  let otherFolders: [(path: String, reason: String)]
  private var refused: [(path: String, reason: String)] = []
  /// What descriptions name one by one, or by a pattern of their own.
  private let described: Set<String>

  /// More are not looked into.
  private static let most = 16

  init(
    _ found: [(path: String, standing: FolderStanding)], _ tree: StarterTree, _ descriptions: [ProjectDescription],
    isAndroids: (String) -> Bool
  ) {
    let sorted = found.filter { $0.standing < .documentation }.sorted { one, other in
      (one.standing.rawValue, one.path.split(separator: "/").count, one.path)
        < (other.standing.rawValue, other.path.split(separator: "/").count, other.path)
    }
    // Titanium takes whole folders, whatever is in them.
    described = Set(descriptions.filter { $0.kind != .titanium }.flatMap { $0.sources + $0.headers + $0.resources })
    let plugin = descriptions.filter { $0.kind != .gradle }.compactMap(\.name).prefix(1)
    var candidates: [XcodeProject] = []
    for (path, standing) in sorted {
      if standing != .own {
        refused.append((path, standing.reason))
      } else if case .other(let system) = PathSystem(path) {
        refused.append((path, "for \(system)"))
      } else if isAndroids(path) {
        refused.append((path, "it lies among Android's sources"))
      } else if candidates.count + applications.count >= ProjectChoice.most {
        refused.append((path, "one of more than are looked into"))
      } else {
        let project = XcodeProject(path, tree, plugin: Array(plugin))
        if project.target != nil {
          candidates.append(project)
        } else {
          refused.append((path, "an application is all that it makes"))
          applications.append(project)
        }
      }
    }
    let described = descriptions.first { !$0.sources.isEmpty }
    func isMeant(_ project: XcodeProject) -> Bool {
      guard let described else { return project.makesPlugin }
      return project.makesPlugin && described.sources.contains { project.names(StarterTree.name(of: $0)) }
    }
    let meant = candidates.firstIndex(where: isMeant)
    taken = meant.map { candidates[$0] } ?? candidates.first
    for (index, project) in candidates.enumerated() where project.path != taken?.path {
      let depth = project.path.split(separator: "/").count
      if index < meant ?? 0 {
        refused.append((project.path, "it does not make \(plugin.first ?? "")"))
      } else if depth > taken?.path.split(separator: "/").count ?? 0 {
        refused.append((project.path, "it lies deeper"))
      } else {
        refused.append((project.path, "as high in the tree, and later by name"))
      }
    }
    let path = taken?.path
    let makers = Set(candidates.map(\.path))
    otherFolders = refused.compactMap { project in
      let folder = StarterTree.folder(of: project.path)
      guard !folder.isEmpty, path?.hasPrefix(folder + "/") != true else { return nil }
      let isMaker = makers.contains(project.path)
      return (folder, isMaker ? "beside \(project.path), which is not taken" : StarterIOS.ofApplication)
    }
  }

  /// Whether an application's project names what lies in its own folder, and neither the project that is taken nor a description
  /// does. What lies elsewhere it shows the use of.
  func isOfApplication(_ path: String) -> Bool {
    let name = StarterTree.name(of: path)
    guard !described.contains(path), taken?.names(name) != true else { return false }
    return applications.contains { application in
      (application.folder.isEmpty || path.hasPrefix(application.folder + "/")) && application.lists(name)
    }
  }

  /// What was taken and what was not, and why: for the user. `obstacle`: why the one that was taken is not used after all.
  func texts(obstacle: String?) -> [String] {
    var reasons: [String] = []
    for project in refused where !reasons.contains(project.reason) { reasons.append(project.reason) }
    let texts = reasons.map { reason in
      let paths = refused.filter { $0.reason == reason }.map(\.path)
      let rest = paths.count > 2 ? " and \(paths.count - 2) more projects" : ""
      let others = paths.prefix(2).joined(separator: ", ") + rest
      guard let taken, obstacle == nil else { return "did not take \(others) (\(reason))" }
      return "took \(taken.path), and not \(others) (\(reason))"
    }
    guard let taken, let obstacle else { return texts }
    return ["did not take \(taken.path): \(obstacle)"] + texts
  }
}
