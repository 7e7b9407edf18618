import Android
import Artifacts
import Findings

/// What a first manifest says of an Android library: a deliverable, and a step that compiles; indented as they stand.
struct StarterAndroid: Sendable {
  let library: AndroidLibrary
  /// The folders of further libraries.
  let others: [String]
  let tree: StarterTree

  // MARK: - The manifest

  private enum Source {
    case file(String)
    /// Made by a command.
    case step(String, comment: String)
    case none(reason: String)
  }

  private static let madeManifest = "build/AndroidManifest.xml"

  /// Gradle's `namespace` is the manifest's `package` since its Android plugin 7.3; from 8 on that should be absent.
  private var source: Source {
    let path = library.manifestPath
    guard let file = library.manifest else {
      guard let package = library.package else {
        return .none(reason: "there is \(path) with package=\"com.example.plugin\" in <manifest>")
      }
      return .step(
        "echo '<manifest package=\"\(package)\"/>' > \(StarterAndroid.madeManifest)",
        comment: "There is no \(path): one with Gradle's namespace.")
    }
    if let problem = file.problem { return .none(reason: "\(path) can be read: \(problem)") }
    if file.content?.package?.isEmpty == false { return .file(path) }
    let edit = ("<manifest", "<manifest package=\"\(library.package ?? "")\"")
    guard let package = library.package, file.takes(package: package, by: edit) else {
      return .none(reason: "\(path) says package=\"com.example.plugin\" in <manifest>")
    }
    return .step(
      "sed 's/\(edit.0)/\(edit.1)/' \(ShellText.quoted(path: path)) > \(StarterAndroid.madeManifest)",
      comment: "\(path) names no package: Gradle's namespace is put in.")
  }

  /// Whether the deliverable is one that builds.
  var isReady: Bool { if case .none = source { false } else { true } }

  /// The steps that a first build needs.
  var steps: [String] {
    guard case .step(let command, let comment) = source else { return [] }
    let inputs = library.manifest.map { ["    inputs: [\($0.path.inYAML)]"] } ?? []
    return ["  # \(comment)", "  android-manifest:", "    shell: |", "      \(command)"] + inputs
      + ["    outputs: [\(StarterAndroid.madeManifest)]"]
  }

  // MARK: - Classes

  /// What the user has to complete: nobody knows where the SDK is. Empty if classes are there, or if there is no code.
  var exampleStep: (comment: [String], lines: [String]) {
    if let module = library.module, let made = gradleClasses { return gradleStep(module, made) }
    guard let folder = library.sources.first else { return ([], []) }
    let quoted = ShellText.quoted(path: folder)
    let libs = library.paths["libs"] ?? []
    let inputs = ["\(folder)/**/*.java"] + libs
    let jars = libs.map { ":" + ShellText.quoted(path: $0) }.joined()
    return (
      [
        "How javac makes the classes: name an SDK's android.jar, and take the # away here and before 'classes' below.",
        "(Sources that use R need its R.java among them, from 'aapt2 link --java'.)",
      ],
      [
        "  classes:",
        "    shell: |",
        "      rm -rf build/classes",
        "      find \(quoted) -name '*.java' > build/sources.txt",
        "      javac --release 7 -encoding UTF-8 -cp \"$ANDROID_JAR\"\(jars) -d build/classes @build/sources.txt",
        "    inputs: [\(inputs.map(\.inYAML).joined(separator: ", "))]",
        "    outputs: [build/classes, build/sources.txt]",
        "    env: { ANDROID_JAR: /path/to/sdk/platforms/android-22/android.jar, LC_ALL: C.UTF-8 }",
      ]
    )
  }

  private static let gradleTask = "bundleLibCompileToJarRelease"

  /// The file that this task of the Android plugin makes (older ones have no folder of the task's).
  private var gradleClasses: String? {
    guard library.module != nil else { return nil }
    let folder = "build/intermediates/compile_library_classes_jar/release"
    return StarterTree.join(library.base, "\(folder)/\(StarterAndroid.gradleTask)/classes.jar")
  }

  private func gradleStep(_ module: GradleModule, _ made: String) -> (comment: [String], lines: [String]) {
    let root = gradleRoot
    let inside = module.folder.dropFirst(root.isEmpty || module.folder == root ? 0 : root.count + 1)
    let name = module.folder == root ? "" : inside.split(separator: "/").map { ":\($0)" }.joined()
    let program = tree.isFile(StarterTree.join(root, "gradlew")) ? "./gradlew" : "gradle"
    let task = "\(name):\(StarterAndroid.gradleTask)"
    var lines = ["  classes:", "    run: [\(program), \(task.inYAML)]"]
    if !root.isEmpty { lines.append("    directory: \(root.inYAML)") }
    let build = ["build.gradle", "build.gradle.kts"].map { StarterTree.join(module.folder, $0) }.filter(tree.isFile)
    let source = StarterTree.join(library.folder, library.folder == library.base ? "src/**" : "**")
    lines.append("    inputs: [\((build + [source]).map(\.inYAML).joined(separator: ", "))]")
    lines.append("    outputs: [\(made.inYAML)]")
    lines.append("    env: { ANDROID_HOME: /path/to/sdk }")
    return (
      [
        "How Gradle makes the classes: name an SDK, and take the # away here and before 'classes' below.",
        "(Older Android plugins put classes.jar into release/ itself.)",
      ], lines
    )
  }

  /// The folder that Gradle runs in.
  private var gradleRoot: String {
    var parts = library.base.split(separator: "/")
    while true {
      let folder = parts.joined(separator: "/")
      let names = ["settings.gradle", "settings.gradle.kts", "gradlew"]
      if names.contains(where: { tree.isFile(StarterTree.join(folder, $0)) }) { return folder }
      if parts.popLast() == nil { return library.base }
    }
  }

  // MARK: - The deliverable

  var deliverable: [String] {
    var manifest = library.manifestPath
    if case .step = source { manifest = StarterAndroid.madeManifest }
    var lines = ["  android:", "    kind: aar", "    manifest: \(manifest.inYAML)"]
    if let level = unsaidMinimum {
      lines.append(
        "    # Gradle's minSdk is not in it: <uses-sdk android:minSdkVersion=\"\(level)\"/> would tell the host.")
    }
    lines += entry("classes")
    if library.paths["classes"]?.isEmpty != false, !exampleStep.lines.isEmpty {
      lines.append("    # classes: \((gradleClasses ?? "build/classes").inYAML)")
    }
    lines += entry("libs")
    if library.isSigned {
      lines.append("    # A jar of these is signed; packed anew it no longer is.")
      lines.append("    strip-signatures: true")
    }
    lines += ["res", "assets", "jni", "proguard", "embed"].flatMap(entry)
    for (path, reason) in library.leftOut { lines.append("    # Left out: \(path) (\(reason)).") }
    return head + further + (isReady ? lines : lines.map { "  # \($0.dropFirst(2))" })
  }

  private var head: [String] {
    guard case .none(let reason) = source else { return ["  # An Android library."] }
    return ["  # An Android library; take the # away once", "  # \(reason)."]
  }

  private var further: [String] {
    guard !others.isEmpty else { return [] }
    let folders = others.map { $0.isEmpty ? "." : $0 }.joined(separator: ", ")
    return ["  # Other libraries are here, each for an AAR of its own: \(folders)."]
  }

  /// Gradle writes its own into what it packs.
  private var unsaidMinimum: String? {
    library.manifest?.content?.minSDK == nil ? library.module?.minSDK : nil
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
