import Findings

/// The Xcode projects of a tree and their targets for iOS.
struct XcodeProjects: Sendable {
  private var targets: [XcodeTarget] = []
  private(set) var left: [LeftOut] = []

  /// More projects are not examined.
  private static let most = 16

  init(_ files: [SourceTree.File], _ packages: Packages, _ tree: SourceTree, _ answers: Answers) {
    for project in files.filter({ $0.ending == "xcodeproj" }).map(\.path).prefix(XcodeProjects.most) {
      if packages.isBuiltByHost, !answers.names(project) {
        left.append(LeftOut(project, "the host's own tools compile its sources, with what the host brings"))
        continue
      }
      let found = XcodeTarget.all(of: project, in: tree)
      targets += found.targets
      left += found.left
    }
  }

  /// The only target, the one with the plugin's name, or the one that the user named. Nil if finished parts are packed;
  /// beside a target none of these is packed.
  func choose(
    beside parts: inout AppleParts, _ packages: Packages, _ answers: Answers
  ) throws(Refusal) -> XcodeTarget? {
    if targets.isEmpty || parts.taken.contains(where: { answers.names($0.path) }) { return nil }
    let names = packages.root.compactMap(\.name?.text)
    let called = targets.filter { names.contains($0.name) }
    if parts.taken.isEmpty, called.count == 1 { return called[0] }
    if let only = targets.first, targets.count == 1, parts.taken.isEmpty, only.isBesideApplication,
      !answers.taken.contains(only.name), !answers.names(only.project)
    {
      throw answers.refusal(
        "\(printable(only.project)) makes an application, too, whose own the library may be", [only.name])
    }
    let candidates =
      targets.map { Answers.Candidate($0.project, name: $0.name) } + parts.taken.map { Answers.Candidate($0.path) }
    let question =
      parts.taken.isEmpty
      ? "Xcode makes \(targets.count) libraries for iOS here"
      : "finished code for iOS is here, and a project of Xcode's that makes some"
    guard let index = try answers.choose(candidates, question), index < targets.count else { return nil }
    parts.drop("what Xcode makes is packed") { _ in true }
    return targets[index]
  }
}
