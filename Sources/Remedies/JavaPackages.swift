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
  /// How many plugins have each class.
  private var counts: [[UInt8]: Int] = [:]
  private var known: [PluginID: [String: String?]] = [:]

  init(_ report: CollisionReport) { self.report = report }

  /// The same clashes with plugins that keep packages of their own.
  mutating func judged(_ clashes: Set<Clash>) -> Set<Clash> {
    for clash in clashes {
      guard case .javaClass(let name) = clash.name else { continue }
      for plugin in clash.plugins { colliding[plugin, default: []].insert(name) }
    }
    if !colliding.isEmpty, counts.isEmpty { read() }
    known = [:]
    return Set(clashes.map { clash in judged(clash) })
  }

  private mutating func judged(_ clash: Clash) -> Clash {
    guard case .javaClass(let name) = clash.name, let package = JavaPackages.package(of: name) else { return clash }
    var fixed = clash.fixed
    for plugin in clash.plugins where fixed[plugin] == nil { fixed[plugin] = reason(package, plugin) }
    return Clash(name: clash.name, plugins: clash.plugins, fixed: fixed)
  }

  private mutating func read() {
    for (index, facts) in report.facts.enumerated() where facts.android.classes.count > 0 {
      let table = facts.android.classes
      for name in Set((0..<table.count).map { Array(table.name(of: $0)) }) { counts[name, default: 0] += 1 }
      references[PluginID(index)] = JavaReferences(FilePath(facts.name.path))
    }
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
    if let entry = entryClasses.first(where: { $0.hasPrefix(package + ".") }) {
      return "\(shown) is found by the name of its class \(entry)"
    }
    return nil
  }

  /// The same for the other classes of its package, which go with it.
  private mutating func reason(_ package: String, _ plugin: PluginID) -> String? {
    if let known = known[plugin]?[package] { return known }
    let facts = report[plugin]
    let start = Array(package.with("/", for: ".").utf8) + [UInt8(ascii: "/")]
    let table = facts.android.classes
    let all = Set((0..<table.count).map { Array(table.name(of: $0)) }.filter { $0.starts(with: start) })
    let count = colliding[plugin, default: []].count { $0.hasPrefix(package + ".") }
    var reason: String?
    if 2 * count < all.count {
      reason = "most classes of \(package) in \(facts.name.shown) are its own"
    } else {
      let own = all.filter { counts[$0] == 1 }
      for (other, references) in references.sorted(by: { $0.key < $1.key }) where reason == nil && other != plugin {
        guard let used = own.filter(references.names.contains).min(by: { $0.lexicographicallyPrecedes($1) }) else {
          continue
        }
        let name = String(decoding: used, as: UTF8.self).with(".", for: "/")
        reason = "\(report[other].name.shown) uses \(name) of \(facts.name.shown)"
      }
    }
    known[plugin, default: [:]][package] = .some(reason)
    return reason
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
