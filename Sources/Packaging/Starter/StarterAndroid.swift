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
  /// What javac compiles; nil if nothing, or if Gradle does.
  private var java: JavaSources?
  private var gradle: [String] = []

  /// Nil if nothing in the tree is for Android.
  init?(_ survey: TreeSurvey) {
    self.survey = survey
    let loose = LooseAndroid(survey)
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
      guard let found = loose.library else { return nil }
      (library, others) = (found, [])
    }
    if library.package == nil, library.module == nil, !survey.tree.isFolder(StarterTree.join(library.folder, "res")) {
      let (name, origin) = loose.package
      library.setPackage(name, origin: origin)
    }
    let otherFolders = others.map { $0 + "/" }
    let base = library.base.isEmpty ? "" : library.base + "/"
    func isOwn(_ file: StarterFile) -> Bool {
      !otherFolders.contains { $0 != "/" && !base.hasPrefix($0) && file.path.hasPrefix($0) }
    }
    native = NativeLibraries(loose.libraries.filter(isOwn), survey.tree)
    library.add("jni", native.paths)
    leftOut += native.leftOut
    taken.formUnion(native.copies.map(\.path))
    for file in archives.filter(isOwn) { add(file, isOfModule: library.module != nil) }
    addResources()
    addCode(narrowed(sources.filter(isOwn)))
    for paths in library.paths.values { taken.formUnion(paths) }
    leftOut += library.leftOut.filter { left in !leftOut.contains { $0.path == left.path } }
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

  /// A jar or AAR that lies elsewhere than in the library's own `libs`.
  private mutating func add(_ file: StarterFile, isOfModule: Bool) {
    let known =
      library.paths.values.contains { $0.contains(file.path) } || library.leftOut.contains { $0.path == file.path }
    guard !known else { return }
    if file.name.hasSuffix("-sources.jar") || file.name.hasSuffix("-javadoc.jar") {
      leftOut.append((file.path, "sources and documentation of a library"))
    } else if !tree.isZip(file.path) {
      leftOut.append((file.path, "it is no zip archive"))
    } else if isOfModule {
      leftOut.append((file.path, "outside of the module: add it to libs, or an AAR to embed, if the plugin needs it"))
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

  /// Folders of resources that a description names files of; what it puts elsewhere than where it lies is the user's to do.
  private mutating func addResources() {
    for description in survey.descriptions where description.kind != .gradle {
      for path in description.androidResources where tree.kind(path) != nil {
        let parts = path.split(separator: "/")
        let isPacked = library.paths["res"]?.contains { path.hasPrefix($0 + "/") } ?? false
        if isPacked { continue }
        guard let index = parts.dropLast().firstIndex(of: "res") else {
          leftOut.append(
            (path, "\(description.path) puts it into res: copy it into such a folder, and add that to res"))
          continue
        }
        let folder = parts[...index].joined(separator: "/")
        if tree.problem(ofFolder: folder) == nil { library.add("res", [folder]) }
      }
    }
  }

  /// The sources that a description names, if one does: others may be templates.
  private mutating func narrowed(_ sources: [StarterFile]) -> [StarterFile] {
    guard library.module == nil else { return sources }
    let (kept, others) = survey.named(sources, by: \.androidSources)
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

  /// Whether the deliverable is one that builds.
  var isReady: Bool { if case .none = manifest.source { false } else { true } }

  /// Why it is none, for whoever has to mend it.
  var obstacle: String? { if case .none(let reason) = manifest.source { reason } else { nil } }

  private var manifest: AndroidManifestSource { AndroidManifestSource(library, survey) }

  /// What is said of it, for the user.
  var choices: [String] { manifest.texts }

  /// The steps that a build needs.
  var steps: [String] {
    guard isReady else { return [] }
    var lines: [String] = []
    if case .step(let command, let comment) = manifest.source {
      let inputs = library.manifest.map { ["    inputs: [\($0.path.inYAML)]"] } ?? []
      lines += ["  # \(comment)", "  android-manifest:", "    shell: |", "      \(command)"] + inputs
      lines.append("    outputs: [\(manifest.path)]")
    }
    return lines + native.step + gradle + (java?.step ?? [])
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
