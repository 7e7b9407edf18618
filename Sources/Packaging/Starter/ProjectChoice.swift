/// Which of a tree's Xcode projects makes the plugin's library: the highest of the plugin's own.
struct ProjectChoice: Sendable {
  private(set) var taken: XcodeProject?
  /// What makes applications of the plugin's own tree.
  private(set) var applications: [XcodeProject] = []
  /// Folders of the others, with what belongs to them alone.
  let otherFolders: [String]
  /// What was taken and what was not, and why: for the user.
  let texts: [String]

  init(
    _ found: [(path: String, standing: FolderStanding)], _ tree: StarterTree, isAndroids: (String) -> Bool
  ) {
    let sorted = found.filter { $0.standing < .documentation }.sorted { one, other in
      (one.standing.rawValue, one.path.split(separator: "/").count, one.path)
        < (other.standing.rawValue, other.path.split(separator: "/").count, other.path)
    }
    var refused: [(path: String, reason: String)] = []
    for (path, standing) in sorted {
      if standing != .own {
        refused.append((path, standing.reason))
      } else if case .other(let system) = PathSystem(path) {
        refused.append((path, "for \(system)"))
      } else if isAndroids(path) {
        refused.append((path, "it lies among Android's sources"))
      } else if taken != nil {
        refused.append((path, "it lies deeper"))
      } else {
        let project = XcodeProject(path, tree)
        if project.target != nil {
          taken = project
        } else {
          refused.append((path, "an application is all that it makes"))
          applications.append(project)
        }
      }
    }
    let path = taken?.path
    otherFolders = refused.map { $0.path.split(separator: "/").dropLast().joined(separator: "/") }.filter { folder in
      !folder.isEmpty && path?.hasPrefix(folder + "/") != true
    }
    var reasons: [String] = []
    for project in refused where !reasons.contains(project.reason) { reasons.append(project.reason) }
    texts = reasons.map { reason in
      let paths = refused.filter { $0.reason == reason }.map(\.path)
      let rest = paths.count > 2 ? " and \(paths.count - 2) more projects" : ""
      let others = paths.prefix(2).joined(separator: ", ") + rest
      return path.map { "took \($0), and not \(others) (\(reason))" } ?? "did not take \(others) (\(reason))"
    }
  }
}
