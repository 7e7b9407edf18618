import Android
import Artifacts
import Findings

/// What a first manifest says of an Android library: a deliverable, and the steps that make what it takes; indented as they
/// stand.
struct StarterAndroid: Sendable {
  private(set) var library: AndroidLibrary
  /// The folders of further libraries.
  let others: [String]
  /// Files and folders of the tree that are packed, or that steps read.
  private(set) var taken: Set<String> = []
  private(set) var leftOut: [(path: String, reason: String)] = []

  private let survey: TreeSurvey
  private var tree: StarterTree { survey.tree }
  private let native: NativeLibraries
  private let ndk: NDKLibraries
  /// What javac compiles; nil if nothing, or if Gradle does.
  private var java: JavaSources?
  private var gradle: [String] = []
  private var resources: ResourceCopies?

  /// Nil if nothing in the tree is for Android.
  init?(_ survey: TreeSurvey) {
    self.survey = survey
    let loose = LooseAndroid(survey)
    var ndk = NDKBuild(survey)
    var archives = loose.archives
    var sources = loose.sources
    switch survey.android {
    case .library(let found, let others):
      (library, self.others) = (found, others)
      if let aar = StarterAndroid.finished(found, loose, survey) {
        library = AndroidLibrary(
          loose: survey.tree, near: [], package: found.package.map { $0 + ".plugin" } ?? "",
          origin: "a package beside that of \(aar)")
        let folder = found.base + "/"
        for file in archives + sources where file.path.hasPrefix(folder) {
          leftOut.append((file.path, "\(aar), which is made of it, is packed"))
        }
        archives.removeAll { $0.path.hasPrefix(folder) }
        sources.removeAll { $0.path.hasPrefix(folder) }
      }
    case .application, .nothing:
      if case .application = survey.android { ndk = nil }
      guard let found = loose.library(beside: ndk) else { return nil }
      (library, others) = (found, [])
    }
    if library.package == nil, library.module == nil, !survey.tree.isFolder(StarterTree.join(library.folder, "res")) {
      let (name, origin) = loose.package
      library.setPackage(name, origin: origin)
    }
    let base = library.base.isEmpty ? "" : library.base + "/"
    let otherFolders = Set(others.filter { !base.hasPrefix($0 + "/") })
    func isOwn(_ path: String) -> Bool { !otherFolders.hasFolder(above: path) }
    func isOwn(_ file: StarterFile) -> Bool { isOwn(file.path) }
    if let found = ndk,
      !isOwn(found.path) || !sources.isEmpty && GradleBuild(library, survey)?.makes(found.path) == true
    {
      ndk = nil
    }
    self.ndk = NDKLibraries(ndk, loose.libraries.filter(isOwn), survey)
    native = NativeLibraries(self.ndk.files, survey.tree)
    library.add("jni", native.paths + [self.ndk.build?.libraries].compactMap(\.self))
    leftOut += native.leftOut + self.ndk.leftOut
    taken.formUnion(native.copies.map(\.path) + self.ndk.taken)
    let own = archives.filter(isOwn)
    let named = narrowed(own, by: \.libraries)
    library.remove(Set(own.map(\.path)).subtracting(named.map(\.path)))
    let made = library.module == nil ? nil : classNames(below: base)
    for file in named { add(file, besides: made) }
    let resources = ResourceCopies(survey, packed: library.paths["res"] ?? [])
    library.add("res", resources.paths)
    taken.formUnion(resources.files)
    leftOut += resources.leftOut
    leftOut += loose.generated.filter(isOwn).map { ($0.path, "made by a build, which makes it anew") }
    self.resources = resources
    addCode(narrowed(sources.filter(isOwn), by: \.androidSources))
    for paths in library.paths.values { taken.formUnion(paths) }
    leftOut += library.leftOut.filter { left in
      !leftOut.contains { $0.path == left.path } && !resources.replaced.contains(left.path)
    }
    if let manifest = library.manifest { taken.insert(manifest.path) }
  }

  /// The AAR of a module's own package that is there already, where Gradle does not know the module or it has no sources.
  private static func finished(_ library: AndroidLibrary, _ loose: LooseAndroid, _ survey: TreeSurvey) -> String? {
    guard let build = GradleBuild(library, survey), let package = library.package, !library.base.isEmpty,
      AndroidLibrary.isPackage(package + ".plugin")
    else { return nil }
    let hasSources = loose.sources.contains { $0.path.hasPrefix(library.base + "/") }
    guard !hasSources || !build.isProject else { return nil }
    return loose.archives.first { file in
      file.kind == .aar && !file.path.hasPrefix(library.base + "/")
        && survey.tree.manifest(ofAAR: file.path)?.package == package
    }?.path
  }

  /// Of Java's and Kotlin's sources, as their files are called.
  private func classNames(below base: String) -> Set<String> {
    Set(
      survey.sources.compactMap { path, facts in
        guard path.hasPrefix(base), let package = facts.package else { return nil }
        return "\(package).\(NamedFiles.name(path).prefix { $0 != "." })"
      })
  }

  /// A jar or AAR that lies elsewhere than in the library's own `libs`. `made`: the classes of a module's sources.
  private mutating func add(_ file: StarterFile, besides made: Set<String>?) {
    let known =
      library.paths.values.contains { $0.contains(file.path) } || library.leftOut.contains { $0.path == file.path }
    guard !known else { return }
    if file.name.hasSuffix("-sources.jar") || file.name.hasSuffix("-javadoc.jar") {
      leftOut.append((file.path, "sources and documentation of a library"))
    } else if !tree.isZip(file.path) {
      leftOut.append((file.path, "it is no zip archive"))
    } else if let made {
      let classes = file.kind == .jar ? tree.classes(ofJar: file.path).filter { !$0.contains("$") } : []
      guard !classes.isEmpty, classes.count(where: made.contains) * 2 >= classes.count else {
        leftOut.append((file.path, "outside of the module: add it to libs, or an AAR to embed, if the plugin needs it"))
        return
      }
      leftOut.append((file.path, "made of the module's sources already"))
    } else {
      let key = file.kind == .aar ? "embed" : "libs"
      let names = (library.paths[key] ?? []).map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      guard !names.contains(file.name) else {
        leftOut.append((file.path, "another of that name is packed"))
        return
      }
      library.add(key, [file.path])
      if file.kind == .jar { library.noteSignature(of: file.path, tree) }
    }
  }

  /// Of sources or libraries those that a description names, if one does: others may be templates, or older ones.
  private mutating func narrowed(
    _ files: [StarterFile], by names: KeyPath<ProjectDescription, [String]>
  ) -> [StarterFile] {
    guard library.module == nil else { return files }
    let (kept, others) = survey.named(files, by: names)
    leftOut += others
    return kept
  }

  private mutating func addCode(_ sources: [StarterFile]) {
    guard library.paths["classes"]?.isEmpty != false else {
      for file in sources { leftOut.append((file.path, "compiled classes of the plugin are packed")) }
      return
    }
    let kotlin = sources.filter { $0.kind == .source(.kotlin) }
    let choice = SourceChoice(java: sources.filter { $0.kind == .source(.java) }, survey)
    let java = choice.taken
    let jars = library.paths["libs"] ?? []
    let compiled = JavaSources(
      java, jars: jars, manifest: manifest.path, res: library.paths["res"] ?? [], survey)
    if let build = GradleBuild(library, survey), !sources.isEmpty,
      build.isNative || !kotlin.isEmpty || !compiled.isComplete
    {
      add(build, sources)
      return
    }
    for file in kotlin {
      leftOut.append((file.path, "Kotlin: add a step that calls kotlinc or Gradle, and its output to classes"))
    }
    guard !java.isEmpty else { return }
    leftOut += choice.leftOut
    self.java = compiled
    library.add("classes", [tree.made + "/classes"])
    taken.formUnion(java.map(\.path))
  }

  private mutating func add(_ build: GradleBuild, _ sources: [StarterFile]) {
    let inputs = build.inputs
    gradle = build.step(inputs)
    library.add("classes", [build.classes])
    let folder = library.base.isEmpty ? "" : library.base + "/"
    func isRead(_ file: StarterFile) -> Bool { file.path.hasPrefix(folder) || inputs.isNamed(file.path) }
    if build.isNative { library.add("jni", [build.libraries]) }
    let compiled = survey.files.filter { build.isNative && $0.isNativeSource || $0.ending == ".aidl" }
    taken.formUnion(compiled.filter(isRead).map(\.path))
    for file in sources where !isRead(file) {
      leftOut.append((file.path, "outside of the module that Gradle builds, unless its sourceSets name it"))
    }
    taken.formUnion(sources.filter(isRead).map(\.path))
  }

  /// Whether it would pack anything.
  var hasContent: Bool {
    isReady && library.paths.contains { key, paths in key != "proguard" && !paths.isEmpty }
  }

  // MARK: - The manifest

  private var manifest: LibraryManifest { LibraryManifest(library, minimum: minimum, survey) }

  /// An API level, of the module or of what else describes the plugin, and no lower than those of what is embedded.
  private var minimum: String? {
    let embedded = (library.paths["embed"] ?? []).compactMap { tree.manifest(ofAAR: $0)?.minSDK }
    let said = library.module?.minSDK ?? survey.descriptions.lazy.compactMap(\.minimumAndroidSDK).first
    return (embedded + (said.map { [$0] } ?? [])).compactMap { Int($0) }.max().map(String.init)
  }

  /// Whether the deliverable is one that builds.
  var isReady: Bool { manifest.isReady }

  /// Why it is none, for whoever has to mend it.
  var obstacle: String? { manifest.obstacle }

  /// What of the app's manifest is in none, and what a step wants.
  var notes: [String] { manifest.notes + ndk.notes }

  /// The steps that a build needs.
  var steps: [String] {
    isReady
      ? manifest.step + native.step + (ndk.build?.steps ?? []) + (resources?.step ?? []) + gradle + (java?.step ?? [])
      : []
  }

  // MARK: - The deliverable

  var deliverable: [String] {
    var lines = ["  android:", "    kind: aar", "    manifest: \(manifest.path.inYAML)"]
    if let level = unsaidMinimum {
      lines.append(
        "    # Gradle's minSdk is not in it: <uses-sdk android:minSdkVersion=\"\(level)\"/> would tell the host.")
    }
    lines += entry("classes")
    lines += entry("libs")
    if library.isSigned {
      lines.append("    # A jar of these is signed; packed anew it no longer is.")
      lines.append("    strip-signatures: true")
    }
    lines += ["res", "assets", "jni", "proguard", "embed"].flatMap(entry)
    return head + further + (isReady ? lines : lines.map { "  # \($0.dropFirst(2))" })
  }

  private var head: [String] {
    guard let reason = obstacle else { return ["  # An Android library."] }
    return ["  # An Android library; take the # away once", "  # \(reason)."]
  }

  private var further: [String] {
    guard !others.isEmpty else { return [] }
    let folders = others.map { $0.isEmpty ? "." : $0 }.joined(separator: ", ")
    return ["  # Other libraries are here, each for an AAR of its own: \(folders)."]
  }

  /// Gradle writes its own into what it packs.
  private var unsaidMinimum: String? {
    library.manifest != nil && library.manifest?.content?.minSDK == nil ? library.module?.minSDK : nil
  }

  private func entry(_ key: String) -> [String] {
    let paths = library.paths[key] ?? []
    return switch paths.count {
    case 0: []
    case 1: ["    \(key): \(paths[0].inYAML)"]
    default: ["    \(key):"] + paths.map { "      - \($0.inYAML)" }
    }
  }
}
