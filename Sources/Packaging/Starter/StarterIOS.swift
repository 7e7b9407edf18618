import Findings

/// What a first manifest says of a plugin's half for iOS: the items of a zip, and the steps that make some of them.
struct StarterIOS: Sendable {
  /// As they stand under `items`.
  private(set) var items: [String] = []
  /// Indented as they stand.
  private(set) var steps: [String] = []
  /// A static library lies at the root of the zip.
  private(set) var hasLibrary = false
  /// Files and folders of the tree that are packed, or that steps read.
  private(set) var taken: Set<String> = []
  private(set) var leftOut: [(path: String, reason: String)] = []
  /// What was taken where there was a choice, and why.
  private(set) var choices: [String] = []

  private let survey: TreeSurvey
  /// Of the items, in lower case.
  private var names: Set<String> = []
  /// Libraries that are packed as they are there.
  private var finished: [StarterFile] = []

  init(_ survey: TreeSurvey) {
    self.survey = survey
    let all = survey.files.filter { file in !isForOthers(file) && !survey.isOfApplication(file.path) }
    addLibraries(all)
    let candidates = withoutApplications(all)
    var sources = addSources(candidates)
    var project = survey.projects.taken
    var obstacle: String?
    if let found = project, let made = product(of: found) {
      obstacle = "\(made), which it makes, is there"
      for file in sources where found.names(file.name) { leftOut.append((file.path, "compiled into \(made) already")) }
      sources.removeAll { found.names($0.name) }
      for file in sources {
        leftOut.append((file.path, "no target of \(found.path) names it"))
      }
      sources = []
    } else if let found = project, let stale = notNamed(by: found, sources) {
      obstacle = "it does not name \(stale)"
    }
    if obstacle != nil { project = nil }
    choices += survey.projects.texts(obstacle: obstacle)
    let (kept, description) = project == nil ? narrowed(sources) : (sources, nil)
    if project == nil { sources = withoutMade(kept) }
    var step: XcodeStep?
    if let project, let target = project.target {
      let swift = leftOut.map(\.path).filter { $0.hasSuffix(".swift") }
      let own = XcodeStep(project, target, sources, swift: swift, survey)
      step = own
      add(own)
    } else if !sources.isEmpty {
      let output = "\(survey.tree.made)/\(ownLibrary)"
      let compiled = AppleSources(sources, survey, description, output: output)
      steps += compiled.steps
      add(made: output)
      taken.formUnion(sources.map(\.path) + compiled.headers)
    }
    guard !items.isEmpty else { return }
    addResources(candidates, step)
  }

  /// What is Android's, or for a system that no deliverable is for; of libraries their code says more than their folders.
  private func isForOthers(_ file: StarterFile) -> Bool {
    switch file.kind {
    case .framework, .xcframework: return false
    case .staticLibrary: return survey.isAndroids(file.path)
    default: break
    }
    if case .other = PathSystem(file.path) { return true }
    return survey.isAndroids(file.path)
  }

  // MARK: - Finished libraries

  private mutating func addLibraries(_ candidates: [StarterFile]) {
    let files = candidates.filter { [.staticLibrary, .framework, .xcframework].contains($0.kind) }
    let libraries = AppleLibraries(files, survey.tree, wantsLibrary: survey.host != nil)
    leftOut += libraries.leftOut
    for (output, inputs) in libraries.joined {
      let name = String(output.dropLast(2))
      let path = "\(survey.tree.made)/joined/\(output)"
      steps += [
        "  # One library of those for each architecture.", "  \("join-\(name)".inYAML):", "    kind: universal-library",
        "    inputs: [\(inputs.map(\.path.inYAML).joined(separator: ", "))]", "    output: \(path.inYAML)",
      ]
      add(made: path)
      taken.formUnion(inputs.map(\.path))
    }
    for file in libraries.items { pack(file) }
    finished = libraries.items + libraries.joined.flatMap(\.inputs)
  }

  /// Under this name in the zip; under its own if nil.
  private mutating func pack(_ file: StarterFile, as name: String? = nil) {
    // Names that differ in case only are one file to many.
    guard names.insert((name ?? file.name).lowercased()).inserted else {
      let folder = StarterTree.folder(of: name ?? "")
      let place = folder.isEmpty ? "at the root of the zip" : "in \(folder)"
      leftOut.append((file.path, "something else of that name is \(place)"))
      return
    }
    if let name, name != file.name {
      items.append("{ from: \(file.path.inYAML), to: \(name.inYAML) }")
    } else {
      items.append(file.path.inYAML)
    }
    taken.insert(file.path)
    if file.kind == .staticLibrary { hasLibrary = true }
  }

  /// What a step makes, at the root of the zip.
  private mutating func add(made path: String) {
    items.append(path.inYAML)
    names.insert(StarterTree.name(of: path).lowercased())
    if path.hasSuffix(".a") { hasLibrary = true }
  }

  // MARK: - Sources

  /// What clang can compile for iOS; the rest is left out.
  private mutating func addSources(_ candidates: [StarterFile]) -> [StarterFile] {
    var sources: [StarterFile] = []
    for file in candidates {
      guard case .source(let language) = file.kind, language != .java, language != .kotlin else { continue }
      let facts = survey.sources[file.path] ?? SourceFacts()
      if language == .swift {
        leftOut.append(
          (file.path, "Swift: add a step that has Xcode compile it, and its library or framework to items"))
      } else if facts.includes.contains(where: { $0.hasSuffix("jni.h") }) {
        leftOut.append((file.path, StarterIOS.forNDK))
      } else if facts.isProgram {
        leftOut.append((file.path, "a program of its own, and no part of a library"))
      } else {
        sources.append(file)
      }
    }
    return sources
  }

  /// What a description names of the sources, and a project does not: it was forgotten.
  private func notNamed(by project: XcodeProject, _ sources: [StarterFile]) -> String? {
    let known = Set(sources.map(\.path))
    let described = survey.descriptions.lazy.map { $0.sources.filter(known.contains) }.first { !$0.isEmpty } ?? []
    return described.first { path in !project.names(StarterTree.name(of: path)) }
  }

  private mutating func withoutMade(_ sources: [StarterFile]) -> [StarterFile] {
    let choice = SourceChoice(sources, beside: finished, survey.tree)
    leftOut += choice.leftOut
    return choice.taken
  }

  /// An application's own files are none of the library's: where something else makes it, or it is there already.
  private mutating func withoutApplications(_ files: [StarterFile]) -> [StarterFile] {
    let projects = survey.projects
    guard !projects.applications.isEmpty, projects.taken != nil || !finished.isEmpty else {
      return files
    }
    func isOfApplication(_ file: StarterFile) -> Bool {
      // A library's project may name no resources, and an example shows all of them.
      let mayBe = if case .source = file.kind { true } else { projects.taken != nil && !file.isBinary }
      return mayBe && projects.isOfApplication(file.path)
    }
    for file in files where isOfApplication(file) { leftOut.append((file.path, StarterIOS.ofApplication)) }
    return files.filter { !isOfApplication($0) }
  }

  /// What a podspec or another description names, if one does and the files are there: a tree may hold a source twice.
  private mutating func narrowed(_ sources: [StarterFile]) -> ([StarterFile], ProjectDescription?) {
    let (kept, others) = survey.named(sources, by: \.sources)
    leftOut += others
    let names = Set(kept.map(\.path))
    return (kept, survey.descriptions.first { $0.sources.contains(where: names.contains) })
  }

  static let ofApplication = "of an application, and no part of the library"
  static let forNDK =
    "native code for Android: build it with the NDK in a step, and add the folder of its libraries as jni"

  /// A name that no finished library has.
  private var ownLibrary: String {
    let name = "lib\(survey.name).a"
    return names.contains(name.lowercased()) ? "lib\(survey.name)Plugin.a" : name
  }

  /// What a project makes, if it is there already.
  private func product(of project: XcodeProject) -> String? {
    guard let product = project.target?.product else { return nil }
    let library = AppleBinary.library(product).name
    return finished.first { AppleBinary.library($0.name).name == library }?.path
  }

  private mutating func add(_ step: XcodeStep) {
    if let choice = step.choice { choices.append(choice) }
    leftOut.removeAll { step.compiled.contains($0.path) }
    leftOut += step.leftOut
    steps += step.steps
    taken.formUnion(step.compiled.union(step.headers))
    for product in step.made where !product.hasSuffix(".a") { add(made: product) }
    guard !step.target.isFramework, let product = step.made.first else { return }
    let output = "\(survey.tree.made)/\(ownLibrary)"
    steps += [
      "  library:", "    kind: universal-library", "    inputs: [\(product.inYAML)]", "    output: \(output.inYAML)",
    ]
    add(made: output)
  }

  // MARK: - Resources

  private mutating func addResources(_ candidates: [StarterFile], _ step: XcodeStep?) {
    let resources = AppleResources(candidates, survey, step, known: taken.union(leftOut.map(\.path)))
    leftOut += resources.leftOut
    taken.formUnion(resources.inFrameworks)
    for (file, name) in resources.items { pack(file, as: name) }
  }
}
