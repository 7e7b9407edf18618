/// How Gradle makes what of a module it alone can: a step, indented as it stands.
struct GradleBuild: Sendable {
  let library: AndroidLibrary
  let module: GradleModule
  private let survey: TreeSurvey
  private var tree: StarterTree { survey.tree }

  private static let task = "bundleLibCompileToJarRelease"
  static let settings = ["settings.gradle", "settings.gradle.kts"]

  init?(_ library: AndroidLibrary, _ survey: TreeSurvey) {
    guard let module = library.module else { return nil }
    (self.survey, self.library, self.module) = (survey, library, module)
  }

  /// Where the classes are gathered.
  var classes: String {
    StarterTree.join(
      library.base, "build/intermediates/compile_library_classes_jar/release/\(GradleBuild.task)/classes.jar")
  }

  /// Where this version of the Android plugin gathers libraries.
  var libraries: String {
    StarterTree.join(library.base, "build/intermediates/merged_native_libs/release/mergeReleaseNativeLibs/out/lib")
  }

  /// Whether Gradle has CMake or ndk-build make libraries.
  var isNative: Bool { module.isNative }

  /// Whether Gradle has ndk-build read a script.
  func makes(_ script: String) -> Bool {
    isNative && (library.base.isEmpty || script.hasPrefix(library.base + "/") || inputs.isNamed(script))
  }

  /// Whether Gradle knows it: the folder that Gradle runs in is the module's, or the settings there name it.
  var isProject: Bool {
    let root = root
    if module.folder == root { return true }
    let name = module.folder.split(separator: "/").last ?? ""
    return GradleBuild.settings.contains { tree.text(StarterTree.join(root, $0)).contains(name) }
  }

  /// The folder that Gradle runs in.
  private var root: String {
    var parts = library.base.split(separator: "/")
    while true {
      let folder = parts.joined(separator: "/")
      if (GradleBuild.settings + ["gradlew"]).contains(where: { tree.isFile(StarterTree.join(folder, $0)) }) {
        return folder
      }
      if parts.popLast() == nil { return library.base }
    }
  }

  var inputs: GradleInputs { GradleInputs(module, root: root, survey) }

  func step(_ inputs: GradleInputs) -> [String] {
    let root = root
    let inside = module.folder.dropFirst(root.isEmpty || module.folder == root ? 0 : root.count + 1)
    let name = module.folder == root ? "" : inside.split(separator: "/").map { ":\($0)" }.joined()
    let program = tree.isFile(StarterTree.join(root, "gradlew")) ? "./gradlew" : "gradle"
    let tasks = ["\(name):\(GradleBuild.task)"] + (isNative ? ["\(name):mergeReleaseNativeLibs"] : [])
    let isKotlin = !survey.files { $0 == .source(.kotlin) }.isEmpty
    let noDaemon = ["--no-daemon"] + (isKotlin ? ["-Pkotlin.compiler.execution.strategy=in-process"] : [])
    var lines = [
      "  # Gradle makes the classes, with an SDK: env: { ANDROID_HOME: /path/to/sdk }, or sdk.dir in local.properties.",
      "  # (Older Android plugins put classes.jar into release/ itself.)",
      "  # No daemon: one that runs already would see another tree than a sandbox shows.",
    ]
    if inputs.areMany {
      lines += [
        "  # In the sandbox, as CI has it, a step of so many files can write beside its outputs only, and Gradle writes to",
        "  # .gradle and to build of each module: build it with --no-sandbox there.",
      ]
    }
    let words = [program] + (tasks + noDaemon).map(\.inYAML)
    lines += ["  classes:", "    run: [\(words.joined(separator: ", "))]"]
    if !root.isEmpty { lines.append("    directory: \(root.inYAML)") }
    lines += ["    inputs:"] + inputs.patterns.map { "      - \($0.inYAML)" }
    let outputs = [classes] + (isNative ? [libraries] : [])
    lines.append("    outputs: [\(outputs.map(\.inYAML).joined(separator: ", "))]")
    return lines
  }
}
