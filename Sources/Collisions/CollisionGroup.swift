import Artifacts
import Findings
import Linking
import Recipes

/// One finding of a report for people: all names that the same plugins have in common with the same outcome, whatever
/// the slice, the object files and the triggers. Two plugins that carry one library are one problem to solve.
struct CollisionGroup: Sendable {
  /// A file of a plugin, whatever the slice.
  struct Origin: Hashable {
    var plugin: String
    var file: String
  }

  struct Key: Hashable {
    var rule: RuleID
    var level: Level
    var verdict: Collision.Verdict
    /// Sorted.
    var origins: [Origin]
    /// The message of a rule that reports each name by itself; nil for other rules.
    var name: String?
  }

  /// One for each name and slice, sorted by name.
  let all: [Collision]
  let first: Collision
  let names: [PluginName]
  let key: Key
  /// Sorted paths.
  let plugins: [String]
  let nameCount: Int
  /// Sorted.
  let slices: [String]
  /// The known library that the symbols are of, with its versions if these are known: `SQLite 3.45.1 and 3.39.0`.
  let library: String?

  fileprivate init?(
    _ key: Key, _ collisions: [Collision], _ names: [PluginName], _ versions: (String, [PluginID]) -> String?
  ) {
    self.names = names
    all = collisions.sorted { a, b in
      a.name.text == b.name.text
        ? a.sliceName < b.sliceName : a.name.text.utf8.lexicographicallyPrecedes(b.name.text.utf8)
    }
    guard let first = all.first else { return nil }
    self.first = first
    self.key = key
    plugins = Set(key.origins.map(\.plugin)).sorted()
    let symbols = Set(all.lazy.map(\.name.text))
    nameCount = symbols.count
    slices = Set(Set(all.lazy.map(\.slice)).map { $0?.description ?? "" }).sorted()
    let isKnown = key.rule == DuplicateSymbol.id && nameCount >= Self.minOfLibrary
    library = (isKnown ? ThirdParties.all.library(of: symbols) : nil).map { name in
      let plugins = first.sites.compactMap(\.plugin)
      return name + ((plugins.count == first.sites.count ? versions(name, plugins) : nil).map { " \($0)" } ?? "")
    }
  }

  var rule: any CollisionRule.Type { CollisionRegistry.rule(key.rule) }

  /// `isWhole`: lists are shown to their end.
  func finding(isWhole: Bool) -> Finding {
    var finding = first.finding(names)
    if isOwn { finding.rank = .trailing }
    // Nearly every app is linked with -ObjC, so that cause tells little.
    let causes = first.reasons.filter { isWhole || $0.cause != Self.usualCause }
    let reasons = causes.map { "\($0.place) is loaded \($0.cause)" }
    // Reasons are given for at most three files, or once if all files have the same one.
    let isCut = reasons.count > Self.maxReasons && !isWhole
    if nameCount > 1 {
      var seen: Set<Place> = []
      finding.sites = first.sites.map(\.artifact).filter { seen.insert($0).inserted }
      finding.message = "\(inCommon(finding.sites))\(versions): \(outcome)"
      let additions = Set(all.flatMap(\.additions)).sorted().prefix(Self.maxReasons)
      finding.notes = notes(isWhole) + (isCut ? [] : reasons) + additions
      finding.edit = first.edit(of: all)
    } else {
      let hidden = Set(first.reasons.map { "\($0.place) is loaded \($0.cause)" }).subtracting(isCut ? [] : reasons)
      finding.notes.removeAll(where: hidden.contains)
    }
    if isCut {
      let causes = Set(causes.map(\.cause))
      finding.notes +=
        causes.count == 1
        ? causes.map { "all of them are loaded \($0)" }
        : Array(reasons.prefix(Self.maxReasons)) + ["and \(reasons.count - Self.maxReasons) more are loaded"]
    }
    // An app's developer cannot change a plugin that collides with itself.
    if plugins.count == 1, key.rule == DuplicateSymbol.id, key.level > .note, !first.isOfOneFile {
      (finding.hint, finding.edit) = (Self.ownHint, nil)
    }
    // Identities are for baselines; a reader has no use for them.
    if isWhole { finding.subject.covered = Set(all.map { $0.identity(names) }).sorted() }
    if first.slice != nil { finding.notes.append("in \(list(slices, isWhole))") }
    return finding
  }

  private static let maxReasons = 3
  private static let usualCause = "by -ObjC"

  // MARK: Several names

  private func inCommon(_ places: [Place]) -> String {
    let files = Place.toldApart(places)
    let what = rule.counted(nameCount) + (library.map { " (\($0))" } ?? "")
    switch (places.count, plugins.count) {
    case (1, _): return "\(files[0]) has \(what)" + (first.slice == nil && first.sites.count == 1 ? "" : " twice")
    case (2, 1): return "two libraries of \(plugins[0]) have \(what)"
    case (2, _): return "both \(files[0]) and \(files[1]) have \(what)"
    default: return "\(places.count) libraries have \(what)"
    }
  }

  var versions: String {
    let different = Set(all.lazy.filter { $0.identical == false }.map(\.name.text)).count
    // Two of three sites may be the same and differ from the third.
    if different == nameCount { return first.sites.count > 2 ? ", not the same in all" : ", all different" }
    if different > 0 { return ", \(different) of them different" }
    return all.contains { $0.identical == nil } ? "" : ", all the same"
  }

  private static let minOfLibrary = 3

  var shownNames: [String] {
    var names: [String] = []
    for collision in all where names.last != collision.name.shown { names.append(collision.name.shown) }
    return names
  }

  private func notes(_ isWhole: Bool) -> [String] {
    let members = Set(all.lazy.flatMap(\.sites).compactMap(\.member)).filter { isWhole || !$0.isHashed }.sorted()
    let isSaid = members.isEmpty || rule.membersRepeatNames
    return [list(shownNames, isWhole)] + (isSaid ? [] : ["in \(list(members, isWhole))"])
  }

  var outcome: String {
    if let outcome = rule.outcome(first) { return outcome }
    return switch key.verdict {
    case .error: "the \(first.slice == nil ? "Android build" : "link") fails"
    case .warning: "the linker warns"
    case .possible: "the link fails if the app uses, for example, \(first.shownTriggers)"
    case .silent:
      all.allSatisfy { $0.winner == nil }
        ? "an app that uses them gets one of each, silently" : "the first are taken, silently"
    }
  }

  func list(_ items: [String], _ isWhole: Bool) -> String {
    listed(items, limit: items.count <= 4 || isWhole ? .max : 3)
  }
}

// MARK: Grouping

/// Groups in the order of their first collisions. `plugins` is indexed by `PluginID`.
func grouped(
  _ collisions: [Collision], plugins: [PluginName], _ versions: (String, [PluginID]) -> String? = { _, _ in nil }
) -> [CollisionGroup] {
  // Many collisions are in the same files.
  var known: [[Place]: [CollisionGroup.Origin]] = [:]
  func origins(_ sites: [Collision.Site]) -> [CollisionGroup.Origin] {
    let places = sites.map(\.artifact)
    if let known = known[places] { return known }
    let all = Set(sites.map { CollisionGroup.Origin($0, plugins) })
    let origins = all.sorted { ($0.plugin, $0.file) < ($1.plugin, $1.file) }
    known[places] = origins
    return origins
  }
  var groups: [(key: CollisionGroup.Key, members: [Collision])] = []
  var numbers: [CollisionGroup.Key: Int] = [:]
  var last: (collision: Collision, number: Int)?
  for one in collisions {
    let isInCommon = CollisionRegistry.rule(one.rule).isInCommon
    // Most collisions follow one of the same files, so the key is not made and hashed again.
    if isInCommon, let last, one.goes(with: last.collision) {
      groups[last.number].members.append(one)
      continue
    }
    let key = CollisionGroup.Key(
      rule: one.rule, level: one.level, verdict: one.verdict, origins: origins(one.sites),
      name: isInCommon ? nil : one.finding(plugins).message)
    let number = numbers[key] ?? groups.count
    if number == groups.count {
      numbers[key] = number
      groups.append((key, []))
    }
    groups[number].members.append(one)
    last = (one, number)
  }
  return groups.compactMap { CollisionGroup($0.key, $0.members, plugins, versions) }
}

extension CollisionGroup.Origin {
  /// A file that a link line names is a plugin of its own.
  fileprivate init(_ site: Collision.Site, _ plugins: [PluginName]) {
    // Libraries that differ only in the architecture in their names count as one.
    file = StableName.withoutArchitectures(site.artifact.lastName)
    plugin = site.plugin.map { plugins[$0.index].path } ?? Place.withoutSlice(site.artifact.parts.first ?? "")
  }
}

extension Collision {
  var sliceName: String { slice?.description ?? "" }

  fileprivate func goes(with other: Collision) -> Bool {
    rule == other.rule && verdict == other.verdict && level == other.level
      && sites.elementsEqual(other.sites) { $0.plugin == $1.plugin && $0.artifact == $1.artifact }
  }
}

extension Place {
  /// The path without the slice's folder in an XCFramework.
  fileprivate static func withoutSlice(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 == 0 || !parts[$0 - 1].hasSuffix(".xcframework") }.map { parts[$0] }
      .joined(separator: "/")
  }
}
