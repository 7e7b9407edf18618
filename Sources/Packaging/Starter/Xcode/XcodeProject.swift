/// What a project of Xcode says of its targets, in so many words.
struct XcodeProject: Sendable {
  struct Target: Sendable {
    let name: String
    /// `libRally.a`, `Rally.framework`.
    let product: String
    let isFramework: Bool
    /// Nil if nothing is known of it but its name.
    fileprivate var identifier: Substring?
  }

  let path: String
  let target: Target?
  /// What the target depends on, of the libraries and frameworks that the project makes: it is built along.
  let needed: [Target]
  /// The other ones for iOS.
  let others: [Target]
  /// The target is called as the plugin is.
  let makesPlugin: Bool
  /// Or as the project; else it is one of several.
  let isNamed: Bool
  /// It has targets, and an app for iOS is all that they make.
  let isApplication: Bool
  private let objects: XcodeObjects

  /// `plugin`: the names that descriptions give it.
  init(_ path: String, _ tree: StarterTree, plugin: [String]) {
    self.path = path
    let objects = XcodeObjects(tree.text(StarterTree.join(path, "project.pbxproj")))
    self.objects = objects
    let all = objects.targets.compactMap { XcodeProject.target($0, objects) }
    let stem = path.split(separator: "/").last.map { String($0.dropLast(".xcodeproj".count)) } ?? ""
    func isCalled(_ target: Target, _ names: [String]) -> Bool {
      let own = [target.name.lowercased(), AppleBinary.library(target.product).name]
      return names.contains { own.contains($0.lowercased()) }
    }
    // No other system's, and no test's.
    let fit = all.filter { target in
      let isOther = if case .other = PathSystem("\(target.name)/x") { true } else { false }
      return !isOther && FolderStanding(folder: target.name) == nil
    }
    let candidates = fit.isEmpty ? all : fit
    let counts = candidates.map { target in objects.closure(of: target.identifier ?? "").count }
    func rank(_ target: Target, _ count: Int) -> [Int] {
      let own = target.name == stem ? 0 : isCalled(target, [stem]) ? 1 : 2
      return [isCalled(target, plugin) ? 0 : 1, own, target.isFramework ? 1 : 0, -count]
    }
    let best = zip(candidates, counts)
      .min { rank($0.0, $0.1).lexicographicallyPrecedes(rank($1.0, $1.1)) }?.0
    let closure = best?.identifier.map(objects.closure) ?? []
    needed = closure.dropFirst().compactMap { XcodeProject.target($0, objects) }
    let built = Set(closure)
    others = fit.filter { target in target.identifier.map { !built.contains($0) } ?? false }
    makesPlugin = best.map { isCalled($0, plugin) } ?? false
    isNamed = best.map { isCalled($0, plugin + [stem]) } ?? true
    isApplication = best == nil && !objects.targets.isEmpty
    let unknown = Target(name: stem, product: "lib\(stem).a", isFramework: false)
    target = best ?? (objects.targets.isEmpty ? unknown : nil)
  }

  /// Nil of what makes no library.
  private static func target(_ identifier: Substring, _ objects: XcodeObjects) -> Target? {
    guard let name = objects.value("name", of: identifier), let type = objects.value("productType", of: identifier)
    else { return nil }
    let isFramework = type.hasSuffix(".framework")
    guard isFramework || type.hasSuffix("library.static") else { return nil }
    let product = objects.product(of: identifier) ?? (isFramework ? "\(name).framework" : "lib\(name).a")
    return Target(name: name, product: product, isFramework: isFramework, identifier: identifier)
  }

  /// Whether it names a file of that name; all of them if nothing is known of its targets, or if it has whole folders.
  func names(_ file: String) -> Bool { objects.targets.isEmpty || objects.hasFolders || objects.lists(file) }

  /// Whether the name of a file stands in it.
  func lists(_ file: String) -> Bool { objects.lists(file) }

  /// The last names of the files that targets compile, or have as headers, and the one that is taken does not: neither itself nor by
  /// what it depends on. Nothing if that one has no files. `headers`: of what makes the same in another form, as a framework of a
  /// library's sources.
  var ofOthers: (files: Set<String>, headers: Set<String>) {
    guard let own = target?.identifier else { return ([], []) }
    let closure = Set(objects.closure(of: own))
    let ours = closure.reduce(into: Set<String>()) { $0.formUnion(objects.files(of: $1, [.headers, .sources])) }
    guard !ours.isEmpty else { return ([], []) }
    var (files, headers): (Set<String>, Set<String>) = ([], [])
    for other in objects.targets where !closure.contains(other) {
      let sources = objects.files(of: other, [.sources])
      if sources.isSubset(of: ours) {
        headers.formUnion(objects.files(of: other, [.headers]))
      } else {
        files.formUnion(sources.union(objects.files(of: other, [.headers])))
      }
    }
    return (files.subtracting(ours), headers.subtracting(ours))
  }

  /// Where in the tree what is built lies, as far as the project names it: sources, headers, resources, libraries and settings.
  var paths: Set<String> {
    let built = target?.identifier.map(objects.closure) ?? []
    let references = built.reduce(into: Set(objects.configurations)) { all, target in
      all.formUnion(objects.references(of: target, Set(XcodeObjects.Phase.allCases)))
      all.formUnion(objects.folders(of: target))
    }
    let settings = objects.fileSettings.map { setting in
      setting.split(separator: "/").drop { $0 == "$(SRCROOT)" || $0 == "$(PROJECT_DIR)" || $0 == "${SRCROOT}" }
    }
    let all = references.compactMap(objects.path) + settings.map(Array.init)
    return Set(all.compactMap { XcodeProject.path($0, from: folder) })
  }

  var folder: String { StarterTree.folder(of: path) }

  /// In the tree, and not above of it.
  private static func path(_ parts: [Substring], from folder: String) -> String? {
    var names: [Substring] = []
    for part in folder.split(separator: "/") + parts where part != "." {
      if part != ".." {
        names.append(part)
      } else if names.popLast() == nil {
        return nil
      }
    }
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  /// The last names of what Xcode puts into the frameworks that are made.
  var inFrameworks: Set<String> {
    ([target].compactMap(\.self) + needed).filter(\.isFramework).compactMap(\.identifier)
      .reduce(into: []) { $0.formUnion(objects.files(of: $1, [.resources])) }
  }
}
