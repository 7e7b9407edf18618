package import Findings

/// What a report for people says at once: all names that the same plugins have in common and of which the same comes,
/// whatever the slice, the object files and what triggers it. Two plugins that carry one library are one thing to mend.
package struct CollisionGroup: Sendable {
  /// A file of a plugin, in whichever of its slices.
  fileprivate struct Artifact: Hashable {
    var plugin: String
    var file: String

    init(_ place: Place, _ plugins: PluginPaths) {
      plugin = plugins.plugin(of: place)
      file = place.parts.last?.split(separator: "/").last.map(String.init) ?? ""
    }
  }

  fileprivate struct Key: Hashable {
    var rule: RuleID
    var level: Level
    var verdict: CollisionFinding.Verdict
    /// Sorted.
    var artifacts: [Artifact]

    init(_ finding: CollisionFinding, _ plugins: PluginPaths) {
      (rule, level, verdict) = (finding.rule, finding.level, finding.verdict)
      let all = Set(finding.sites.map { Artifact($0.artifact, plugins) })
      artifacts = all.sorted { ($0.plugin, $0.file) < ($1.plugin, $1.file) }
    }
  }

  /// Of one name and slice each; the same name again in other slices.
  private let findings: [CollisionFinding]
  private let key: Key

  fileprivate init(_ key: Key, _ findings: [CollisionFinding]) {
    self.key = key
    self.findings = findings.sorted { a, b in
      a.name == b.name ? a.slice < b.slice : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }
  }

  package var rule: RuleID { key.rule }
  package var level: Level { key.level }
  /// Sorted paths.
  package var plugins: [String] { Set(key.artifacts.map(\.plugin)).sorted() }

  package var nameCount: Int { Set(findings.lazy.map(\.name)).count }

  /// `isWhole`: lists to their end.
  package func finding(isWhole: Bool) -> Finding? {
    guard let first = findings.first else { return nil }
    let count = nameCount
    var finding = count == 1 ? first.finding : several(count, first, isWhole)
    if isWithinPlugin, finding.hint != nil { finding.hint = CollisionGroup.hintWithin }
    finding.notes = shortened(finding.notes, isWhole)
    let slices = Set(findings.map(\.slice)).sorted()
    if slices != ["android"] { finding.notes.append("in \(list(slices, isWhole))") }
    return finding
  }

  /// Of several names.
  private func several(_ count: Int, _ first: CollisionFinding, _ isWhole: Bool) -> Finding {
    var seen: Set<Place> = []
    let places = first.sites.map(\.artifact).filter { seen.insert($0).inserted }
    let short = places.map(\.shortName)
    // Two libraries of one file name are told from each other by their folders.
    let files = Set(short).count == short.count ? short : places.map(\.description)
    let what = rule.collisions(count)
    let who =
      places.count == 1
      ? "\(files[0]) has \(what) twice"
      : plugins.count == 1 && places.count == 2
        ? "two libraries of \(plugins[0]) have \(what)"
        : places.count == 2
          ? "both \(files[0]) and \(files[1]) have \(what)" : "\(places.count) libraries have \(what)"
    var names: [String] = []
    var (different, unknown): (Set<String>, Set<String>) = ([], [])
    for finding in findings {
      if finding.identical == false { different.insert(finding.name) }
      if finding.identical == nil { unknown.insert(finding.name) }
      let shown = finding.demangled ?? finding.name
      if names.last != shown { names.append(shown) }
    }
    let versions =
      different.count == count
      ? ", all different"
      : !different.isEmpty ? ", \(different.count) of them different" : unknown.isEmpty ? ", all the same" : ""
    var notes = [list(names, isWhole)]
    let members = Set(findings.lazy.flatMap(\.sites).compactMap(\.member)).sorted()
    // Android's are what the names say.
    if !members.isEmpty, first.slice != "android" { notes.append("in \(list(members, isWhole))") }
    notes += first.notes.filter { $0.contains(CollisionGroup.reason) }
    return Finding(
      rule, level, "\(who)\(versions): \(outcome(first))", at: places, notes: notes,
      hint: isWithinPlugin ? CollisionGroup.hintWithin : first.hint)
  }

  /// One plugin collides with itself: whoever puts an app together can do nothing about that.
  private var isWithinPlugin: Bool { plugins.count == 1 && rule == "duplicate-symbol" && level > .note }
  private static let hintWithin = "a plugin must carry each once: leave one of the two out, or ask its vendor to"

  private func outcome(_ first: CollisionFinding) -> String {
    switch (first.verdict, rule) {
    case (.error, "duplicate-java-class"), (.error, "duplicate-native-library"): return "the Android build fails"
    case (.error, _): return "the link fails"
    case (.warning, _): return "the linker warns"
    case (.possible, _): return "the link fails if the app uses, for example, \(first.shownTriggers)"
    case (.silent, "category-clash"): return "which of them is called is decided when the app starts"
    case (.silent, _):
      return findings.allSatisfy { $0.winner == nil }
        ? "an app that uses them gets one of each, silently" : "the first are taken, silently"
    }
  }

  private static let reason = " is loaded "

  /// Why each file is in the link is said of three, or at once of all.
  private func shortened(_ notes: [String], _ isWhole: Bool) -> [String] {
    let reasons = notes.filter { $0.contains(CollisionGroup.reason) }
    guard reasons.count > 3, !isWhole else { return notes }
    let causes = Set(reasons.compactMap { $0.split(separator: CollisionGroup.reason).last.map(String.init) })
    let others = notes.filter { !$0.contains(CollisionGroup.reason) }
    if let cause = causes.first, causes.count == 1 { return others + ["all of them are loaded \(cause)"] }
    return others + reasons.prefix(3) + ["and \(reasons.count - 3) more are loaded"]
  }

  private func list(_ items: [String], _ isWhole: Bool) -> String {
    let (all, few) = (items.count <= 4 || isWhole, items.prefix(3).joined(separator: ", "))
    return all ? items.joined(separator: ", ") : "\(few) and \(items.count - 3) more"
  }
}

extension CollisionReport {
  /// In the order of what is found first.
  package var groups: [CollisionGroup] {
    let paths = PluginPaths(plugins)
    var order: [CollisionGroup.Key] = []
    var members: [CollisionGroup.Key: [CollisionFinding]] = [:]
    // Findings of one place mostly follow one another.
    var last: (finding: CollisionFinding, key: CollisionGroup.Key, members: [CollisionFinding])?
    for finding in findings {
      if let known = last?.finding, known.isAlike(finding) {
        last?.members.append(finding)
        continue
      }
      if let last { members[last.key] = last.members }
      let key = CollisionGroup.Key(finding, paths)
      if members[key] == nil { order.append(key) }
      last = (finding, key, (members.removeValue(forKey: key) ?? []) + [finding])
      members[key] = []
    }
    if let last { members[last.key] = last.members }
    return order.map { CollisionGroup($0, members[$0] ?? []) }
  }
}

extension CollisionFinding {
  /// Whether it is said of the same files.
  fileprivate func isAlike(_ other: CollisionFinding) -> Bool {
    rule == other.rule && level == other.level && verdict == other.verdict && sites.count == other.sites.count
      && zip(sites, other.sites).allSatisfy { $0.artifact == $1.artifact }
  }
}

extension RuleID {
  /// `3 classes of the same names`: so many collisions of the rule.
  package func collisions(_ count: Int) -> String {
    let (one, many) =
      switch self {
      case "duplicate-java-class": ("class of the same name", "classes of the same names")
      case "duplicate-native-library": ("native library of the same name", "native libraries of the same names")
      case "category-clash": ("method in categories", "methods in categories")
      case "class-in-dylib": ("class", "classes")
      case "odr-violation": ("inline function", "inline functions")
      case "protocol-differs": ("protocol", "protocols")
      default: ("symbol of the same name", "symbols of the same names")
      }
    return "\(count) \(count == 1 ? one : many)"
  }
}

/// Which plugin a place is in.
private struct PluginPaths {
  private let paths: Set<String>

  init(_ paths: [String]) { self.paths = Set(paths) }

  /// The place itself, without the folder of a slice in an XCFramework, if it is in none: a file of a link line.
  func plugin(of place: Place) -> String {
    let path = place.parts.first ?? ""
    if paths.contains(path) { return path }
    var folder = path[...]
    while let end = folder.lastIndex(of: "/") {
      folder = folder[..<end]
      if paths.contains(String(folder)) { return String(folder) }
    }
    return Place.withoutSlice(path)
  }
}

extension Place {
  /// `Rally.zip's libRally.a`.
  fileprivate var shortName: String {
    let names = parts.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return names.first == names.last ? names.last ?? "" : "\(names.first ?? "")'s \(names.last ?? "")"
  }

  /// Without the folder of the slice in an XCFramework.
  fileprivate static func withoutSlice(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 == 0 || !parts[$0 - 1].hasSuffix(".xcframework") }.map { parts[$0] }
      .joined(separator: "/")
  }
}
