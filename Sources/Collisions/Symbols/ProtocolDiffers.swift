import Artifacts
package import Findings
import Linking
import ObjectFiles

/// A protocol that differs: every file that mentions an Objective-C protocol carries a full copy of it.
package enum ProtocolDiffers: CollisionRule {
  package static let id: RuleID = "protocol-differs"
  package static let noun = (one: "protocol", many: "protocols")

  package static func level(_ collision: Collision) -> Level { .note }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let winner = collision.shownWinner.map { ": that of \($0) is taken, silently" } ?? ""
    let what = listed(collision.examples, limit: .max, of: collision.count)
    return (
      "the protocol \(collision.name.text) is not the same everywhere\(winner)", ["not in all of them: \(what)"],
      "compile both with one version of the header that declares it (methods, properties and adopted protocols were "
        + "compared)"
    )
  }
}

/// Compares the copies of protocols by what the runtime tells of them: bytes also differ by what compilers add.
/// Protocols of Apple's frameworks are of one version in the app, whatever a plugin was compiled with.
struct ProtocolCopies {
  private struct Copy {
    var object: ObjectID
    /// Its number on the line.
    var place: Int
    var content: Set<String>
  }

  private let set: LinkSet
  /// By name, in the order of the line: one of each file for those with a global symbol, and all others.
  private var copies: [String: [Copy]] = [:]
  /// The symbols of each name.
  private var symbols: [String: [NameID]] = [:]

  /// `objects` are those that a link may load, in the order of the line.
  init(_ objects: [ObjectID], of set: LinkSet) {
    self.set = set
    var named: [String: [(object: ObjectID, place: Int)]] = [:]
    var own: [ObjectID: Set<String>] = [:]
    var names: [NameID: String?] = [:]
    for (place, object) in objects.enumerated() {
      for symbol in set.symbols(of: object)
      where symbol.isDefinition && ProtocolCopies.isProtocol(symbol.name, set.names) {
        let known = names[symbol.name] ?? ProtocolCopies.name(of: symbol.name, set.names)
        names[symbol.name] = .some(known)
        guard let name = known else { continue }
        own[object, default: []].insert(name)
        if named[name]?.last.map({ set.file(of: $0.object) }) != set.file(of: object) {
          named[name, default: []].append((object, place))
        }
      }
    }
    for (symbol, name) in names { if let name { symbols[name, default: []].append(symbol) } }
    var local: [String: [Copy]] = [:]
    for (place, object) in objects.enumerated() where set.hasLocalObjC(object) {
      for (name, content) in ProtocolCopies.contents(object, of: set, where: { _ in true })
      where own[object]?.contains(name) != true {
        local[name, default: []].append(Copy(object: object, place: place, content: content))
      }
    }
    var read: [ObjectID: [String: Set<String>]] = [:]
    let shared = Set(named.keys).union(local.keys).filter { (named[$0]?.count ?? 0) + (local[$0]?.count ?? 0) > 1 }
    for name in shared {
      for (object, place) in named[name] ?? [] {
        let contents = read[object] ?? ProtocolCopies.contents(object, of: set, where: shared.contains)
        read[object] = contents
        guard let content = contents[name] else { continue }
        copies[name, default: []].append(Copy(object: object, place: place, content: content))
      }
      copies[name, default: []] += local[name] ?? []
      copies[name]?.sort { $0.place < $1.place }
    }
  }

  private static func isProtocol(_ symbol: NameID, _ names: NameTable) -> Bool {
    names.hasPrefix("__OBJC_PROTOCOL_$_", symbol) || names.hasPrefix("l_OBJC_PROTOCOL_$_", symbol)
  }

  /// The name of a symbol's protocol; nil for one of Apple's.
  private static func name(of symbol: NameID, _ names: NameTable) -> String? {
    CompilerName.objectiveCProtocol(names.text(symbol)).flatMap { AppleName.isApples($0) ? nil : $0 }
  }

  /// Unreadable metadata is skipped, as no runtime sees it.
  private static func contents(
    _ object: ObjectID, of set: LinkSet, where isWanted: (String) -> Bool
  ) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    try? set.withReader(of: object) { (reader) throws(FormatError) in
      for item in try ObjCMetadata(reader, [.protocols, .methods, .members]).protocols where !item.isSwift {
        let name = reader.text(item.name)
        if isWanted(name), !AppleName.isApples(name) { found[name] = reader.content(of: item) }
      }
    }
    return found
  }

  private static let maxExamples = 4

  func collisions(in searched: SearchedLink, _ reasons: [ObjectID: LinkVerdict.Reason]) -> [Collision] {
    copies.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.compactMap { name, copies -> Collision? in
      guard let first = copies.first, copies.contains(where: { $0.content != first.content }) else { return nil }
      let all = copies.reduce(into: Set<String>()) { $0.formUnion($1.content) }
      let common = copies.reduce(all) { $0.intersection($1.content) }
      let winner = symbols[name]?.lazy.compactMap { searched.link.winner(of: $0) }.first
      var collision = Collision(
        ProtocolDiffers.id, .silent, searched.slice, name,
        copies.map { searched.site(set.place(of: $0.object), .weak, reasons[$0.object]) },
        winner: winner?.description, identical: false)
      let different = all.subtracting(common).sorted()
      (collision.count, collision.examples) = (different.count, Array(different.prefix(ProtocolCopies.maxExamples)))
      return collision
    }
  }
}

extension ByteReader {
  /// Newer compilers write that a property is optional (`?`) and older ones do not.
  fileprivate func content(of item: ObjCProtocol) -> Set<String> {
    let methods = item.methods.map { method in
      "\(method.isOptional ? "@optional " : "")\(method.isClassMethod ? "+" : "-")\(text(method.selector))"
    }
    let properties = item.properties.map { property in
      let attributes = text(property.attributes).split(separator: ",").filter { $0 != "?" }.joined(separator: ",")
      return "@property \(property.isClassProperty ? "+" : "-")\(text(property.name)) \(attributes)"
    }
    return Set(methods + properties + item.protocols.map { "<\(text($0))>" })
  }
}
