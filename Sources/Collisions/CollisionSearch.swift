package import Linking

/// What collides in a link.
package struct CollisionSearch {
  /// Of the files and flags as they are.
  package let verdict: LinkVerdict
  /// In the order of the names' first definitions.
  package private(set) var collisions: [Collision] = []
  /// Those that the linker does not speak of.
  package private(set) var silentCategoryClashes: [LinkVerdict.CategoryClash] = []
  /// In the order of the bytes of their names.
  package let classesInLibraries: [ClassInLibrary]

  /// `isOpen`: the app's own code is not known, and may refer to anything. Else the line is the whole link, and what is
  /// said is what the linker says.
  package init(_ line: LinkLine, _ profile: LinkerProfile, _ set: LinkSet, isOpen: Bool) {
    let link = LinkResult(line, profile, set)
    verdict = link.verdict
    classesInLibraries = ClassInLibrary.all(link)
    // What cannot be read has been said, or is of no interest to this linker.
    if let all = try? CategoryClashes.anyhow(link.symbols) {
      let said = Set(verdict.categoryClashes.map { [$0.className, $0.method] })
      silentCategoryClashes = all.filter { !said.contains([$0.className, $0.method]) }
    }
    let files = link.files.named.sorted()
    let definitions = Definitions(files, of: set)
    let facts = CollisionFacts(link, set, isOpen ? LazySymbols(files, for: [], of: set) : nil)
    var certain: [String: LinkVerdict.Duplicate] = [:]
    for duplicate in verdict.duplicates { certain[duplicate.name] = duplicate }
    let possible = isOpen ? PossibleCollisions(link, line, profile, set, definitions).found : [:]
    for (name, sites) in definitions.shared {
      let text = set.names.text(name)
      let all = sites.map { facts.definition($0) }
      if let duplicate = certain.removeValue(forKey: text) {
        collisions.append(facts.collision(duplicate, among: all))
      } else if let (triggers, objects) = possible[name] {
        collisions.append(
          Collision(
            name: text, verdict: .possible(triggers: triggers.map(set.names.text)),
            definitions: all.filter { objects.contains(ObjectID($0.object)) }, winner: nil))
      } else {
        let winner = facts.winner(of: name) ?? facts.offer(of: name)
        guard winner != nil || isOpen, let told = facts.told(all) else { continue }
        collisions.append(Collision(name: text, verdict: .silent, definitions: told, winner: winner))
      }
    }
    // What the linker itself defines twice (`-alias`).
    for duplicate in certain.values.sorted(by: { $0.name < $1.name }) {
      collisions.append(facts.collision(duplicate, among: []))
    }
  }
}

/// What is said of the definitions of one link.
private final class CollisionFacts {
  let link: LinkResult
  let set: LinkSet
  /// Nil where the line is the whole link.
  private let lazySymbols: LazySymbols?
  private var reasons: [ObjectID: LinkVerdict.Reason] = [:]

  init(_ link: LinkResult, _ set: LinkSet, _ lazySymbols: LazySymbols?) {
    self.link = link
    self.set = set
    self.lazySymbols = lazySymbols
    for item in link.symbols.loaded.elements { reasons[item.object] = reasons[item.object] ?? item.reason }
  }

  func definition(_ site: Definitions.Site) -> Collision.Definition {
    Collision.Definition(
      place: set.place(of: site.object), kind: Collision.Definition.Kind(set.symbols(of: site.object)[site.symbol]),
      reason: reasons[site.object], object: site.object.index, symbol: site.symbol)
  }

  func collision(_ duplicate: LinkVerdict.Duplicate, among all: [Collision.Definition]) -> Collision {
    var places: [LinkPlace] = []
    for place in duplicate.pairs.joined() where !places.contains(place) { places.append(place) }
    var definitions = all.filter { places.contains($0.place) }
    for place in places where !definitions.contains(where: { $0.place == place }) {
      definitions.append(Collision.Definition(place: place, kind: .alias, reason: nil, object: -1, symbol: -1))
    }
    return Collision(
      name: duplicate.name, verdict: duplicate.isError ? .error : .warning, definitions: definitions,
      winner: duplicate.isError ? nil : link.definition(of: duplicate.name))
  }

  /// Of a silent collision. Every file may have its inline functions in many members, so one of each file is enough, and
  /// one file is none.
  func told(_ all: [Collision.Definition]) -> [Collision.Definition]? {
    guard all.allSatisfy({ $0.kind == .weak }) else { return all }
    var files: Set<String> = []
    let first = all.filter { files.insert($0.place.file).inserted }
    return first.count > 1 ? first : nil
  }

  func winner(of name: NameTable.ID) -> LinkPlace? { link.winner(of: name) }

  /// Nobody wants the name yet: the first on the line that is offered is taken.
  func offer(of name: NameTable.ID) -> LinkPlace? { lazySymbols?.object(for: name, set).map(set.place) }
}
