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
  /// Libraries that are packed as they are there.
  private var finished: [StarterFile] = []

  init(_ survey: TreeSurvey) {
    self.survey = survey
    let candidates = survey.files.filter { file in !isForOthers(file) && !survey.isOfApplication(file.path) }
    addLibraries(candidates)
    var sources = addSources(candidates)
    var project = survey.xcodeProject
    if let found = project, let made = product(of: found) {
      choices.append("did not take \(found.path): \(made), which it makes, is there")
      for file in sources where found.names(file.name) { leftOut.append((file.path, "compiled into \(made) already")) }
      sources.removeAll { found.names($0.name) }
      for file in sources {
        let isOfApplication = survey.applications.contains { $0.names(file.name) }
        leftOut.append((file.path, isOfApplication ? StarterIOS.ofApplication : "no target of \(found.path) names it"))
      }
      sources = []
      project = nil
    } else if let found = project, let stale = notNamed(by: found, sources) {
      choices.append("did not take \(found.path): it does not name \(stale)")
      project = nil
    }
    if project == nil { sources = withoutMade(narrowed(withoutApplications(sources))) }
    if let project {
      add(project, sources)
    } else if !sources.isEmpty {
      let minimumIOS = survey.descriptions.lazy.compactMap(\.minimumIOS).first
      let output = "\(survey.tree.made)/\(ownLibrary)"
      let compiled = AppleSources(sources, survey, minimumIOS: minimumIOS, output: output)
      steps += compiled.steps
      items.append(output.inYAML)
      hasLibrary = true
      taken.formUnion(sources.map(\.path) + compiled.headers)
    }
    guard !items.isEmpty else { return }
    addResources(candidates)
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
      items.append(path.inYAML)
      hasLibrary = true
      taken.formUnion(inputs.map(\.path))
    }
    for file in libraries.items { pack(file) }
    finished = libraries.items + libraries.joined.flatMap(\.inputs)
  }

  private mutating func pack(_ file: StarterFile) {
    let isTwice = items.contains { item in
      item.split(separator: "/").last.map { $0.replacing("\"", with: "") == file.name } ?? false
    }
    guard !isTwice else {
      leftOut.append((file.path, "something else of that name is at the root of the zip"))
      return
    }
    items.append(file.path.inYAML)
    taken.insert(file.path)
    if file.kind == .staticLibrary { hasLibrary = true }
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
    return described.first { path in !project.names(StarterIOS.name(path)) }
  }

  private mutating func withoutMade(_ sources: [StarterFile]) -> [StarterFile] {
    let choice = SourceChoice(sources, beside: finished, survey.tree)
    leftOut += choice.leftOut
    return choice.taken
  }

  /// What an application's project names and no description does, where the library is there already.
  private mutating func withoutApplications(_ sources: [StarterFile]) -> [StarterFile] {
    guard !finished.isEmpty, !survey.applications.isEmpty else { return sources }
    let described = Set(survey.descriptions.flatMap(\.sources))
    func isMeant(_ file: StarterFile) -> Bool {
      described.contains(file.path) || !survey.applications.contains { $0.lists(file.name) }
    }
    for file in sources where !isMeant(file) { leftOut.append((file.path, StarterIOS.ofApplication)) }
    return sources.filter(isMeant)
  }

  /// What a podspec or another description names, if one does and the files are there: a tree may hold a source twice.
  private mutating func narrowed(_ sources: [StarterFile]) -> [StarterFile] {
    let (kept, others) = survey.named(sources, by: \.sources)
    leftOut += others
    return kept
  }

  static let ofApplication = "of an application, and no part of the library"
  static let forNDK =
    "native code for Android: build it with the NDK in a step, and add the folder of its libraries as jni"

  /// A name that no finished library has.
  private var ownLibrary: String {
    let name = "lib\(survey.name).a"
    // Names that differ in case only are one file to many.
    let isTaken = items.contains { item in
      item.split(separator: "/").last.map { $0.replacing("\"", with: "").lowercased() == name.lowercased() } ?? false
    }
    return isTaken ? "lib\(survey.name)Plugin.a" : name
  }

  /// What a project makes, if it is there already.
  private func product(of project: XcodeProject) -> String? {
    guard let product = project.target?.product else { return nil }
    let library = AppleBinary.library(product).name
    return finished.first { AppleBinary.library($0.name).name == library }?.path
  }

  private mutating func add(_ project: XcodeProject, _ sources: [StarterFile]) {
    guard let target = project.target else { return }
    let folder = project.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    let made = "\(folder)build/device/\(target.product)"
    let ofAnotherTarget =
      "of another target of \(project.path) than \(target.name): a step of its own would make that"
    let others = project.ofOthers
    func isCompiled(_ name: String) -> Bool { project.names(name) && !others.contains(name) }
    let swift = leftOut.filter { left in left.path.hasSuffix(".swift") && isCompiled(StarterIOS.name(left.path)) }
    leftOut.removeAll { left in swift.contains { $0.path == left.path } }
    var compiled = Set(swift.map(\.path))
    for file in sources {
      if isCompiled(file.name) {
        compiled.insert(file.path)
      } else if others.contains(file.name) {
        leftOut.append((file.path, ofAnotherTarget))
      } else {
        leftOut.append((file.path, "no target of \(project.path) names it"))
      }
    }
    let headers = survey.files { $0 == .header }.map(\.path).filter { $0.hasPrefix(folder) && !survey.isAndroids($0) }
    let foreign = headers.filter { others.contains(StarterIOS.name($0)) }
    leftOut += foreign.map { ($0, ofAnotherTarget) }
    // A pattern that matches nothing is a mistake.
    let hasSources = !compiled.isEmpty && compiled.contains { $0.hasPrefix(folder) }
    let inputs = ["\(project.path)/project.pbxproj"] + (hasSources ? ["\(folder)**/*.{h,m,mm,c,cc,cpp,swift}"] : [])
    let words = [project.path, target.name].map(\.inYAML)
    steps += [
      "  # Needs Xcode.", "  device:",
      "    run: [xcodebuild, -project, \(words[0]), -target, \(words[1]), -configuration, Release,",
      "          -sdk, iphoneos, \"CONFIGURATION_BUILD_DIR=$(SRCROOT)/build/device\"]",
      "    inputs: [\(inputs.map(\.inYAML).joined(separator: ", "))]",
      "    outputs: [\(made.inYAML)]",
    ]
    taken.formUnion(compiled.union(headers).subtracting(foreign))
    if target.isFramework {
      items.append(made.inYAML)
      return
    }
    let output = "\(survey.tree.made)/\(ownLibrary)".inYAML
    steps += ["  library:", "    kind: universal-library", "    inputs: [\(made.inYAML)]", "    output: \(output)"]
    items.append(output)
    hasLibrary = true
  }

  private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  // MARK: - Resources

  private mutating func addResources(_ candidates: [StarterFile]) {
    for file in candidates where file.kind == .bundle || file.kind == .appleResource {
      if isOfAnApp(file) || isForeign(file) {
        leftOut.append((file.path, StarterIOS.ofApplication))
      } else {
        pack(file)
      }
    }
    let left = Set(leftOut.map(\.path))
    for path in survey.descriptions.flatMap(\.resources) where !left.contains(path) && !taken.contains(path) {
      let isInside = path.split(separator: "/").indices.contains { index in
        taken.contains(path.split(separator: "/")[..<index].joined(separator: "/"))
      }
      guard !isInside, survey.tree.kind(path) != nil else { continue }
      pack(StarterFile(path: path, kind: .appleResource, standing: .own))
    }
    for description in survey.descriptions { nameForgotten(by: description) }
  }

  /// What lies beside the resources that a description names, and ends as they do.
  private mutating func nameForgotten(by description: ProjectDescription) {
    let known = Set(description.resources)
    let patterns = Set(
      known.map { path in
        let file = StarterFile(path: path, kind: .appleResource, standing: .own)
        return [file.folder, file.ending]
      })
    for pattern in patterns.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where !pattern[0].isEmpty && !pattern[1].isEmpty {
      for name in survey.tree.names(pattern[0]) where name.hasSuffix(pattern[1]) {
        let path = "\(pattern[0])/\(name)"
        guard !known.contains(path), !taken.contains(path) else { continue }
        leftOut.append((path, "\(description.path) does not name it"))
      }
    }
  }

  /// A screen or text that the project which makes the library does not name.
  private func isForeign(_ file: StarterFile) -> Bool {
    guard let project = survey.xcodeProject, file.kind == .appleResource, !file.name.hasSuffix(".xcprivacy") else {
      return false
    }
    return file.name.hasSuffix(".lproj")
      ? !project.names(file.path) && !project.names(file.name) : !project.names(file.name)
  }

  /// The screens that an application begins with, and the names that it has in several languages.
  private func isOfAnApp(_ file: StarterFile) -> Bool {
    let apps = ["LaunchScreen.", "Main.", "MainWindow.", "MainMenu."]
    if apps.contains(where: file.name.hasPrefix) { return true }
    if survey.otherProjects.contains(where: { file.path.hasPrefix($0 + "/") }) { return true }
    guard file.name.hasSuffix(".lproj") else { return false }
    return survey.tree.names(file.path).allSatisfy { name in
      name == "InfoPlist.strings" || apps.contains(where: name.hasPrefix)
    }
  }
}
