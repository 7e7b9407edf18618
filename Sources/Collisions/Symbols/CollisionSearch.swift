package import Artifacts
package import Findings
package import Linking

/// A link whose collisions are searched, with the origins of its files.
struct SearchedLink {
  let link: LinkResult
  let slice: Slice?
  /// Maps a path of the link set to the file that it stands for.
  let origin: (String) -> FileOrigin

  func site(
    _ place: LinkPlace, _ kind: Collision.Site.Kind, _ reason: LinkVerdict.Reason? = nil
  ) -> Collision.Site {
    let origin = origin(place.file)
    return Collision.Site(origin.place, member: place.member, of: origin.plugin, kind, reason)
  }
}

/// The origin of a file in a link.
package struct FileOrigin: Sendable {
  package let place: Place
  /// Nil for a file that a link line names.
  package let plugin: PluginID?

  package init(_ place: Place, _ plugin: PluginID? = nil) {
    self.place = place
    self.plugin = plugin
  }
}

/// Finds the collisions of a link.
package struct CollisionSearch {
  /// The linker's verdict on the files and flags as they are.
  package let verdict: LinkVerdict
  /// All names that are defined twice, reported or not, in the order of their first definitions.
  private(set) var candidates: [Candidate] = []
  /// Collisions that show when the app runs, of which no linker says anything.
  package let runtime: [Collision]
  /// Libraries that the linker refuses as they are.
  private let libraries: [Collision]

  private let set: LinkSet
  private let searched: SearchedLink
  /// The same link by the linker that the profile is modelled on, if only reports tell the two apart.
  private let model: (link: LinkResult, duplicates: [String: LinkVerdict.Duplicate])?
  private var reasons: [ObjectID: LinkVerdict.Reason] = [:]

  /// `isOpen`: the app's own code is not known and may refer to anything. Otherwise the result is that of the line
  /// alone.
  package init(
    _ line: LinkLine, _ profile: LinkerProfile, _ set: LinkSet, isOpen: Bool, slice: Slice? = nil,
    origin: @escaping (String) -> FileOrigin = { FileOrigin(Place($0)) }
  ) {
    let link = LinkResult(line, profile, set)
    self.set = set
    verdict = link.verdict
    searched = SearchedLink(link: link, slice: slice, origin: origin)
    model = (link.symbols.isReported ? profile.model : nil).map { profile in
      let link = LinkResult(line, profile, set)
      return (link, Dictionary(link.verdict.duplicates.map { ($0.name, $0) }, uniquingKeysWith: { $1 }))
    }
    libraries = profile.wantsAlignedMembers ? MisalignedLibrary.collisions(in: searched) : []
    for item in link.symbols.loaded.elements { reasons[item.object] = reasons[item.object] ?? item.reason }
    let files = link.files.named.sorted()
    // An unknown app may refer to any object file.
    let objects = isOpen ? files.flatMap(set.objects) : link.symbols.order.map { link.symbols.loaded[$0].object }
    let local = LocalObjC(objects, of: set)
    let definitions = Definitions(files, of: set)
    runtime =
      CategoryClash.collisions(in: searched) + ClassInLibrary.collisions(in: searched, local)
      + local.collisions(in: searched, reasons) + ProtocolCopies(objects, of: set).collisions(in: searched, reasons)
      + SymbolInLibrary.collisions(in: searched, definitions.exported, isOpen: isOpen)
    let lazySymbols = isOpen ? LazySymbols(files, for: [], of: set) : nil
    let possible = isOpen ? PossibleCollisions(link, line, profile, set, definitions).found : [:]
    var certain = Dictionary(verdict.duplicates.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for (name, sites) in definitions.shared {
      let text = set.names.text(name)
      if let duplicate = certain.removeValue(forKey: text) {
        add(duplicate, sites)
      } else if let (triggers, objects) = possible[name] {
        add(text, .possible, sites.filter { objects.contains($0.object) }, triggers: triggers)
      } else {
        // A name that nothing refers to yet would be taken from the first file on the line that offers it.
        let winner = link.winner(of: name) ?? lazySymbols?.object(for: name, set).map(set.place)
        guard winner != nil || isOpen || model?.duplicates[text] != nil, let told = told(sites) else { continue }
        add(text, .silent, told, winner: winner)
      }
    }
    // Duplicates that the line itself makes: an object file that it names twice, and `-alias`.
    let own = set.definitions(in: link.symbols.loaded.elements.map(\.object).repeated)
    for duplicate in certain.values.sorted(by: { $0.name < $1.name }) { add(duplicate, own[duplicate.name] ?? []) }
  }

  /// A name before its definitions are compared.
  struct Candidate {
    let name: String
    let verdict: Collision.Verdict
    let sites: [Definitions.Site]
    /// Places at which the line defines it.
    let aliases: [LinkPlace]
    let winner: LinkPlace?
    let triggers: [NameID]
    let isInline: Bool
  }

  /// Adds a duplicate that the linker reports.
  private mutating func add(_ duplicate: LinkVerdict.Duplicate, _ all: [Definitions.Site]) {
    var left = Set(duplicate.pairs.joined())
    let own = all.filter { left.contains(set.place(of: $0.object)) }
    for site in own { left.remove(set.place(of: site.object)) }
    let aliases = left.isEmpty ? [] : duplicate.pairs.joined().filter { left.remove($0) != nil }
    add(
      duplicate.name, duplicate.isError ? .error : .warning, own, aliases,
      winner: duplicate.isError ? nil : searched.link.definition(of: duplicate.name))
  }

  private mutating func add(
    _ name: String, _ verdict: Collision.Verdict, _ sites: [Definitions.Site], _ aliases: [LinkPlace] = [],
    winner: LinkPlace? = nil, triggers: [NameID] = []
  ) {
    let isInline = aliases.isEmpty && sites.allSatisfy { kind(of: $0) == .weak }
    candidates.append(
      Candidate(
        name: name, verdict: verdict, sites: sites, aliases: aliases, winner: winner, triggers: triggers,
        isInline: isInline))
  }

  func collision(of candidate: Candidate, isSame: Bool?, _ origins: inout [FileOrigin?]) -> Collision {
    var sites: [Collision.Site] = []
    sites.reserveCapacity(candidate.sites.count + candidate.aliases.count)
    for site in candidate.sites { sites.append(self.site(site, &origins)) }
    for alias in candidate.aliases { sites.append(searched.site(alias, .alias, DuplicateSymbol.aliasReason)) }
    var collision = Collision(
      candidate.isInline ? OneDefinitionRule.id : DuplicateSymbol.id, candidate.verdict, searched.slice, candidate.name,
      sites, winner: candidate.winner?.description, identical: isSame)
    collision.triggers = candidate.triggers.map { Collision.Name(text: set.names.text($0)) }
    if candidate.verdict != .possible { collision.parting = parting(candidate.name, candidate.verdict) }
    return collision
  }

  /// `origins` has those of files that were asked for.
  private func site(_ site: Definitions.Site, _ origins: inout [FileOrigin?]) -> Collision.Site {
    let (file, place) = (set.file(of: site.object).index, set.place(of: site.object))
    while origins.count <= file { origins.append(nil) }
    let origin = origins[file] ?? searched.origin(place.file)
    origins[file] = origin
    return Collision.Site(
      origin.place, member: place.member, of: origin.plugin, kind(of: site), reasons[site.object])
  }

  /// The definitions to compare. Those of an inline function that no report shows are not compared.
  func definitions(of candidate: Candidate) -> DefinitionComparison.Job {
    var sites: [DefinitionComparison.Job.Site?] = []
    if !candidate.isInline || !CompilerName.isNobodys(candidate.name) {
      for site in candidate.sites {
        let definition = DefinitionComparison.Definition(set.symbols(of: site.object)[site.symbol])
        sites.append(definition.map { DefinitionComparison.Job.Site(object: site.object, definition: $0) })
      }
      for _ in candidate.aliases { sites.append(nil) }
    }
    return DefinitionComparison.Job(sites: sites)
  }

  /// Says how the linker that the profile is modelled on treats a name, if it treats it otherwise.
  private func parting(_ symbol: String, _ verdict: Collision.Verdict) -> String? {
    guard let model else { return nil }
    let duplicate = model.duplicates[symbol]
    let other: Collision.Verdict = duplicate.map { $0.isError ? .error : .warning } ?? .silent
    let name = set.names.id(symbol)
    let winner = other == .error ? nil : model.link.winner(of: name)
    let isSame = verdict == .error || winner == searched.link.winner(of: name)
    if other == verdict, isSame { return nil }
    let what = winner.map { "takes that of \($0)" } ?? "takes none of them"
    return "reported, not measured: "
      + (other == .error ? "for ld64 the link fails" : other == .warning ? "ld64 warns and \(what)" : "ld64 \(what)")
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

  /// The sites of a silent collision that a report shows, or nil if there is nothing to show. Inline functions may be
  /// in many members of a file: one member of each file counts, and one file alone is no collision.
  private func told(_ all: [Definitions.Site]) -> [Definitions.Site]? {
    guard all.allSatisfy({ kind(of: $0) == .weak }) else { return all }
    var last: FileID?
    let first = all.filter { site in
      let file = set.file(of: site.object)
      defer { last = file }
      return file != last
    }
    return first.count > 1 ? first : nil
  }

  /// The collisions to report, with their definitions compared.
  package func collisions() async -> [Collision] {
    let results = await DefinitionComparison.results(candidates.map(definitions), in: set)
    var told: [Collision] = []
    var compilers = CompilerDifferences()
    var origins: [FileOrigin?] = []
    for (candidate, results) in zip(candidates, results) {
      let (isSilent, isSame) = (candidate.verdict == .silent, results.areSame)
      // Common symbols and inline functions are meant to be in many files, as long as they do not differ.
      let isOneThing = candidate.isInline ? isSame != false : isSame == true && isShared(candidate)
      if isSilent, isOneThing { continue }
      let collision = collision(of: candidate, isSame: isSame, &origins)
      if isSilent, candidate.isInline, !showsLayout(candidate) {
        let builds = candidate.sites.map { set.builds(of: $0.object) }
        if compilers.take(collision, results, builds) { continue }
      }
      told.append(collision)
    }
    return told + compilers.collisions + runtime + libraries
  }

  private func isShared(_ candidate: Candidate) -> Bool {
    candidate.aliases.isEmpty && candidate.sites.allSatisfy { [.common, .weak].contains(kind(of: $0)) }
  }

  /// Whether a difference comes of the sources, whatever the compilers: data is laid out in one way. The pointers of a
  /// virtual table depend on what is inlined, but not their number.
  private func showsLayout(_ candidate: Candidate) -> Bool {
    if candidate.sites.contains(where: { set.symbols(of: $0.object)[$0.symbol].flags.contains(.code) }) { return false }
    if !CompilerName.isVirtualTable(candidate.name) { return true }
    let sizes = candidate.sites.map { site in
      let symbol = set.symbols(of: site.object)[site.symbol]
      return set.size(at: symbol.value, section: Int(symbol.section), of: site.object)
    }
    return Set(sizes).count > 1
  }
}

extension [ObjectID] {
  /// The elements that are there more than once.
  fileprivate var repeated: Set<ObjectID> {
    var seen: Set<ObjectID> = []
    return Set(filter { !seen.insert($0).inserted })
  }
}

extension LinkSet {
  /// The definitions of the object files by name.
  fileprivate func definitions(in objects: Set<ObjectID>) -> [String: [Definitions.Site]] {
    var found: [String: [Definitions.Site]] = [:]
    for object in objects.sorted() {
      for (index, symbol) in symbols(of: object).enumerated() where symbol.isDefinition {
        found[names.text(symbol.name), default: []].append(Definitions.Site(object: object, symbol: index))
      }
    }
    return found
  }
}
