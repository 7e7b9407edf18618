import Artifacts
import Findings
import Linking
import ObjectFiles

/// Objective-C classes and protocols without a global symbol: a vendor has linked its object files into one (`ld -r`),
/// which makes hidden symbols local. No linker compares them, but the runtime registers all of them: it takes one of
/// each name, and says "Class X is implemented in both".
struct LocalObjC {
  struct Definition {
    var object: ObjectID
    var isLocal: Bool
    /// A protocol's methods, properties and protocols; empty for a class.
    var content: [String] = []
  }

  /// By name, in the order of the line; only names with at least one local definition.
  private(set) var classes: [String: [Definition]] = [:]
  private(set) var protocols: [String: [Definition]] = [:]

  /// `objects` are those that a link may load, in the order of the line.
  init(_ objects: [ObjectID], of set: LinkSet) {
    let prelinked = objects.filter(set.hasLocalObjC)
    if prelinked.isEmpty { return }
    var named: [ObjectID: Set<Name>] = [:]
    for object in objects {
      for symbol in set.symbols(of: object) where symbol.isDefinition {
        if let name = Name(symbol.name, set.names) { named[object, default: []].insert(name) }
      }
    }
    var local: Set<Name> = []
    for object in prelinked {
      LocalObjC.forEach(object, of: set) { name, _ in if named[object]?.contains(name) != true { local.insert(name) } }
    }
    for object in objects where set.hasLocalObjC(object) || named[object]?.isDisjoint(with: local) == false {
      LocalObjC.forEach(object, of: set) { name, content in
        guard local.contains(name) else { return }
        let definition = Definition(
          object: object, isLocal: named[object]?.contains(name) != true, content: content())
        switch name {
        case .objcClass(let name): classes[name, default: []].append(definition)
        case .objcProtocol(let name): protocols[name, default: []].append(definition)
        }
      }
    }
  }

  private enum Name: Hashable {
    case objcClass(String), objcProtocol(String)

    /// Nil unless the symbol is like `_OBJC_CLASS_$_X` or `__OBJC_PROTOCOL_$_P`.
    init?(_ symbol: NameID, _ names: NameTable) {
      if names.hasPrefix("_OBJC_CLASS_$_", symbol) {
        self = .objcClass(String(names.text(symbol).dropFirst(ClassInLibrary.prefix.count)))
      } else if names.hasPrefix("__OBJC_PROTOCOL_$_", symbol) || names.hasPrefix("l_OBJC_PROTOCOL_$_", symbol),
        let name = CompilerName.objectiveCProtocol(names.text(symbol))
      {
        self = .objcProtocol(name)
      } else {
        return nil
      }
    }
  }

  /// Unreadable metadata is skipped, as no runtime sees it. Swift's classes have symbols of other names, which linkers
  /// compare.
  private static func forEach(_ object: ObjectID, of set: LinkSet, _ body: (Name, () -> [String]) -> Void) {
    try? set.withReader(of: object) { (reader) throws(FormatError) in
      let data = try ObjCMetadata(reader, .members)
      for item in data.classes where !item.isSwift { body(.objcClass(reader.text(item.name)), { [] }) }
      for item in data.protocols where !item.isSwift {
        body(.objcProtocol(reader.text(item.name))) { reader.content(of: item) }
      }
    }
  }

  /// Classes that are defined twice and protocols that differ, which no linker reports.
  func collisions(in searched: SearchedLink, _ reasons: [ObjectID: LinkVerdict.Reason]) -> [Collision] {
    let set = searched.link.symbols.set
    func sites(_ definitions: [Definition], _ kind: Collision.Site.Kind) -> [Collision.Site] {
      definitions.map { searched.site(set.place(of: $0.object), kind, reasons[$0.object]) }
    }
    func sorted(_ found: [String: [Definition]]) -> [(key: String, value: [Definition])] {
      found.filter { $0.value.count > 1 }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
    let twice = sorted(classes).map { name, definitions in
      Collision(
        DuplicateSymbol.id, .silent, searched.slice, ClassInLibrary.prefix + name, sites(definitions, .objcClass))
    }
    let different = sorted(protocols).compactMap { name, definitions -> Collision? in
      // The linker takes one of those with global symbols.
      let first = definitions.first { !$0.isLocal }?.object
      let left = definitions.filter { $0.isLocal || $0.object == first }
      guard left.contains(where: { $0.content != left[0].content }) else { return nil }
      return Collision(
        ProtocolDiffers.id, .silent, searched.slice, name, sites(left, .weak), identical: false)
    }
    return twice + different
  }
}

extension ByteReader {
  fileprivate func content(of item: ObjCProtocol) -> [String] {
    let methods = item.methods.map { method in
      "\(method.isOptional ? "@optional " : "")\(method.isClassMethod ? "+" : "-")\(text(method.selector))"
    }
    let properties = item.properties.map { property in
      "@property \(property.isClassProperty ? "+" : "-")\(text(property.name)) \(text(property.attributes))"
    }
    return (methods + properties + item.protocols.map { "<\(text($0))>" }).sorted()
  }
}
