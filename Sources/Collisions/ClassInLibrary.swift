package import Findings
package import Linking

/// An Objective-C class that is in the image and in a dynamic library beside it, or in two of those. No linker says
/// anything; when the app starts the runtime says "Class X is implemented in both", and takes one of them.
package struct ClassInLibrary: Sendable {
  package var name: String
  /// Object files that are in the link.
  package var objects: [LinkPlace]
  package var libraries: [LinkPlace]

  private static let prefix = "_OBJC_CLASS_$_"

  static func all(_ link: LinkResult) -> [ClassInLibrary] {
    var found: [NameTable.ID: ClassInLibrary] = [:]
    let set = link.symbols.set
    for library in link.files.named.sorted() {
      guard case .library(let exports) = set.content(of: library) else { continue }
      for name in Set(exports.exports.map(\.name)) {
        let text = set.names.text(name)
        guard text.hasPrefix(prefix) else { continue }
        let className = String(text.dropFirst(prefix.count))
        found[name, default: ClassInLibrary(name: className, objects: [], libraries: [])].libraries
          .append(LinkPlace(file: set.files[library].path))
      }
    }
    if found.isEmpty { return [] }
    for load in link.symbols.order {
      for symbol in link.symbols.symbols(of: load) where symbol.isDefinition {
        found[symbol.name]?.objects.append(link.symbols.place(load))
      }
    }
    return found.values.filter { $0.objects.count + $0.libraries.count > 1 }
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension ClassInLibrary {
  /// `class-in-dylib`.
  package func finding(slice: String, place: (String) -> Place) -> CollisionFinding {
    let sites =
      objects.map { CollisionFinding.Site(artifact: place($0.file), member: $0.member, kind: "class") }
      + libraries.map { CollisionFinding.Site(artifact: place($0.file), kind: "library") }
    let others = libraries.count == 1 ? "a dynamic library" : "\(libraries.count) dynamic libraries"
    return CollisionFinding(
      "class-in-dylib", .silent, slice: slice, name: name, sites: sites,
      message: "the class \(name) is \(objects.isEmpty ? "" : "linked into the app, and it is ")in \(others): "
        + "no linker says so, and which one is used is decided when the app starts",
      hint: "link the library in one way only: leave its code out of the plugin, or do not embed the dynamic one")
  }
}
