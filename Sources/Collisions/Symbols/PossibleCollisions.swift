import Linking

/// Duplicates that are errors once the app's own code refers to certain names. Each is tried out in a link of its own.
struct PossibleCollisions {
  private let link: LinkResult
  private let line: LinkLine
  private let profile: LinkerProfile
  private let set: LinkSet
  private let definitions: Definitions
  private let lazySymbols: LazySymbols
  /// `loaded` are the object files in the link as it is; `certain` stay whatever the app does: named, or forced.
  private let loaded: Set<ObjectID>
  private let certain: Set<ObjectID>
  private var tried: [Pair: Trial] = [:]
  /// The triggers of duplicates that trials for other names made.
  private var byTheWay: [NameID: [NameID]] = [:]

  /// By name: the triggers, and the object files that then define it.
  private(set) var found: [NameID: (triggers: [NameID], objects: Set<ObjectID>)] = [:]

  private struct Pair: Hashable {
    var first: ObjectID
    var second: ObjectID
  }

  private enum Trial {
    /// The duplicates if the names are wanted; nil stands for all names that both files define.
    case triggered([NameID], duplicates: Set<NameID>?)
    case never
  }

  /// The limit of pairs that are tried for one name.
  private static let maxPairs = 64
  /// The limit of names that are tried for one object file.
  private static let maxNames = 6

  init(
    _ link: LinkResult, _ line: LinkLine, _ profile: LinkerProfile, _ set: LinkSet, _ definitions: Definitions
  ) {
    self.link = link
    self.line = line
    self.profile = profile
    self.set = set
    self.definitions = definitions
    loaded = Set(link.symbols.loaded.elements.map(\.object))
    certain = Set(
      link.symbols.loaded.elements.filter { item in
        if case .symbol = item.reason { false } else { true }
      }.map(\.object))
    let reported = Set(link.symbols.clashes.map(\.name))
    let candidates = definitions.shared.filter { name, sites in
      !reported.contains(name) && PossibleCollisions.mayClash(sites, set, profile)
    }
    let wanted = Set(candidates.flatMap { $0.sites.map(\.object) })
    lazySymbols = LazySymbols(link.files.named.sorted(), for: wanted, of: set)
    for (name, sites) in candidates { find(name, sites) }
    findMore(Dictionary(candidates.map { ($0.name, $0.sites) }, uniquingKeysWith: { first, _ in first }))
  }

  private static func mayClash(_ sites: [Definitions.Site], _ set: LinkSet, _ profile: LinkerProfile) -> Bool {
    let symbols = sites.map { set.symbols(of: $0.object)[$0.symbol] }
    let strong = symbols.count { $0.kind != .common && !$0.isWeak }
    if strong > 1 { return true }
    let isAbsolute = symbols.contains { $0.kind == .absolute }
    return isAbsolute && profile.absoluteClashesWithWeak && symbols.count { $0.kind != .common } > 1
  }

  private func isLoadable(_ object: ObjectID) -> Bool {
    loaded.contains(object) || !lazySymbols.names(of: object).isEmpty
  }

  /// Finds every object file that another one can collide with, so that a third one is seen, too.
  private mutating func find(_ name: NameID, _ sites: [Definitions.Site]) {
    let loadable = sites.filter { isLoadable($0.object) }
    var pairs = 0
    for (index, first) in loadable.enumerated() {
      for second in loadable[(index + 1)...] where pairs < PossibleCollisions.maxPairs + loadable.count {
        if let known = found[name]?.objects, known.contains(first.object), known.contains(second.object) { continue }
        pairs += 1
        guard PossibleCollisions.mayClash([first, second], set, profile) else { continue }
        let pair = Pair(first: first.object, second: second.object)
        let trial = tried[pair] ?? attempt(pair, name)
        tried[pair] = trial
        guard case .triggered(let triggers, let duplicates) = trial, duplicates?.contains(name) ?? true else {
          continue
        }
        found[name, default: (triggers, [])].objects.formUnion([first.object, second.object])
        if found[name]?.objects.count == loadable.count { return }
      }
    }
  }

  // MARK: Trials

  private mutating func attempt(_ pair: Pair, _ name: NameID) -> Trial {
    let first = triggers(of: pair.first, beside: pair.second)
    let second = triggers(of: pair.second, beside: pair.first)
    if !line.has(.deadStrip), isSure(first.first, pair.first), isSure(second.first, pair.second) {
      return .triggered([first.first, second.first].compactMap { $0 ?? nil }, duplicates: nil)
    }
    for first in first {
      for second in second {
        let wanted = [first, second].compactMap(\.self)
        if wanted.isEmpty { continue }
        let duplicates = duplicates(wanting: wanted)
        if duplicates.contains(name) { return .triggered(wanted, duplicates: duplicates) }
      }
    }
    return .never
  }

  /// Whether an object file is loaded for a trigger whatever else is loaded, because it alone has that name. Without a
  /// trigger the file has to be in every link.
  private func isSure(_ trigger: NameID??, _ object: ObjectID) -> Bool {
    guard let trigger, !isForeign(object) else { return false }
    return trigger.map(definitions.isUnique) ?? certain.contains(object)
  }

  /// Whether the linker refuses it because it is built for another platform.
  private func isForeign(_ object: ObjectID) -> Bool {
    guard let target = line.target else { return false }
    return profile.platforms.answer(set.builds(of: object), for: target, isLibrary: false) == .refuse
  }

  /// The names for which an object file is loaded, the best first: none if it is loaded anyway, then names that it
  /// alone has, then those that the other file lacks.
  private func triggers(of object: ObjectID, beside other: ObjectID) -> [NameID?] {
    if certain.contains(object) { return [nil] }
    let others = Set(set.symbols(of: other).lazy.filter(\.isDefinition).map(\.name))
    func rank(_ name: NameID) -> Int { definitions.isUnique(name) ? 0 : others.contains(name) ? 2 : 1 }
    let ranked = lazySymbols.names(of: object).enumerated().map { (rank($0.element), $0.offset, $0.element) }
    let names = ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(PossibleCollisions.maxNames).map(\.2)
    return (loaded.contains(object) ? [nil] : []) + names
  }

  private mutating func duplicates(wanting names: [NameID]) -> Set<NameID> {
    let link = LinkResult(line, profile, set, wanting: names.map(set.names.text))
    let duplicates = Set(link.verdict.duplicates.filter(\.isError).map { set.names.id($0.name) })
    for name in duplicates where names.count < byTheWay[name]?.count ?? .max { byTheWay[name] = names }
    return duplicates
  }

  // MARK: Triggers beyond pairs

  /// Tries all names at once, and narrows down those that make a duplicate which no pair showed.
  private mutating func findMore(_ candidates: [NameID: [Definitions.Site]]) {
    let missing = candidates.filter { name, sites in
      found[name] == nil && sites.count { isLoadable($0.object) } > 1
    }
    let objects = Set(missing.values.joined().map(\.object)).sorted()
    let all = objects.flatMap { lazySymbols.names(of: $0) }
    for name in all.isEmpty ? [] : duplicates(wanting: all).sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let sites = missing[name], found[name] == nil else { continue }
      found[name] = (narrowed(all, name), Set(sites.map(\.object)))
    }
    // Where the linker looks again for a tentative definition, it also loads an object file that is not the first to
    // offer any name.
    for (name, sites) in candidates where found[name] == nil {
      if let triggers = byTheWay[name] { found[name] = (triggers, Set(sites.map(\.object))) }
    }
  }

  /// A small set of the names that still makes `name` a duplicate: halves, quarters and so on are left out as long as
  /// possible.
  private mutating func narrowed(_ names: [NameID], _ name: NameID) -> [NameID] {
    var names = names
    var size = max(1, names.count / 2)
    while true {
      var start = 0
      while start < names.count, names.count > 1 {
        let rest = Array(names[..<start] + names[min(start + size, names.count)...])
        if !rest.isEmpty, duplicates(wanting: rest).contains(name) { names = rest } else { start += size }
      }
      if size == 1 { return names }
      size = max(1, size / 2)
    }
  }
}
