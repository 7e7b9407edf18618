import Findings
import ObjectFiles

/// How ndk-build makes Android's libraries of an Android.mk: steps, indented as they stand.
struct NDKBuild: Sendable {
  /// The Android.mk.
  let path: String
  /// Those of other builds.
  let others: [String]
  /// Where ndk-build runs: it finds `jni/Android.mk` below that by itself.
  let directory: String
  /// What it reads.
  let inputs: NDKInputs
  private let script: MakeScript
  private let application: String?
  private let tree: StarterTree

  /// More are no plugin's own.
  private static let most = 64
  /// In bytes.
  private static let head = 1 << 14

  /// Nil if no script makes a shared library.
  init?(_ survey: TreeSurvey) {
    tree = survey.tree
    let order = survey.nativeScripts.filter { path in
      if case .other = PathSystem(path) { return false }
      return !survey.isOfApplication(path)
    }.map { (rank: [NDKBuild.isInPlace($0) ? 0 : 1, $0.split(separator: "/").count], path: $0) }
      .sorted { ($0.rank[0], $0.rank[1], $0.path) < ($1.rank[0], $1.rank[1], $1.path) }
    var found: (path: String, script: MakeScript)?
    var read: Set<String> = []
    var bytesLeft = MakeScript.mostBytes
    for (_, path) in order where found == nil && bytesLeft > 0 && !read.contains(path) {
      let script = MakeScript(path, directory: NDKBuild.directory(of: path), survey.tree)
      bytesLeft -= script.cost
      read.formUnion(script.scripts)
      if script.modules.contains(where: { $0.kind == .shared }) { found = (path, script) }
    }
    guard let found else { return nil }
    (path, script) = found
    let folder = StarterTree.folder(of: path)
    directory = NDKBuild.directory(of: path, script, survey.tree)
    application = [StarterTree.join(folder, "Application.mk")].first(where: survey.tree.isFile)
    // One that the other includes is the same build.
    others = order.map(\.path).prefix(NDKBuild.most).filter { other in
      !read.contains(other) && !other.hasPrefix(folder + "/")
        && survey.tree.text(other, limit: NDKBuild.head).contains("(BUILD_SHARED_LIBRARY)")
    }
    inputs = NDKInputs(script, in: folder, application, survey)
  }

  private static func isInPlace(_ path: String) -> Bool { path.split(separator: "/").dropLast().last == "jni" }

  private static func directory(of path: String) -> String {
    let folder = StarterTree.folder(of: path)
    return isInPlace(path) ? StarterTree.folder(of: folder) : folder
  }

  /// Many run it in `jni` itself: that it is where paths of headers lead to some.
  private static func directory(of path: String, _ script: MakeScript, _ tree: StarterTree) -> String {
    let (usual, folder) = (directory(of: path), StarterTree.folder(of: path))
    func count(_ base: String) -> Int {
      script.headerFolders.count { NamedFiles.normalized($0, in: base).map(tree.isFolder) ?? false }
    }
    return count(folder) > count(usual) ? folder : usual
  }

  // MARK: - What it makes

  /// `libscan.so`, of those whose names can be read.
  private var products: [String] { script.modules.filter { $0.kind == .shared }.compactMap(\.file) }

  /// One of its libraries, if all of them are there.
  func product(in files: [StarterFile]) -> StarterFile? {
    let (names, products) = (Set(files.map(\.name)), Set(products))
    guard computed.isEmpty, products.isSubset(of: names) else { return nil }
    return files.first { products.contains($0.name) }
  }

  /// All that it puts in order, as far as their names can be read.
  var outputs: Set<String> {
    let library = application.flatMap { MakeScript($0, tree).plainValue(of: "APP_STL") } ?? ""
    return Set(products + prebuilt.compactMap(\.file) + (library.hasSuffix("_shared") ? ["lib\(library).so"] : []))
  }

  /// Names of modules that only make knows.
  private var computed: [String] { script.modules.filter { $0.kind == .shared && $0.file == nil }.map(\.name) }

  private var prebuilt: [MakeScript.Module] { script.modules.filter { $0.kind == .prebuilt && $0.source != nil } }

  /// Libraries that are there already: ndk-build links against them, and copies them.
  var copied: Set<String> { Set(prebuilt.flatMap(places)) }

  /// What an app has from its engine.
  var namesOfEngine: Set<String> { Set(ofEngine.compactMap(\.file)) }

  private func places(of module: MakeScript.Module) -> [String] {
    guard let source = module.source else { return [] }
    guard source.contains(MakeScript.abi) else { return [source] }
    return AndroidABI.allCases.map { source.replacing(MakeScript.abi, with: $0.rawValue) }
  }

  private static let engines: Set<String> = [
    "libcorona.so", "libunity.so", "libil2cpp.so", "libgodot_android.so", "libcocos2dcpp.so", "libcocos2dlua.so",
    "libcocos2djs.so",
  ]

  /// What lies where an engine's library does, or would.
  private var ofEngine: [MakeScript.Module] {
    let folders = Set(
      prebuilt.filter { NDKBuild.engines.contains($0.file ?? "") }.map { StarterTree.folder(of: $0.source ?? "") })
    return prebuilt.filter { folders.contains(StarterTree.folder(of: $0.source ?? "")) }
  }

  /// What only whoever builds the plugin can put there: for the user.
  var notes: [String] {
    let missing = prebuilt.filter { !places(of: $0).contains(where: tree.isFile) }.compactMap(\.source)
    var notes: [String] = []
    if !others.isEmpty {
      let rest = others.count > 2 ? " and others" : ""
      notes = ["took \(path), and not \(others.prefix(2).joined(separator: ", "))\(rest) (each is a build of its own)"]
    }
    func note(_ names: [String], _ text: String) {
      guard !names.isEmpty else { return }
      let some = names.prefix(8).map { printable($0) }.joined(separator: ", ")
      notes.append("\(path) \(text): \(some)\(names.count > 8 ? " and \(names.count - 8) more" : "")")
    }
    note(missing, "wants libraries that are not in the tree (they are inputs of the step 'ndk', too)")
    note(script.unset.sorted(), "wants variables that it does not set, in the env of the step 'ndk'")
    note(computed, "computes names of libraries, which only ndk-build knows")
    if script.imports { notes.append("\(path) imports modules: say where they are, env: { NDK_MODULE_PATH: /path }") }
    return notes
  }

  // MARK: - The steps

  private var made: String { tree.made + "/ndk" }

  /// What 'jni' of the deliverable names.
  var libraries: String { unwanted.isEmpty ? "\(made)/libs" : "\(made)/jni" }

  var steps: [String] {
    let up = String(repeating: "../", count: directory.split(separator: "/").count)
    var words = ["ndk-build"]
    if !NDKBuild.isInPlace(path) {
      words += ["NDK_PROJECT_PATH=.", "APP_BUILD_SCRIPT=\(StarterTree.name(of: path))"]
      if application != nil { words.append("NDK_APPLICATION_MK=Application.mk") }
    }
    words += ["NDK_OUT=\(up)\(made)/obj", "NDK_LIBS_OUT=\(up)\(made)/libs", "NDK_DEBUG=0"]
    if let abis { words.append("APP_ABI=\(abis.map(\.rawValue).joined(separator: " "))") }
    let names = products.isEmpty ? "Android's libraries" : products.joined(separator: ", ")
    var lines = ["  # ndk-build makes \(names): the folder of an NDK has to be on the PATH."]
    lines += ["  ndk:", "    run: [\(words.map(\.inYAML).joined(separator: ", "))]"]
    if !directory.isEmpty { lines.append("    directory: \(directory.inYAML)") }
    lines += ["    inputs:"] + inputs.patterns.map { "      - \($0.inYAML)" } + ["    outputs: [\(made)/libs]"]
    return lines + selection
  }

  /// Those that Application.mk does not name, or names with such as no NDK has any more.
  private var abis: [AndroidABI]? {
    let current: [AndroidABI] = [.armv7, .arm64, .x86, .x86_64]
    let text = application.flatMap { MakeScript($0, tree).plainValue(of: "APP_ABI") } ?? "all"
    let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    let named = (current + [.riscv64]).filter { words.contains($0.rawValue) }
    if words.contains("all") || named.isEmpty { return current }
    return words.allSatisfy { word in named.contains { $0.rawValue == word } } ? nil : named
  }

  /// Commands that leave out what ndk-build puts beside the plugin's libraries.
  private var unwanted: [String] {
    let names = namesOfEngine.sorted()
    let files = names.map { "\(made)/jni/*/\(ShellText.quoted(path: $0))" }.joined(separator: " ")
    let hasPrograms = script.modules.contains { $0.kind == .program }
    return (names.isEmpty ? [] : ["rm -f \(files)"])
      + (hasPrograms ? ["find \(made)/jni -type f ! -name '*.so' -exec rm -f {} +"] : [])
  }

  private var selection: [String] {
    guard !unwanted.isEmpty else { return [] }
    let what = namesOfEngine.isEmpty ? "programs" : "what an app has from its engine"
    return [
      "  # Its libraries without \(what).", "  ndk-libraries:", "    shell: |",
      "      set -e; rm -rf \(made)/jni; cp -R \(made)/libs \(made)/jni",
    ] + unwanted.map { "      \($0)" } + ["    inputs: [\(made)/libs]", "    outputs: [\(made)/jni]"]
  }
}
