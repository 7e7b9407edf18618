/// How Xcode makes what a project's target is: the step, what comes of it, and what of the tree is in it.
struct XcodeStep: Sendable {
  let project: XcodeProject
  let target: XcodeProject.Target
  /// Sources of the tree.
  private(set) var compiled: Set<String> = []
  /// Headers that belong to it.
  let headers: [String]
  private(set) var leftOut: [(path: String, reason: String)] = []

  /// Where the project is; empty, or with a slash at its end.
  private let folder: String
  private let inFrameworks: Set<String>
  private let pods: XcodePods?
  private var inputs: [String] = []
  /// Folders with sources, at any depth: whether one of them is compiled.
  private var areCompiled: [String: Bool] = [:]

  /// `swift`: paths of sources that only Xcode compiles.
  init(
    _ project: XcodeProject, _ target: XcodeProject.Target, _ sources: [StarterFile], swift: [String],
    _ survey: TreeSurvey
  ) {
    (self.project, self.target) = (project, target)
    let folder = project.folder.isEmpty ? "" : project.folder + "/"
    self.folder = folder
    pods = XcodePods(in: project.folder, survey.tree)
    inFrameworks = project.inFrameworks
    let (others, shared) = project.ofOthers
    let all = survey.files { $0 == .header }.map(\.path).filter { path in
      path.hasPrefix(folder) && !survey.isAndroids(path) && !survey.projects.isOfApplication(path)
    }
    let foreign = others.union(shared)
    headers = all.filter { !foreign.contains(StarterTree.name(of: $0)) }
    leftOut = all.filter { others.contains(StarterTree.name(of: $0)) }.map { ($0, ofAnother) }
    for path in sources.map(\.path) + swift {
      let name = StarterTree.name(of: path)
      let isCompiled = project.names(name) && !others.contains(name)
      let isKnown = isCompiled || others.contains(name)
      if isCompiled {
        compiled.insert(path)
      } else if !path.hasSuffix(".swift") {
        leftOut.append((path, isKnown ? ofAnother : "no target of \(project.path) names it"))
      }
      if isKnown { mark(path, isCompiled) }
    }
    let own = sources.filter { compiled.contains($0.path) }
    let read = headers + Includes(of: own, survey).found
    inputs = XcodeInputs(project, in: folder, compiled + read, survey).patterns
  }

  private var ofAnother: String {
    "of another target of \(project.path) than \(target.name): a step of its own would make that"
  }

  private mutating func mark(_ path: String, _ isCompiled: Bool) {
    var above = StarterTree.folder(of: path)
    while !above.isEmpty {
      areCompiled[above] = areCompiled[above] ?? false || isCompiled
      above = StarterTree.folder(of: above)
    }
  }

  // MARK: - What comes of it

  /// The target's own product first.
  var made: [String] {
    let frameworks = project.needed.filter(\.isFramework)
    return ([target] + frameworks).map { "\(folder)build/device/\($0.product)" }
  }

  /// Indented as they stand.
  var steps: [String] {
    let inputs = ["\(project.path)/project.pbxproj"] + (pods?.inputs ?? []) + inputs
    let words = [project.path, target.name].map(\.inYAML)
    return ["  # Needs Xcode."] + (pods?.comment(target.name) ?? []) + [
      "  device:",
      "    run: [xcodebuild, -project, \(words[0]), -target, \(words[1]), -configuration, Release,",
      "          -sdk, iphoneos, \"CONFIGURATION_BUILD_DIR=$(SRCROOT)/build/device\"]",
      "    inputs: [\(inputs.map(\.inYAML).joined(separator: ", "))]",
      "    outputs: [\(made.map(\.inYAML).joined(separator: ", "))]",
    ]
  }

  /// Why this target of several: nil if its name says so.
  var choice: String? {
    guard !project.isNamed, !project.others.isEmpty else { return nil }
    let needed = project.needed.map(\.name)
    let others = project.others.map(\.name)
    func list(_ names: [String]) -> String {
      names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }
    let with = needed.isEmpty ? "" : " with \(list(needed)), which it needs"
    let reason = needed.isEmpty ? "the first" : "the one that needs the most others"
    return "took the target \(target.name) of \(project.path)\(with), and not \(list(others)) "
      + "(none is called as the plugin: it is \(reason))"
  }

  // MARK: - Resources

  enum Home { case framework, otherTarget(String) }

  /// Where Xcode puts a resource: into a framework that is made, or into another target's; nil if it is the app's to take.
  func home(of file: StarterFile) -> Home? {
    var above = file.folder
    while !above.isEmpty, areCompiled[above] == nil { above = StarterTree.folder(of: above) }
    guard target.isFramework else { return nil }
    if areCompiled[above] == false { return .otherTarget(ofAnother) }
    return inFrameworks.contains(file.name) ? .framework : nil
  }
}
