import Artifacts
import Findings
import Linking
import ObjectFiles

/// Objective-C classes without a global symbol: a vendor has linked its object files into one (`ld -r`), which makes
/// hidden symbols local. No linker compares them, but the runtime registers all of them: it takes one of each name, and
/// says "Class X is implemented in both".
struct LocalObjC {
  struct Definition {
    var object: ObjectID
    var isLocal: Bool
  }

  /// By name, in the order of the line; only names with at least one local definition.
  private(set) var classes: [String: [Definition]] = [:]
  /// Swift's classes by their names in the runtime: `_TtC4Plug3Foo`. Linkers compare their symbols, which have other
  /// names.
  private(set) var swiftClasses: [String: [ObjectID]] = [:]

  /// `objects` are those that a link may load, in the order of the line.
  init(_ objects: [ObjectID], of set: LinkSet) {
    let prelinked = objects.filter(set.hasLocalObjC)
    if prelinked.isEmpty { return }
    var named: [ObjectID: Set<String>] = [:]
    for object in objects {
      for symbol in set.symbols(of: object)
      where symbol.isDefinition && set.names.hasPrefix("_OBJC_CLASS_$_", symbol.name) {
        let name = String(set.names.text(symbol.name).dropFirst(ClassInLibrary.prefix.count))
        named[object, default: []].insert(name)
      }
    }
    var local: Set<String> = []
    for object in prelinked {
      LocalObjC.forEach(object, of: set) { name, isSwift in
        if isSwift {
          swiftClasses[name, default: []].append(object)
        } else if named[object]?.contains(name) != true {
          local.insert(name)
        }
      }
    }
    for object in objects where set.hasLocalObjC(object) || named[object]?.isDisjoint(with: local) == false {
      LocalObjC.forEach(object, of: set) { name, isSwift in
        guard !isSwift, local.contains(name) else { return }
        let isLocal = named[object]?.contains(name) != true
        classes[name, default: []].append(Definition(object: object, isLocal: isLocal))
      }
    }
  }

  /// Unreadable metadata is skipped, as no runtime sees it.
  private static func forEach(_ object: ObjectID, of set: LinkSet, _ body: (_ name: String, _ isSwift: Bool) -> Void) {
    try? set.withReader(of: object) { (reader) throws(FormatError) in
      for item in try ObjCMetadata(reader, .classes).classes { body(reader.text(item.name), item.isSwift) }
    }
  }

  /// Classes that are defined twice, which no linker reports.
  func collisions(in searched: SearchedLink, _ reasons: [ObjectID: LinkVerdict.Reason]) -> [Collision] {
    let set = searched.link.symbols.set
    return classes.filter { $0.value.count > 1 }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { name, definitions in
        let sites = definitions.map { searched.site(set.place(of: $0.object), .objcClass, reasons[$0.object]) }
        return Collision(DuplicateSymbol.id, .silent, searched.slice, ClassInLibrary.prefix + name, sites)
      }
  }
}
