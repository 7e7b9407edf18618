import Android
import Collisions
import Findings
import Linking
import SystemPackage

/// The packages of an app's plugins, which get other names as wholes.
struct JavaPackages {
  private let report: CollisionReport
  /// The classes of each plugin that collide, with dots.
  private var colliding: [PluginID: Set<String>] = [:]
  private var references: [PluginID: JavaReferences] = [:]
  /// The plugins that have each class.
  private var holders: [[UInt8]: [PluginID]] = [:]
  private var known: [PluginID: [String: String?]] = [:]

  init(_ report: CollisionReport) { self.report = report }

  /// The same clashes with plugins that keep packages of their own.
  mutating func judged(_ clashes: Set<Clash>) -> Set<Clash> {
    for clash in clashes {
      guard case .javaClass(let name) = clash.name else { continue }
      for plugin in clash.plugins { colliding[plugin, default: []].insert(name) }
    }
    if !colliding.isEmpty, holders.isEmpty { read() }
    known = [:]
    return Set(
      clashes.map { clash in
        guard case .javaClass(let name) = clash.name, let package = Self.package(of: name) else { return clash }
        var fixed = clash.fixed
        for plugin in clash.plugins where fixed[plugin] == nil { fixed[plugin] = reason(package, plugin) }
        return Clash(name: clash.name, plugins: clash.plugins, fixed: fixed)
      })
  }

  private mutating func read() {
    for (index, facts) in report.facts.enumerated() where !facts.android.isEmpty {
      let table = facts.android.classes
      for name in Set((0..<table.count).map { Array(table.name(of: $0)) }) {
        holders[name, default: []].append(PluginID(index))
      }
      references[PluginID(index)] = JavaReferences(FilePath(facts.name.path))
    }
  }

  /// A class that would be nowhere any more though another plugin refers to it: its packages move in all that have it.
  func lost(_ changes: [PluginID: [Clash]]) -> (plugin: PluginID, package: String, reason: String)? {
    var moved: [PluginID: [String]] = [:]
    var names: Set<String> = []
    for (plugin, clashes) in changes {
      let java = clashes.filter { if case .javaClass = $0.name { true } else { false } }.map(\.text)
      moved[plugin] = Self.outermost(java)
      names.formUnion(colliding[plugin] ?? [])
    }
    for name in names.sorted() {
      let path = Array(name.with("/", for: ".").utf8)
      let own = holders[path] ?? []
      guard let first = own.min(), let package = Self.package(of: name),
        own.allSatisfy({ moved[$0]?.contains { name.hasPrefix($0 + ".") } ?? false }),
        let user = references.keys.sorted().first(where: { user in
          !own.contains(user) && references[user]?.names.contains(path) ?? false
        })
      else { continue }
      return (first, package, "\(report[user].name.shown) uses \(name)")
    }
    return nil
  }

  // MARK: - Reasons to keep a name

  /// The reason why a plugin cannot have a class under another name, as far as the class alone tells.
  static func reason(_ name: String, _ facts: PluginFacts, _ entryClasses: [String]) -> String? {
    let shown = facts.name.shown
    guard let package = package(of: name) else { return "\(name) of \(shown) is in no package" }
    guard [".aar", ".jar"].contains(where: facts.name.path.hasSuffix) else {
      return "\(shown) is no AAR and no jar: name those in it"
    }
    if let namespace = namespace(of: facts), (namespace + ".").hasPrefix(package + ".") {
      return "\(package) is the package of \(shown) itself"
    }
    let entry = entryClasses.first { $0.hasPrefix(package + ".") && facts.android.hasClass($0) }
    return entry.map { "\(shown) is found by the name of its class \($0)" }
  }

  /// The same for the other classes of its package, which go with it.
  private mutating func reason(_ package: String, _ plugin: PluginID) -> String? {
    if let known = known[plugin]?[package] { return known }
    let found = readReason(package, plugin)
    known[plugin, default: [:]][package] = .some(found)
    return found
  }

  private func readReason(_ package: String, _ plugin: PluginID) -> String? {
    let facts = report[plugin]
    let shown = facts.name.shown
    let start = Array(package.with("/", for: ".").utf8) + [UInt8(ascii: "/")]
    let table = facts.android.classes
    let all = Set((0..<table.count).map { Array(table.name(of: $0)) })
    let moved = all.filter { $0.starts(with: start) }
    let count = (colliding[plugin] ?? []).count { $0.hasPrefix(package + ".") }
    if 2 * count < moved.count { return "most classes of \(package) in \(shown) are its own" }
    if facts.android.abis.isEmpty, let native = Self.first(references[plugin]?.natives.filter(moved.contains)) {
      return "functions of another library are found by the name of \(native) of \(shown)"
    }
    // Another plugin may call what is only here with what moves.
    let own = all.filter { holders[$0]?.count == 1 }
    for other in references.keys.sorted() where other != plugin {
      guard let names = references[other]?.names, let used = Self.first(own.filter(names.contains)) else { continue }
      if let lost = Self.first(own.filter { moved.contains($0) && names.contains($0) }) {
        return "\(report[other].name.shown) uses \(lost) of \(shown)"
      }
      if let passed = Self.first(moved.filter(names.contains)) {
        return "\(report[other].name.shown) uses \(used) of \(shown), and \(passed) with it"
      }
    }
    return nil
  }

  /// The first in the order of the bytes, with dots.
  private static func first(_ names: Set<[UInt8]>?) -> String? {
    names?.min { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self).with(".", for: "/") }
  }

  // MARK: - Names

  static func package(of name: String) -> String? {
    name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) }
  }

  static func namespace(of facts: PluginFacts) -> String? {
    facts.android.manifests.compactMap(\.namespace).first { !$0.isEmpty }
  }

  /// The outermost packages of some classes, sorted: those in another one go with it.
  static func outermost(_ classes: some Sequence<String>) -> [String] {
    var found: [String] = []
    for package in Set(classes.compactMap(package)).sorted()
    where !found.contains(where: { package.hasPrefix($0 + ".") }) {
      found.append(package)
    }
    return found
  }

  /// The new name of a package: below the plugin's own one.
  static func newName(_ package: String, below own: String) -> String {
    package.hasPrefix(own + ".") ? "\(own).own\(package.dropFirst(own.count))" : "\(own).\(package)"
  }
}

extension AndroidContents {
  /// - Parameter name: with dots.
  fileprivate func hasClass(_ name: String) -> Bool {
    let path = Array(name.with("/", for: ".").utf8)
    return (0..<classes.count).contains { classes.name(of: $0).elementsEqual(path) }
  }
}
