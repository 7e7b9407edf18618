/// How Gradle makes what of a module it alone can: a step, indented as it stands.
struct GradleBuild: Sendable {
  let tree: StarterTree
  let library: AndroidLibrary
  let module: GradleModule

  private static let task = "bundleLibCompileToJarRelease"
  private static let settings = ["settings.gradle", "settings.gradle.kts"]

  init?(_ library: AndroidLibrary, _ tree: StarterTree) {
    guard let module = library.module else { return nil }
    (self.tree, self.library, self.module) = (tree, library, module)
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
  var isNative: Bool {
    ["build.gradle", "build.gradle.kts"].contains { name in
      tree.text(StarterTree.join(module.folder, name)).contains("externalNativeBuild")
    }
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

  var step: [String] {
    let root = root
    let inside = module.folder.dropFirst(root.isEmpty || module.folder == root ? 0 : root.count + 1)
    let name = module.folder == root ? "" : inside.split(separator: "/").map { ":\($0)" }.joined()
    let program = tree.isFile(StarterTree.join(root, "gradlew")) ? "./gradlew" : "gradle"
    let tasks = ["\(name):\(GradleBuild.task)"] + (isNative ? ["\(name):mergeReleaseNativeLibs"] : [])
    var lines = [
      "  # Gradle makes the classes, with an SDK: env: { ANDROID_HOME: /path/to/sdk }, or sdk.dir in local.properties.",
      "  # (Older Android plugins put classes.jar into release/ itself.)",
      "  classes:", "    run: [\(([program] + tasks.map(\.inYAML)).joined(separator: ", "))]",
    ]
    if !root.isEmpty { lines.append("    directory: \(root.inYAML)") }
    let build = ["build.gradle", "build.gradle.kts"].map { StarterTree.join(module.folder, $0) }.filter(tree.isFile)
    let source = StarterTree.join(library.folder, library.folder == library.base ? "src/**" : "**")
    lines.append("    inputs: [\((build + [source]).map(\.inYAML).joined(separator: ", "))]")
    let outputs = [classes] + (isNative ? [libraries] : [])
    lines.append("    outputs: [\(outputs.map(\.inYAML).joined(separator: ", "))]")
    return lines
  }
}
