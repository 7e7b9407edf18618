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
  let package: String?
  /// By the keys of the deliverable.
  private(set) var paths: [String: [String]] = [:]
  /// Folders of Java sources that no class was found of.
  private(set) var sources: [String] = []
  /// One of `libs` is signed, and packed anew it no longer is.
  private(set) var isSigned = false
  /// What is there and cannot, or should not, be packed, and why.
  private(set) var leftOut: [(path: String, reason: String)] = []

  init(_ tree: StarterTree, folder: String, base: String, module: GradleModule?) {
    self.folder = folder
    self.base = base
    self.module = module
    manifestPath = StarterTree.join(folder, "AndroidManifest.xml")
    manifest = tree.isFile(manifestPath) ? AndroidManifestFile(manifestPath, tree.bytes(manifestPath)) : nil
    let names = [manifest?.content?.package, module?.namespace].compactMap { $0 }
    package = names.first { (try? AndroidManifest(Array("<manifest package=\"\($0)\"/>".utf8)))?.package == $0 }
    take("res", tree)
    take("assets", tree)
    findNative(tree)
    for folder in Set([folder, base]).sorted() { findLibraries(tree, in: StarterTree.join(folder, "libs")) }
    let named = module.map { $0.consumerRules } ?? ["consumer-rules.pro", "proguard.txt"]
    paths["proguard"] = named.map { StarterTree.join(base, $0) }.filter {
      AndroidLibrary.isPlain($0) && tree.isFile($0)
    }
    findCode(tree)
  }

  /// A path that a manifest can hold, inside of the tree.
  private static func isPlain(_ path: String) -> Bool {
    !path.utf8.contains { "\\*?[{$".utf8.contains($0) } && !path.split(separator: "/").contains("..")
  }

  private mutating func take(_ name: String, _ tree: StarterTree) {
    let path = StarterTree.join(folder, name)
    guard tree.isFolder(path), !tree.below(path).isEmpty else { return }
    let problem = tree.problem(ofFolder: path)
    if let problem { leftOut.append((path, problem)) } else { paths[name] = [path] }
  }

  /// `libs` where jars and libraries lie together, as they did for Eclipse, cannot be named as a whole.
  private mutating func findNative(_ tree: StarterTree) {
    let places = [(folder, "jniLibs"), (folder, "jni"), (folder, "libs"), (base, "jniLibs"), (base, "libs")]
    var seen: Set<String> = []
    for (folder, name) in places {
      let path = StarterTree.join(folder, name)
      guard seen.insert(path).inserted, tree.isFolder(path) else { continue }
      let (problem, isOne) = tree.nativeLibraries(path)
      guard isOne else { continue }
      if let problem {
        leftOut.append(("the libraries in \(path)", problem))
      } else {
        paths["jni", default: []].append(path)
      }
    }
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
    guard classes.isEmpty else { return }
    let names = folder == base ? ["src/main/java", "src", "java"] : ["java"]
    sources =
      names.map { StarterTree.join(folder, $0) }.first { tree.hasFile(below: $0, ending: ".java") }.map { [$0] } ?? []
  }
}

/// An AndroidManifest.xml of the tree.
struct AndroidManifestFile: Sendable {
  let path: String
  /// Nil if it cannot be read.
  private(set) var content: AndroidManifest?
  private(set) var problem: String?
  private let bytes: [UInt8]

  init(_ path: String, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    do throws(UnreadableEntry) { content = try AndroidManifest(bytes) } catch { problem = error.reason }
  }

  var folder: String { String(path.dropLast("AndroidManifest.xml".utf8.count + (path.contains("/") ? 1 : 0))) }

  /// Whether it has an entry in the launcher.
  var isApp: Bool {
    let filters = content?.root.children.flatMap(\.children).flatMap(\.children).flatMap(\.children) ?? []
    return filters.contains {
      $0.name == "category" && $0["name", namespace: AndroidManifest.android] == "android.intent.category.LAUNCHER"
    }
  }

  /// Whether `sed` with this makes it the manifest of the package.
  func takes(package: String, by replacement: (from: String, to: String)) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.replacing(replacement.from, with: replacement.to, maxReplacements: 1)
    }
    return (try? AndroidManifest(Array(lines.joined(separator: "\n").utf8)))?.package == package
  }
}
