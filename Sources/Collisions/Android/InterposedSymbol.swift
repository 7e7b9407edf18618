import Android
package import Findings

/// A symbol that two native libraries export, and a third one, or one of the two, needs both. Android's loader looks for each
/// symbol in the library that was loaded and then in those that it needs, level by level (bionic, `SymbolLookupList` of
/// the local group): the first definition is everybody's, except for a library that was linked with `-Bsymbolic`.
/// Libraries without a common user have groups of their own.
package enum InterposedSymbol: CollisionFamily, CollisionRule {
  package static let id: RuleID = "interposed-symbol"
  package static let noun = (one: "symbol of two native libraries", many: "symbols of two native libraries")
  package static let platform: String? = "android"
  package static let name = "native-symbols"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  private struct Library {
    let plugin: PluginID
    let file: AndroidFile
    let native: NativeLibrary
  }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    // The first of a name is in the app: `duplicate-native-library` tells of others.
    var libraries: [String: Library] = [:]
    for (id, facts) in context.numbered {
      for file in facts.android.files where libraries[file.path] == nil {
        if let native = file.native { libraries[file.path] = Library(plugin: id, file: file, native: native) }
      }
    }
    guard Set(libraries.values.map(\.plugin)).count > 1 else { return .nothingToCompare }
    // The group of a library contains every library that it needs, so those begin no group of their own.
    let needed = Set(libraries.flatMap { path, library in library.native.needed.map { neighbour(of: path, $0) } })
    let roots = libraries.keys.filter { !needed.contains($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var found: [String: Collision] = [:]
    for path in roots {
      for collision in search(group(of: path, libraries), user: path) {
        let pair = ([collision.name.text] + collision.sites.map(\.place.description)).joined(separator: "\n")
        found[pair] = found[pair] ?? collision
      }
    }
    return .found(
      found.values.sorted {
        ($0.name.text, $0.sites[0].place.description) < ($1.name.text, $1.sites[0].place.description)
      })
  }

  /// The library and those that it needs, in the order in which the loader looks.
  private static func group(of path: String, _ libraries: [String: Library]) -> [Library] {
    var (paths, seen, next) = ([path], Set([path]), 0)
    while next < paths.count {
      for name in libraries[paths[next]]?.native.needed ?? [] {
        let other = neighbour(of: paths[next], name)
        if libraries[other] != nil, seen.insert(other).inserted { paths.append(other) }
      }
      next += 1
    }
    return paths.compactMap { libraries[$0] }
  }

  /// The path of a library that lies beside another one.
  private static func neighbour(of path: String, _ name: String) -> String {
    path.dropLast(path.lastPathPart.utf8.count) + name
  }

  private static func search(_ group: [Library], user: String) -> [Collision] {
    guard Set(group.map(\.plugin)).count > 1 else { return [] }
    var owners: [ArraySlice<UInt8>: Library] = [:]
    var found: [Collision] = []
    for library in group {
      for name in library.native.exports(strongOnly: true) where !isOwn(name) {
        guard let first = owners[name] else {
          owners[name] = library
          continue
        }
        if first.plugin == library.plugin || library.native.isSymbolic { continue }
        let sites = [first, library].map { site($0.file.place, of: $0.plugin, .library) }
        var collision = Collision(
          id, .silent, nil, String(decoding: name, as: UTF8.self), sites, winner: first.file.place.description)
        collision.detail = "\(user) needs both"
        found.append(collision)
      }
    }
    return found
  }

  /// The loader asks each library itself for these, and linkers define some of them in each.
  private static func isOwn(_ name: ArraySlice<UInt8>) -> Bool {
    [
      "JNI_OnLoad", "JNI_OnUnload", "_init", "_fini", "__bss_start", "_edata", "_end", "_bss_end__", "__bss_start__",
      "__bss_end__", "__end__",
    ].contains { name.elementsEqual($0.utf8) }
  }

  package static func outcome(_ collision: Collision) -> String? { "the first is called by both, silently" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let names = collision.sites.map { $0.place.lastName }
    return (
      "\(collision.name.text) is exported by \(enumerated(names)): both call that of \(names[0]), silently", [],
      "export only what others call (-fvisibility=hidden and a version script), or link with -Wl,-Bsymbolic"
    )
  }
}
