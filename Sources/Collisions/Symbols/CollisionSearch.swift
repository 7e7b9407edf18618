package import Artifacts
package import Findings
package import Linking

/// A link whose collisions are looked for, and how its files are spoken of.
struct SearchedLink {
  let link: LinkResult
  let slice: Slice?
  /// What lies behind a path of the link set.
  let origin: (String) -> FileOrigin

  func site(
    _ place: LinkPlace, _ kind: Collision.Site.Kind, _ reason: LinkVerdict.Reason? = nil
  ) -> Collision.Site {
    let origin = origin(place.file)
    return Collision.Site(origin.place, member: place.member, of: origin.plugin, kind, reason)
  }
}

/// Where a file of a link comes from.
package struct FileOrigin: Sendable {
  package let place: Place
  /// Nil of a file that a link line names.
  package let plugin: PluginID?

  package init(_ place: Place, _ plugin: PluginID? = nil) {
    self.place = place
    self.plugin = plugin
  }
}

/// What collides in a link.
package struct CollisionSearch {
  /// Of the files and flags as they are.
  package let verdict: LinkVerdict
  /// Names that are defined twice, with or without anything to say of them, in the order of their first definitions.
  package private(set) var symbols: [Collision] = []
  /// Of each of `symbols`, what is to be compared.
  package private(set) var definitions: [DefinitionComparison.Job] = []
  /// What the Objective-C runtime will choose from.
  package let runtime: [Collision]
  /// Libraries that it refuses as they are.
  private let libraries: [Collision]

  private let set: LinkSet
  private let searched: SearchedLink
  /// By object file.
  private var reasons: [ObjectID: LinkVerdict.Reason] = [:]

  /// `isOpen`: the app's own code is not known, and may refer to anything. Else it is what the linker says of the line.
  package init(
    _ line: LinkLine, _ profile: LinkerProfile, _ set: LinkSet, isOpen: Bool, slice: Slice? = nil,
    origin: @escaping (String) -> FileOrigin = { FileOrigin(Place($0)) }
  ) {
    let link = LinkResult(line, profile, set)
    self.set = set
    verdict = link.verdict
    searched = SearchedLink(link: link, slice: slice, origin: origin)
    libraries = profile.wantsAlignedMembers ? MisalignedLibrary.collisions(in: searched) : []
    for item in link.symbols.loaded.elements { reasons[item.object] = reasons[item.object] ?? item.reason }
    let files = link.files.named.sorted()
    // Whatever an app does not refer to, it may.
    let local = LocalObjC(
      isOpen ? files.flatMap(set.objects) : link.symbols.order.map { link.symbols.loaded[$0].object }, of: set)
    runtime =
      CategoryClash.collisions(in: searched) + ClassInLibrary.collisions(in: searched, local)
      + local.collisions(in: searched, reasons)
    let definitions = Definitions(files, of: set)
    let lazySymbols = isOpen ? LazySymbols(files, for: [], of: set) : nil
    let possible = isOpen ? PossibleCollisions(link, line, profile, set, definitions).found : [:]
    var certain = Dictionary(verdict.duplicates.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for (name, sites) in definitions.shared {
      let text = set.names.text(name)
      if let duplicate = certain.removeValue(forKey: text) {
        add(duplicate, sites)
      } else if let (triggers, objects) = possible[name] {
        add(text, .possible, sites.filter { objects.contains($0.object) })
        symbols[symbols.count - 1].triggers = triggers.map { Collision.Name(text: set.names.text($0)) }
      } else {
        // If nobody wants the name yet, the first on the line that is offered is taken.
        let winner = link.winner(of: name) ?? lazySymbols?.object(for: name, set).map(set.place)
        guard winner != nil || isOpen, let told = told(sites) else { continue }
        add(text, .silent, told, winner: winner)
      }
    }
    // What the linker itself defines twice (`-alias`).
    for duplicate in certain.values.sorted(by: { $0.name < $1.name }) { add(duplicate, []) }
  }

  /// What the linker speaks of.
  private mutating func add(_ duplicate: LinkVerdict.Duplicate, _ all: [Definitions.Site]) {
    var places: [LinkPlace] = []
    for place in duplicate.pairs.joined() where !places.contains(place) { places.append(place) }
    let own = all.filter { places.contains(set.place(of: $0.object)) }
    let known = own.map { set.place(of: $0.object) }
    let aliases = places.filter { !known.contains($0) }
    add(
      duplicate.name, duplicate.isError ? .error : .warning, own, aliases,
      winner: duplicate.isError ? nil : searched.link.definition(of: duplicate.name))
  }

  private mutating func add(
    _ symbol: String, _ verdict: Collision.Verdict, _ own: [Definitions.Site], _ aliases: [LinkPlace] = [],
    winner: LinkPlace? = nil
  ) {
    let sites =
      own.map { searched.site(set.place(of: $0.object), kind(of: $0), reasons[$0.object]) }
      + aliases.map { searched.site($0, .alias, DuplicateSymbol.aliasReason) }
    var (rule, name) = (DuplicateSymbol.id, symbol)
    if sites.allSatisfy({ $0.kind == .weak }) {
      let objcProtocol = CompilerName.objectiveCProtocol(symbol)
      (rule, name) = (objcProtocol == nil ? OneDefinitionRule.id : ProtocolDiffers.id, objcProtocol ?? symbol)
    }
    symbols.append(Collision(rule, verdict, searched.slice, name, sites, winner: winner?.description))
    definitions.append(
      DefinitionComparison.Job(name: symbol, objects: own.map(\.object) + aliases.map { _ in nil }))
  }

  private func kind(of site: Definitions.Site) -> Collision.Site.Kind {
    let symbol = set.symbols(of: site.object)[site.symbol]
    return switch symbol.kind {
    case .common: .common
    case .absolute: .absolute
    case .alias: .alias
    case .regular, .undefined: symbol.isWeak ? .weak : .strong
    }
  }

  /// Of a silent collision. Inline functions may be in many members of a file: one of each counts, one file is none.
  private func told(_ all: [Definitions.Site]) -> [Definitions.Site]? {
    guard all.allSatisfy({ kind(of: $0) == .weak }) else { return all }
    var files: Set<String> = []
    let first = all.filter { files.insert(set.place(of: $0.object).file).inserted }
    return first.count > 1 ? first : nil
  }

  /// All that there is something to say of, with the definitions compared.
  package func collisions() async -> [Collision] {
    let results = await DefinitionComparison.results(definitions, in: set)
    var told: [Collision] = []
    var standard = StandardLibraryDifferences()
    for (number, var collision) in symbols.enumerated() {
      let symbol = definitions[number].name
      let isSilent = collision.verdict == .silent
      if isSilent, collision.rule == OneDefinitionRule.id, CompilerName.isStandardLibrary(symbol) {
        standard.add(collision, results[number])
        continue
      }
      collision.identical = results[number].areSame
      // A language's own way to have one thing in many files, as long as it is one thing.
      let isOneThing =
        collision.rule == DuplicateSymbol.id
        ? collision.identical == true && collision.sites.allSatisfy { $0.kind == .common || $0.kind == .weak }
        : collision.identical != false || CompilerName.isMade(symbol)
      if !isSilent || !isOneThing { told.append(collision) }
    }
    return told + standard.collisions + runtime + libraries
  }
}
