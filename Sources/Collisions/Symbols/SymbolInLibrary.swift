import Recipes
package import Findings
import Linking

/// Functions and data that static code of one plugin and a dynamic library of another one define. No linker says so:
/// what is linked into the app gets one of the two, and the library always its own.
///
/// Two plugins may have thousands of names in common, so there is one collision for each pair and outcome.
package enum SymbolInLibrary: CollisionRule {
  package static let id: RuleID = "symbol-in-dylib"
  package static let noun = (one: "library with static code's symbols", many: "libraries with static code's symbols")
  package static let isInCommon = false

  package static func level(_ collision: Collision) -> Level { .note }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let names = Place.toldApart(collision.sites.map(\.artifact))
    let first = collision.sites.firstIndex { $0.kind == .library } ?? 0
    let (statics, library) = (enumerated(Array(names[..<first])), enumerated(Array(names[first...])))
    let isStatic = collision.winner != collision.sites[first].artifact.description
    let what = collision.name.text.isEmpty ? "" : " of \(collision.name.text)"
    return (
      "both \(statics) and the dynamic library \(library) define \(Findings.counted(collision.count, "symbol"))\(what): "
        + (isStatic
          ? "code that is linked into the app uses \(statics), and \(library) uses its own"
          : "code that is linked into the app uses \(library)"),
      [listed(collision.examples, limit: maxExamples)],
      "let both use one copy: leave the code out of one plugin, or ask its vendor to hide it"
    )
  }

  private static let maxExamples = 4

  /// `definitions` are names that one object file and a dynamic library define. `isOpen`: a name that nothing refers to
  /// yet may be referred to by the app.
  static func collisions(
    in searched: SearchedLink, _ definitions: [(name: NameID, site: Definitions.Site)], isOpen: Bool
  ) -> [Collision] {
    let (link, set) = (searched.link, searched.link.symbols.set)
    let exporters = exporters(of: Set(definitions.map(\.name)), link)
    if exporters.isEmpty { return [] }
    var origins: [FileID: FileOrigin] = [:]
    func origin(_ file: FileID) -> FileOrigin {
      let origin = origins[file] ?? searched.origin(set.files[file].path)
      origins[file] = origin
      return origin
    }
    var pairs: [Pair] = []
    var numbers: [[String]: Int] = [:]
    for (name, site) in definitions {
      let (file, text) = (set.file(of: site.object), set.names.text(name))
      guard let library = exporters[name], !set.symbols(of: site.object)[site.symbol].isWeak, isTold(text) else {
        continue
      }
      let (own, other) = (origin(file), origin(library))
      if own.plugin != nil, own.plugin == other.plugin { continue }
      // Without a reference, the first file on the line that offers the name would be taken.
      guard let winner = link.winner(of: name)?.file ?? (isOpen ? set.files[min(file, library)].path : nil) else {
        continue
      }
      let isStatic = winner == set.files[file].path
      let key = [own, other].map { $0.plugin.map { "\($0.index)" } ?? $0.place.description } + ["\(isStatic)"]
      let number = numbers[key] ?? pairs.count
      if number == pairs.count {
        numbers[key] = number
        pairs.append(Pair(isStatic: isStatic))
      }
      pairs[number].names.append(text)
      pairs[number].add(own, other)
    }
    return pairs.map { pair in
      let library = ThirdParties.all.library(of: pair.names)
      let sites =
        pair.statics.map { Collision.Site($0.place, of: $0.plugin, .strong) }
        + pair.libraries.map { Collision.Site($0.place, of: $0.plugin, .library) }
      let winner = (pair.isStatic ? pair.statics : pair.libraries).first?.place.description
      var collision = Collision(id, .silent, searched.slice, library ?? "", sites, winner: winner)
      (collision.count, collision.examples) = (pair.names.count, pair.examples)
      return collision
    }
  }

  /// Static code and libraries of two plugins, with the names that both define.
  private struct Pair {
    /// The app gets the static definitions.
    var isStatic: Bool
    var statics: [FileOrigin] = []
    var libraries: [FileOrigin] = []
    var names: [String] = []

    mutating func add(_ own: FileOrigin, _ other: FileOrigin) {
      if !statics.contains(where: { $0.place == own.place }) { statics.append(own) }
      if !libraries.contains(where: { $0.place == other.place }) { libraries.append(other) }
    }

    /// Names of C come first, which everybody can read.
    var examples: [String] {
      let sorted = names.sorted { a, b in
        let (left, right) = (a.hasPrefix("__Z"), b.hasPrefix("__Z"))
        return left == right ? a.utf8.lexicographicallyPrecedes(b.utf8) : right
      }
      return Array(sorted.prefix(maxExamples + 1))
    }
  }

  /// The first library on the line that exports each name. A weak export yields to any definition.
  private static func exporters(of names: Set<NameID>, _ link: LinkResult) -> [NameID: FileID] {
    if names.isEmpty { return [:] }
    var exporters: [NameID: FileID] = [:]
    for file in link.files.named.sorted() {
      guard case .library(let library) = link.symbols.set.content(of: file) else { continue }
      for export in library.exports where !export.isWeak && names.contains(export.name) {
        exporters[export.name] = exporters[export.name] ?? file
      }
    }
    return exporters
  }

  /// Whether anybody can act on it. `class-in-dylib` tells of the classes of Objective-C and Swift.
  private static func isTold(_ name: String) -> Bool {
    !CompilerName.isNobodys(name) && !others.contains { name.utf8.starts(with: $0.utf8) }
  }

  /// Swift's modules, classes, and what runtimes bring along: `___cxa_throw`, `operator new`.
  private static let others = [
    "_$s", "_$S", "__T0", "_OBJC_", "_swift_", "_objc_", "___cxa_", "___gxx_", "__Unwind_", "__Znw", "__Zna", "__Zdl",
    "__Zda",
  ]
}
