import Android
import Artifacts
import Documents

/// The Android library of a tree, as the deliverable `aar` takes it. Paths are relative to the tree.
struct AndroidLibrary: Sendable {
  /// Where manifest, resources and sources are: `src/main` of a Gradle module, the library itself elsewhere.
  let folder: String
  /// The module's, or the same as `folder`.
  let base: String
  let module: GradleModule?
  /// Where the manifest is, or would be: Gradle does without.
  let manifestPath: String
  let manifest: AndroidManifestFile?
  /// The Java package of R, if anything names one.
  private(set) var package: String?
  /// Where its package comes from, if neither manifest nor module names one.
  private(set) var packageOrigin: String?
  /// By the keys of the deliverable.
  private(set) var paths: [String: [String]] = [:]
  /// One of `libs` is signed, and packed anew it no longer is.
  private(set) var isSigned = false
  /// What is there and cannot, or should not, be packed, and why.
  private(set) var leftOut: [(path: String, reason: String)] = []

  /// `sourcePackages`: of the sources in it.
  init(_ tree: StarterTree, folder: String, base: String, module: GradleModule?, sourcePackages: [String] = []) {
    self.folder = folder
    self.base = base
    self.module = module
    manifestPath = StarterTree.join(folder, "AndroidManifest.xml")
    manifest = tree.isFile(manifestPath) ? AndroidManifestFile(manifestPath, tree.bytes(manifestPath)) : nil
    var names = [manifest?.content?.package, module?.namespace].compactMap { $0 }
    // Resources have the one package that the sources name them by, which only Gradle knows.
    if names.isEmpty, !tree.isFolder(StarterTree.join(folder, "res")), let name = LooseAndroid.likeliest(sourcePackages)
    {
      names = [name]
      packageOrigin = "the package of the sources"
    }
    package = names.first(where: AndroidLibrary.isPackage)
    take("res", tree)
    take("assets", tree)
    for folder in Set([folder, base]).sorted() { findLibraries(tree, in: StarterTree.join(folder, "libs")) }
    let named = module.map { $0.consumerRules } ?? ["consumer-rules.pro", "proguard.txt"]
    paths["proguard"] = named.map { StarterTree.join(base, $0) }.filter {
      AndroidLibrary.isPlain($0) && tree.isFile($0)
    }
    findCode(tree)
  }

  /// What lies about without a manifest: jars, AARs, libraries, sources. `near`: their folders.
  init(loose tree: StarterTree, near folders: [String], package: String, origin: String) {
    (folder, base, module, manifestPath, manifest) = ("", "", nil, "AndroidManifest.xml", nil)
    self.package = package
    packageOrigin = origin
    for folder in folders {
      let found = AndroidLibrary(tree, folder: folder, base: folder, module: nil)
      for key in ["res", "assets", "proguard"] where key != "assets" || !folder.isEmpty {
        paths[key, default: []] += found.paths[key] ?? []
        leftOut += found.leftOut.filter { $0.path == StarterTree.join(folder, key) }
      }
    }
  }

  /// More of what a key takes.
  mutating func add(_ key: String, _ more: [String]) {
    for path in more where paths[key]?.contains(path) != true { paths[key, default: []].append(path) }
  }

  /// What turns out to be no part of it.
  mutating func remove(_ others: Set<String>) {
    for key in paths.keys { paths[key]?.removeAll(where: others.contains) }
  }

  mutating func setPackage(_ name: String, origin: String) { (package, packageOrigin) = (name, origin) }

  mutating func noteSignature(of jar: String, _ tree: StarterTree) { isSigned = isSigned || tree.isSigned(jar) }

  /// Whether an AAR can have a package of that name: two parts at least, and no word of Java's own.
  static func isPackage(_ name: String) -> Bool {
    (try? AndroidManifest(Array("<manifest package=\"\(name)\"/>".utf8)))?.package == name
  }

  /// A path that a manifest can hold, inside of the tree.
  private static func isPlain(_ path: String) -> Bool {
    !path.utf8.contains { "\\*?[{$".utf8.contains($0) } && !path.split(separator: "/").contains("..")
  }

  private mutating func take(_ name: String, _ tree: StarterTree) {
    let path = StarterTree.join(folder, name)
    // What tells people what to put there is no asset.
    guard tree.isFolder(path), tree.below(path).contains(where: { !$0.name.lowercased().hasPrefix("readme") }) else {
      return
    }
    let problem = name == "res" ? tree.problem(ofResources: path) : tree.problem(ofFolder: path)
    if let problem { leftOut.append((path, problem)) } else { paths[name] = [path] }
  }

  private mutating func findLibraries(_ tree: StarterTree, in folder: String) {
    for name in tree.names(folder) {
      let path = StarterTree.join(folder, name)
      let isAAR = name.hasSuffix(".aar")
      guard isAAR || name.hasSuffix(".jar"), !name.hasSuffix("-sources.jar"), !name.hasSuffix("-javadoc.jar") else {
        continue
      }
      if let reason = module?.reasonToLeaveOut(name) {
        leftOut.append((path, reason))
      } else if !tree.isZip(path) {
        leftOut.append((path, "it is no zip archive"))
      } else {
        paths[isAAR ? "embed" : "libs", default: []].append(path)
        isSigned = isSigned || !isAAR && tree.isSigned(path)
      }
    }
  }

  /// What Gradle compiles comes and goes with its build, so only other classes are named.
  private mutating func findCode(_ tree: StarterTree) {
    var classes: [String] = []
    if module == nil {
      for folder in Set([folder, ""]).sorted() {
        for name in ["classes.jar", "bin/classes.jar", "build/classes.jar"] {
          let path = StarterTree.join(folder, name)
          if tree.isZip(path) { classes.append(path) }
        }
        for name in ["classes", "bin/classes", "build/classes", "out/classes"] {
          let path = StarterTree.join(folder, name)
          if tree.isFolder(path) {
            classes += tree.classRoots(path).filter { AndroidLibrary.isPlain($0) && !$0.contains("/test") }
          }
        }
      }
    }
    paths["classes"] = classes
  }
}

extension AndroidLibrary {
  /// Of the manifest itself; what cannot be part of a file's name is the user's to write.
  var manifestVersion: String? {
    let text = manifest?.content?.root["versionName", namespace: AndroidManifest.android]
    return text.flatMap { GradleModule.isVersion($0) ? $0 : nil }
  }
}

/// An AndroidManifest.xml of the tree.
struct AndroidManifestFile: Sendable {
  let path: String
  /// Nil if it cannot be read.
  private(set) var content: AndroidManifest?
  private(set) var problem: String?
  let text: String

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    text = String(decoding: bytes, as: UTF8.self)
    do throws(UnreadableEntry) { content = try AndroidManifest(bytes) } catch { problem = error.reason }
  }

  var folder: String { String(path.dropLast("AndroidManifest.xml".utf8.count + (path.contains("/") ? 1 : 0))) }

  /// Whether it has an entry in the launcher.
  var isApp: Bool { !launchers.isEmpty }

  /// The class that the launcher starts, without its package.
  var launched: String? {
    let name = launchers.first.flatMap { $0.android("targetActivity") ?? $0.android("name") }
    return name?.split(separator: ".").last.map(String.init)
  }

  private var launchers: [XMLTag] {
    let activities = content?.root.children.flatMap(\.children) ?? []
    return activities.filter { activity in
      activity.children.flatMap(\.children).contains {
        $0.name == "category" && $0.android("name") == "android.intent.category.LAUNCHER"
      }
    }
  }

  /// Whether `sed` with this makes it the manifest of the package.
  func takes(package: String, by replacement: (from: String, to: String)) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.replacing(replacement.from, with: replacement.to, maxReplacements: 1)
    }
    return (try? AndroidManifest(Array(lines.joined(separator: "\n").utf8)))?.package == package
  }
}
