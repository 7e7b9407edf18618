package import Findings
import Linking

/// A class of Objective-C or Swift that is in the image and in a dynamic library beside it, or in two of those. No
/// linker says anything; when the app starts the runtime says "Class X is implemented in both". Of Objective-C's it
/// takes one; code of Swift goes on with its own.
package enum ClassInLibrary: CollisionRule {
  package static let id: RuleID = "class-in-dylib"
  package static let noun = (one: "class", many: "classes")

  package static func outcome(_ collision: Collision) -> String? {
    collision.name.text.hasPrefix(swiftPrefix) ? "each side uses its own, and casts between them fail" : nil
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let count = collision.sites.count { $0.kind == .library }
    let others = count == 1 ? "a dynamic library" : "\(count) dynamic libraries"
    let outcome =
      collision.name.text.hasPrefix(swiftPrefix)
      ? "each side uses its own, and an object of one is no instance of the other"
      : "which one is used is decided when the app starts"
    return (
      "the class \(collision.name.text) is \(count == collision.sites.count ? "" : "linked into the app, and it is ")"
        + "in \(others): no linker says so, and \(outcome)", [],
      "link the library in one way only: leave its code out of the plugin, or do not embed the dynamic one"
    )
  }

  /// The prefix of a class's symbol.
  static let prefix = "_OBJC_CLASS_$_"
  /// The prefix of a Swift class's name in the runtime.
  private static let swiftPrefix = "_Tt"

  /// Sorted by the bytes of the class names. `local` are classes without a global symbol, which the runtime knows as
  /// well.
  static func collisions(in searched: SearchedLink, _ local: LocalObjC) -> [Collision] {
    let link = searched.link
    let set = link.symbols.set
    var found: [String: (objects: [LinkPlace], libraries: [LinkPlace])] = [:]
    var installNames: Set<String> = []
    for library in link.files.named.sorted() {
      // Of two libraries with one install name an app can only embed one.
      guard case .library(let exports) = set.content(of: library),
        exports.installName.isEmpty || installNames.insert(exports.installName).inserted
      else { continue }
      let exported = Set(exports.exports.map(\.name)).map(set.names.text).filter { $0.hasPrefix(prefix) }
      for name in Set(exported.map { String($0.dropFirst(prefix.count)) } + exports.classes) {
        found[name, default: ([], [])].libraries.append(LinkPlace(file: set.files[library].path))
      }
    }
    if found.isEmpty { return [] }
    for load in link.symbols.order {
      for symbol in link.symbols.symbols(of: load)
      where symbol.isDefinition && set.names.hasPrefix("_OBJC_CLASS_$_", symbol.name) {
        let name = set.names.text(symbol.name)
        found[String(name.dropFirst(prefix.count))]?.objects.append(link.symbols.place(load))
      }
    }
    for (name, objects) in local.swiftClasses { found[name]?.objects += objects.map(set.place) }
    for (name, definitions) in local.classes {
      found[name]?.objects += definitions.filter(\.isLocal).map { set.place(of: $0.object) }
    }
    return found.filter { $0.value.objects.count + $0.value.libraries.count > 1 }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { name, places in
        let sites =
          places.objects.map { searched.site($0, .objcClass) } + places.libraries.map { searched.site($0, .library) }
        return Collision(id, .silent, searched.slice, name, sites)
      }
  }
}
