/// Which of a tree's Android modules and manifests is the plugin's library.
struct AndroidSearch: Sendable {
  let tree: StarterTree
  let modules: [GradleModule]
  let manifests: [AndroidManifestFile]
  /// Where the classes are that the host may make first.
  let fragments: [String]
  /// Where sources are, and the packages that they say to be in.
  let packages: [(path: String, package: String)]

  enum Outcome {
    /// `others` are the folders of further libraries.
    case library(AndroidLibrary, others: [String])
    /// Only an application is there.
    case application(String)
    case nothing
  }

  private struct Candidate {
    let folder: String
    let base: String
    let module: GradleModule?
  }

  private let manifestFolders: Set<String>
  private let modulesByFolder: [String: GradleModule]

  init(
    _ tree: StarterTree, _ modules: [GradleModule], _ manifests: [AndroidManifestFile], fragments: [String],
    packages: [(path: String, package: String)]
  ) {
    (self.tree, self.modules, self.manifests) = (tree, modules, manifests)
    (self.fragments, self.packages) = (fragments, packages)
    manifestFolders = Set(manifests.map(\.folder))
    modulesByFolder = Dictionary(modules.map { ($0.folder, $0) }) { first, _ in first }
  }

  func find() -> Outcome {
    let found = modules.contains { $0.kind == .library } ? gradleLibraries : plainLibraries
    // The folders of libraries by the names that they need.
    var neededBy: [String: [String]] = [:]
    for module in modules where module.kind == .library {
      for name in Set(module.needs) { neededBy[name, default: []].append(module.folder) }
    }
    // A variant's name begins with that of the module itself.
    let sorted = found.sorted { ($0.base.utf8.count, $0.folder) < ($1.base.utf8.count, $1.folder) }
      .map { (rank: rank($0, neededBy), candidate: $0) }
      .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.candidate)
    if let first = sorted.first {
      let prefix = first.base.isEmpty ? "" : first.base + "/"
      let packages = packages.filter { $0.path.hasPrefix(prefix) }.map(\.package)
      let library = AndroidLibrary(
        tree, folder: first.folder, base: first.base, module: first.module, sourcePackages: packages)
      return .library(library, others: sorted.dropFirst().filter { !isSample($0.folder) }.map(\.base))
    }
    if let module = modules.first(where: { $0.kind == .application }) { return .application(module.folder) }
    if let manifest = manifests.first(where: { $0.isApp && !isOfTests($0.folder) }) {
      return .application(manifest.folder)
    }
    return .nothing
  }

  private var gradleLibraries: [Candidate] {
    modules.filter { $0.kind == .library }.map { module in
      let names = ["src/main", "src/androidMain"].map { StarterTree.join(module.folder, $0) }
      let main = names.first(where: has) ?? names[0]
      // Trees that were made for Eclipse keep everything at the module's root.
      let isFlat = !has(main) && has(module.folder)
      return Candidate(folder: isFlat ? module.folder : main, base: module.folder, module: module)
    }
  }

  private var plainLibraries: [Candidate] {
    manifests.compactMap { manifest in
      let folder = manifest.folder
      let parts = folder.split(separator: "/")
      let isMain = parts.suffix(2) == ["src", "main"]
      let base = isMain ? parts.dropLast(2).joined(separator: "/") : folder
      let module = modulesByFolder[base]
      // R.txt beside the manifest: an AAR that somebody unpacked.
      guard !manifest.isApp, !isOfTests(folder), ![.application, .test].contains(module?.kind),
        !tree.isFile(StarterTree.join(folder, "R.txt"))
      else { return nil }
      return Candidate(folder: folder, base: base, module: module)
    }
  }

  /// The smallest is the best: no sample, needed by no other, with the host's class, with resources, highest up.
  private func rank(_ candidate: Candidate, _ neededBy: [String: [String]]) -> [Int] {
    let name = candidate.base.split(separator: "/").last.map(String.init)
    let isNeeded = (name.flatMap { neededBy[$0] } ?? []).contains { folder in
      // `scan-compose` adds to `scan`, and is no plugin that `scan` is a part of.
      let isAddition = folder.split(separator: "/").last?.hasPrefix((name ?? "") + "-") ?? false
      return folder != candidate.base && !isAddition
    }
    let prefix = candidate.base.isEmpty ? "" : candidate.base + "/"
    let conditions = [
      isSample(candidate.folder), isNeeded, !fragments.contains { $0.hasPrefix(prefix) },
      !tree.isFolder(StarterTree.join(candidate.folder, "res")),
    ]
    return conditions.map { $0 ? 1 : 0 } + [candidate.folder.split(separator: "/").count]
  }

  private func has(_ folder: String) -> Bool { manifestFolders.contains(folder) }

  /// Of tests, or of one build type or flavour: those add to `src/main`.
  private func isOfTests(_ folder: String) -> Bool {
    let parts = folder.split(separator: "/").map(String.init)
    if let index = parts.lastIndex(of: "src"), parts.count == index + 2, parts[index + 1] != "main" {
      if has((parts[...index] + ["main"]).joined(separator: "/")) { return true }
    }
    let tests = ["test", "tests", "androidtest", "androidtests", "instrumenttest", "unittest", "testfixtures"]
    return parts.contains { tests.contains($0.lowercased()) }
  }

  private func isSample(_ folder: String) -> Bool {
    folder.split(separator: "/").contains {
      ["sample", "samples", "example", "examples", "demo", "demos"].contains($0.lowercased())
    }
  }
}
