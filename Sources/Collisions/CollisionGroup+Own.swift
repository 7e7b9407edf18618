import Artifacts
import Findings

// Collisions within one plugin, such as two libraries of one vendor with the same code. An app's developer can only ask
// the vendor, so a report for people shows them after the collisions between plugins: errors in one finding, and all
// others in one line, for which nothing fails. A check of the plugin alone shows each of them.
extension CollisionGroup {
  var isOwn: Bool { plugins.count == 1 && rule.isInCommon && first.sites.count > 1 }

  static let ownHint = "a plugin must carry each once: leave one of the two out, or ask its vendor to"

  private static let maxOwn = 3

  static func findings(_ groups: [CollisionGroup], isWhole: Bool) -> [Finding] {
    struct Own: Hashable {
      var plugins: [String]
      var level: Level
    }
    let isQuiet = { (group: CollisionGroup) in
      !isWhole && group.isOwn && group.key.level < .error && group.names.count > 1
    }
    let told = groups.filter { !isQuiet($0) }
    let own = Dictionary(grouping: told.filter(\.isOwn)) { Own(plugins: $0.plugins, level: $0.key.level) }
    return told.filter { !$0.isOwn || own[Own(plugins: $0.plugins, level: $0.key.level)]?.count == 1 }
      .map { $0.finding(isWhole: isWhole) }
      + own.values.filter { $0.count > 1 }.map { folded($0, isWhole: isWhole) }
      + Dictionary(grouping: groups.filter(isQuiet), by: \.plugins).values.map(line)
  }

  /// The finding of one line on what a plugin does to itself without harm to the build.
  private static func line(_ groups: [CollisionGroup]) -> Finding {
    let groups = groups.sorted { ($0.key.level, $0.harm, $0.nameCount) > ($1.key.level, $1.harm, $1.nameCount) }
    var finding = groups[0].finding(isWhole: false)
    finding.message =
      "\(groups[0].plugins[0]) collides with itself in \(counted(groups)), and the app is built all the same: a check of it "
      + "alone lists them"
    (finding.sites, finding.notes, finding.hint) = ([], [], nil)
    return finding
  }

  /// Merges several groups of one plugin and level into one finding.
  private static func folded(_ groups: [CollisionGroup], isWhole: Bool) -> Finding {
    let groups = groups.sorted { ($0.harm, $0.nameCount) > ($1.harm, $1.nameCount) }
    let worst = groups[0]
    var finding = worst.finding(isWhole: isWhole)
    finding.message = "\(worst.plugins[0]) collides with itself in \(counted(groups)): \(worst.outcome)"
    (finding.hint, finding.edit) = (worst.key.level > .note ? ownHint : nil, nil)
    var seen: Set<Place> = []
    if isWhole {
      let findings = groups.map { $0.finding(isWhole: true) }
      finding.sites = findings.flatMap(\.sites).filter { seen.insert($0).inserted }
      finding.notes = zip(groups, findings).map { group, finding in
        let notes = group.nameCount > 1 ? finding.notes.dropFirst() : finding.notes[...]
        return ([group.ownLine(isWhole: true)] + notes).joined(separator: "; ")
      }
      finding.subject.covered = Set(findings.flatMap(\.identities)).sorted()
      return finding
    }
    let files = groups.flatMap(\.first.sites).map(\.artifact).filter { seen.insert($0).inserted }
    finding.sites = Array(files.prefix(maxOwn))
    if files.count > maxOwn {
      finding.notes = ["and in \(files.count - maxOwn) more of its files"]
    } else {
      finding.notes = []
    }
    finding.notes += groups.prefix(maxOwn).map { $0.ownLine(isWhole: false) }
    if groups.count > maxOwn { finding.notes.append("and \(groups.count - maxOwn) more: -v shows all of them") }
    finding.notes += Set(groups.flatMap(\.all).flatMap(\.additions)).sorted()
    let slices = Set(groups.flatMap(\.slices).filter { !$0.isEmpty }).sorted()
    if !slices.isEmpty { finding.notes.append("in \(worst.list(slices, isWhole))") }
    return finding
  }

  /// `libA.a and libB.a: _a, _b and 2 more: the link fails`
  private func ownLine(isWhole: Bool) -> String {
    var files: [String] = []
    for site in first.sites where !files.contains(site.artifact.lastName) { files.append(site.artifact.lastName) }
    let place = files.count == 1 ? files[0] : enumerated(files)
    return "\(place): \(list(shownNames, isWhole))\(versions): \(outcome)"
  }

  /// Worse outcomes have larger numbers.
  var harm: Int {
    switch key.verdict {
    case .error: 3
    case .possible: 2
    case .warning: 1
    case .silent: 0
    }
  }
}
