import Android
import Documents
import Findings
import ObjectFiles

/// The parts of a tree for Android: finished AARs, a module of a Gradle build, or a folder laid out like the contents
/// of an AAR.
struct AndroidParts: Sendable {
  private(set) var archives: [String] = []
  private(set) var module: GradleModule?
  private(set) var loose: LooseLibrary?
  private(set) var left: [LeftOut] = []
  /// Folders with scripts that build applications.
  let applications: [String]
  /// Folders with the sources of Gradle modules, taken or not.
  let moduleFolders: [String]

  init(_ files: [SourceTree.File], _ packages: Packages, _ tree: SourceTree, _ answers: Answers) throws(Refusal) {
    let gradle = GradleModule.search(files, tree)
    applications = gradle.applications
    moduleFolders = gradle.libraries
    var found = files.filter { $0.ending == "aar" && !$0.isFolder }.map(\.path)
    try takeModule(gradle.libraries, packages, tree, answers)
    let isBuilt = module != nil || !gradle.libraries.isEmpty || !gradle.applications.isEmpty
    if isBuilt {
      // The modules that Gradle builds need these AARs, whether a module is built here or not.
      let reason = "a module of Gradle's is here, which may need it; --take with its path packs it"
      left += found.filter { !answers.names($0) }.map { LeftOut($0, reason) }
      found = found.filter(answers.names)
    }
    if let built = module, !found.isEmpty {
      left.append(LeftOut(shown(built.folder), "--take names a finished AAR"))
      module = nil
    }
    for path in found {
      if tree.isZip(path) {
        archives.append(path)
      } else {
        left.append(LeftOut(path, tree.isPointer(path) ? Unfit.pointer.reason : "it is no zip archive"))
      }
    }
    guard archives.count <= AppleParts.most else { throw Refusal.tooMany(archives.count, "AARs") }
    try chooseCopies(answers)
    if module == nil, archives.isEmpty { try takeLoose(files, tree, answers) }
  }

  private mutating func takeModule(
    _ folders: [String], _ packages: Packages, _ tree: SourceTree, _ answers: Answers
  ) throws(Refusal) {
    var own: [String] = []
    for folder in folders {
      if packages.isBuiltByHost, !answers.names(folder) {
        left.append(LeftOut(shown(folder), "the host's own tools compile this module, with what the host brings"))
      } else {
        own.append(folder)
      }
    }
    // Even a module that cannot be built here may be the plugin's own, so it counts among several.
    let modules = own.prefix(AndroidParts.maxModules).map { folder in
      Result { () throws(Unfit) in try GradleModule(folder, in: tree) }
    }
    for (folder, module) in zip(own, modules) {
      if case .failure(let unfit) = module { left.append(LeftOut(shown(folder), unfit.reason)) }
    }
    let fit = modules.compactMap { try? $0.get() }
    let named = fit.filter { answers.taken.contains($0.name) || answers.names($0.folder) }
    if named.count == 1 || own.count == 1 {
      module = named.first ?? fit.first
    } else if !fit.isEmpty, own.allSatisfy({ !answers.names($0) }) || named.count > 1 {
      // Two builds in one tree may have a module of the same name.
      let counts = Dictionary(fit.map { ($0.name, 1) }, uniquingKeysWith: +)
      let names = fit.map { counts[$0.name] == 1 ? $0.name : $0.folder }
      throw answers.refusal("Gradle builds \(own.count) libraries for Android here", names, others: left)
    }
    left += fit.filter { $0.folder != module?.folder }.map { LeftOut(shown($0.folder), "--take names another module") }
  }

  /// More modules are not examined, because it only matters that there are several.
  private static let maxModules = 32

  private func shown(_ folder: String) -> String { folder.isEmpty ? "build.gradle" : folder }

  /// Chooses among versions, builds or flavours of one library.
  private mutating func chooseCopies(_ answers: Answers) throws(Refusal) {
    func key(_ path: String) -> String {
      let words = FolderStanding.words(PathText.stem(path))
      // Gradle names the AAR of a flavour `module-flavour-release`.
      return words.count > 2 && ["release", "debug"].contains(words[words.count - 1]) ? words[0] : CopyKey.of(path)
    }
    for copies in Dictionary(grouping: archives, by: key).values.sorted(by: { $0[0] < $1[0] }) where copies.count > 1 {
      let chosen = try answers.choose(
        copies.map { Answers.Candidate($0) },
        "\(copies.count) copies of \(printable(PathText.stem(copies[0]))) are here")
      for (index, path) in copies.enumerated() where index != chosen {
        drop("--take names another copy") { $0 == path }
      }
    }
  }

  /// Leaves out the folder that was found.
  mutating func dropLoose(_ reason: String) {
    if let loose { left.append(LeftOut(loose.path, reason)) }
    loose = nil
  }

  /// Leaves out some of the archives.
  mutating func drop(_ reason: String, where isMeant: (String) -> Bool) {
    left += archives.filter(isMeant).map { LeftOut($0, reason) }
    archives.removeAll(where: isMeant)
  }

  /// A tree with more manifests is no library's.
  private static let maxManifests = 16

  private mutating func takeLoose(
    _ files: [SourceTree.File], _ tree: SourceTree, _ answers: Answers
  ) throws(Refusal) {
    let modules = Set(moduleFolders + applications)
    let manifests = files.filter { file in
      file.name == "AndroidManifest.xml" && !file.isFolder && !PathText.isBelow(file.path, anyOf: modules)
    }
    var found: [LooseLibrary] = []
    for file in manifests.prefix(AndroidParts.maxManifests) {
      do throws(Unfit) { found.append(try LooseLibrary(file, files, tree)) } catch {
        left.append(LeftOut(file.path, error.reason))
      }
    }
    let candidates = found.map { Answers.Candidate($0.path) }
    let chosen = try answers.choose(candidates, "\(found.count) libraries for Android are here")
    loose = chosen.map { found[$0] }
    left += found.filter { $0.path != loose?.path }.map { LeftOut($0.path, "--take names another library") }
  }
}

/// A folder with a library's `AndroidManifest.xml` and finished code, jars or resources beside it: the layout of tools
/// before Gradle.
struct LooseLibrary: Sendable {
  /// The manifest's path.
  let path: String
  let members: [YAMLValue.Member]

  init(_ manifest: SourceTree.File, _ files: [SourceTree.File], _ tree: SourceTree) throws(Unfit) {
    let folder = manifest.folder
    path = manifest.path
    let content: AndroidManifest
    do { content = try AndroidManifest(tree.bytes(manifest.path)) } catch {
      throw Unfit(reason: "it cannot be read as a manifest")
    }
    guard content.package?.isEmpty == false else { throw Unfit(reason: "it names no package") }
    let isApplication = content.root.children.contains { $0.name == "application" && LooseLibrary.launches($0) }
    guard !isApplication else { throw Unfit(reason: "it is an application's") }
    let beside = files.filter { PathText.isBelow($0.path, folder) && $0.path != manifest.path }
    guard !beside.contains(where: { ["java", "kt"].contains($0.ending) }) else {
      throw Unfit(reason: "nothing here compiles the Java or Kotlin sources beside it")
    }
    func paths(_ ending: String) -> [String] { beside.filter { $0.ending == ending && !$0.isFolder }.map(\.path) }
    func there(_ names: [String]) -> [String] { names.map { PathText.join(folder, $0) }.filter(tree.isFolder) }
    // Jars may also contain sources or documentation.
    let jars = paths("jar").filter { path in
      PathText.folder(path) == PathText.join(folder, "libs") && tree.isZip(path)
        && !["sources", "javadoc", "src"].contains(FolderStanding.words(PathText.stem(path)).last ?? "")
    }
    // Each root has a folder for each ABI and nothing else.
    let roots = Set(paths("so").map { PathText.folder(PathText.folder($0)) }).subtracting([""])
    let others = beside.filter { file in
      file.ending != "so" || AndroidABI(rawValue: PathText.name(file.folder)) == nil
        || !roots.contains(PathText.folder(file.folder))
    }
    let natives = others.reduce(into: roots) { $0.subtract(PathText.folders(above: $1.path)) }
    if let stray = paths("so").first(where: { !natives.contains(PathText.folder(PathText.folder($0))) }) {
      throw Unfit(
        reason: "\(stray) lies among other files, and 'jni' takes a folder that holds libraries by ABI and nothing else"
      )
    }
    guard !jars.isEmpty || !natives.isEmpty else {
      throw Unfit(reason: "there is no finished code beside it")
    }
    var members = [YAMLValue.Member("kind", .text("aar")), YAMLValue.Member("manifest", .text(manifest.path))]
    for (key, paths) in [
      ("libs", jars), ("res", there(["res"])), ("assets", there(["assets"])), ("jni", natives.sorted()),
    ]
    where !paths.isEmpty {
      members.append(YAMLValue.Member(key, .texts(paths)))
    }
    self.members = members
  }

  private static func launches(_ application: XMLTag) -> Bool {
    application.children.contains { activity in
      activity.children.contains { filter in
        filter.children.contains {
          $0.name == "category" && $0["name", namespace: AndroidManifest.android] == "android.intent.category.LAUNCHER"
        }
      }
    }
  }
}
