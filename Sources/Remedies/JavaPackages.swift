import Android
import Collisions

/// The packages of a plugin's classes, which get other names as wholes.
enum JavaPackages {
  static func package(of name: String) -> String? {
    name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) }
  }

  /// The reason why a plugin cannot have a class under another name; nil if it can.
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

  /// A package in which fewer classes collide than do not is one of the plugin's own, which its users know.
  static func isOwn(_ package: String, of facts: PluginFacts, colliding: Set<String>) -> Bool {
    let start = Array(package.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "/") : $0 }) + [UInt8(ascii: "/")]
    let table = facts.android.classes
    let all = (0..<table.count).filter { table.name(of: $0).starts(with: start) }
    let count = colliding.count { $0.hasPrefix(package + ".") }
    return 2 * count < all.count
  }

  /// The new name of a package: below the plugin's own one.
  static func newName(_ package: String, below own: String) -> String {
    package.hasPrefix(own + ".") ? "\(own).own\(package.dropFirst(own.count))" : "\(own).\(package)"
  }
}

extension Set<Clash> {
  /// The same clashes with plugins that keep packages of their own.
  func withoutOwnPackages(_ report: CollisionReport) -> Set<Clash> {
    var colliding: [PluginID: Set<String>] = [:]
    for clash in self {
      guard case .javaClass(let name) = clash.name else { continue }
      for plugin in clash.plugins { colliding[plugin, default: []].insert(name) }
    }
    var known: [PluginID: [String: Bool]] = [:]
    func isOwn(_ package: String, of plugin: PluginID) -> Bool {
      if let known = known[plugin]?[package] { return known }
      let isOwn = JavaPackages.isOwn(
        package, of: report[plugin], colliding: colliding[plugin] ?? [])
      known[plugin, default: [:]][package] = isOwn
      return isOwn
    }
    return Set(
      map { clash in
        guard case .javaClass(let name) = clash.name, let package = JavaPackages.package(of: name) else { return clash }
        var fixed = clash.fixed
        for plugin in clash.plugins where fixed[plugin] == nil && isOwn(package, of: plugin) {
          fixed[plugin] = "most classes of \(package) in \(report[plugin].name.shown) are its own"
        }
        return Clash(name: clash.name, plugins: clash.plugins, fixed: fixed)
      })
  }
}
