package import Artifacts
import Findings
import Recipes

/// The packages that an app's lock files name, by the libraries that they are.
package struct LockedPackages: Sendable {
  struct Item: Sendable {
    let package: LockFile.Package
    let file: LockFile
  }

  /// For each platform and library the first package of each lock file.
  private var items: [Key: [Item]] = [:]
  private var modules: [Substring: [Item]] = [:]

  private struct Key: Hashable {
    var isForAndroid: Bool
    var library: String
  }

  package init(_ files: [LockFile]) {
    for file in files {
      for package in file.packages {
        let item = Item(package: package, file: file)
        let parts = package.name.split(separator: ":")
        if file.manager.isForAndroid, parts.count == 2 { modules[parts[0], default: []].append(item) }
        let name = ThirdParties.all.library(packaged: parts.last.map(String.init) ?? "")
        let key = Key(isForAndroid: file.manager.isForAndroid, library: name)
        if items[key]?.contains(where: { $0.file.path == file.path }) != true { items[key, default: []].append(item) }
      }
    }
  }

  package var isEmpty: Bool { items.isEmpty }

  /// Libraries that two managers bring to one app, sorted by name.
  var shared: [(library: String, items: [Item])] {
    items.compactMap { key, all in
      var managers: Set<LockFile.Manager> = []
      let items = all.filter { managers.insert($0.file.manager).inserted }
      return items.count > 1 ? (key.library, items) : nil
    }.sorted { $0.library.utf8.lexicographicallyPrecedes($1.library.utf8) }
  }

  /// `Podfile.lock has OpenSSL-Universal 1.1.2200, Package.resolved has openssl 3.1.4`: the packages of the library that
  /// collides. Nil if there are none.
  package func origins(of collision: Collision) -> String? {
    let found = packages(of: collision)
    if found.isEmpty { return nil }
    return found.map { "\($0.file.path) has \($0.package.name) \($0.package.version)" }.joined(separator: ", ")
  }

  private func packages(of collision: Collision) -> [Item] {
    let isForAndroid = CollisionRegistry.rule(collision.rule).platform == "android"
    guard collision.message == nil, collision.rule != DuplicatePackage.id else { return [] }
    let text = collision.name.text
    let known = isForAndroid ? nil : ThirdParties.all.index(of: text).map { ThirdParties.all.names[$0] }
    let name = ThirdParties.all.library(packaged: known ?? Self.baseName(text))
    return items[Key(isForAndroid: isForAndroid, library: name)] ?? (isForAndroid ? group(of: text) : [])
  }

  /// The module of Gradle that one of the plugins is, by its file: `core-3.5.1.jar`.
  func module(of collision: Collision) -> String? {
    let files = collision.sites.compactMap { $0.artifact.parts.first?.lastPathPart }
    return packages(of: collision).first { item in
      let name = item.package.name.split(separator: ":").last ?? ""
      return item.file.manager.isForAndroid && files.contains { $0.hasPrefix("\(name)-\(item.package.version).") }
    }?.package.name
  }

  /// `OpenSSL` of `OpenSSL.framework`, `sqlcipher` of `lib/x86_64/libsqlcipher.so`.
  private static func baseName(_ path: String) -> String {
    let name = path.lastPathPart
    for ending in [".framework", ".xcframework", ".bundle"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.utf8.count))
    }
    for ending in [".a", ".so"] where name.hasPrefix("lib") && name.hasSuffix(ending) {
      return String(name.dropFirst(3).dropLast(ending.utf8.count))
    }
    return String(name)
  }

  /// The module whose group a Java class's package begins with. A group with several modules does not tell which has it.
  private func group(of className: String) -> [Item] {
    var rest = className[...]
    while let dot = rest.lastIndex(of: ".") {
      rest = rest[..<dot]
      if let found = modules[rest] { return Set(found.map(\.package.name)).count == 1 ? found : [] }
    }
    return []
  }
}

extension [Collision] {
  /// Adds the packages that lock files have of what collides to those that jars name.
  package consuming func located(in packages: LockedPackages) -> [Collision] {
    if packages.isEmpty { return self }
    for index in indices {
      let origins = [self[index].packages, packages.origins(of: self[index])].compactMap(\.self)
      self[index].packages = origins.isEmpty ? nil : origins.joined(separator: "; ")
      self[index].module = packages.module(of: self[index])
    }
    return self
  }
}
