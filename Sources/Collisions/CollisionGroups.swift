package import Findings

// What a report for people says at once: the names that come from one library that several plugins carry, and what is the
// same for several slices.
extension CollisionReport {
  package var grouped: Report {
    struct Key: Hashable {
      var rule: RuleID
      var level: Level
      var verdict: CollisionFinding.Verdict
      var slice: String
    }
    var order: [Key] = []
    var parts: [Key: [CollisionFinding]] = [:]
    for finding in findings {
      let key = Key(rule: finding.rule, level: finding.level, verdict: finding.verdict, slice: finding.slice)
      if parts[key] == nil { order.append(key) }
      parts[key, default: []].append(finding)
    }
    var merged: [Finding: (finding: Finding, slices: [String])] = [:]
    for key in order {
      for finding in CollisionReport.byOrigin(parts[key] ?? []) {
        let plain = finding.ofAnySlice
        if merged[plain] == nil {
          merged[plain] = (finding, [key.slice])
        } else {
          let known = merged[plain]?.finding.sites ?? []
          merged[plain]?.finding.sites += finding.sites.filter { !known.contains($0) }
          merged[plain]?.slices.append(key.slice)
        }
      }
    }
    return Report(
      merged.values.map { finding, slices in
        var finding = finding
        if slices != ["android"] { finding.notes.append("in \(slices.joined(separator: ", "))") }
        return finding
      })
  }

  private static func byOrigin(_ findings: [CollisionFinding]) -> [Finding] {
    var artifacts: [Place: Int] = [:]
    // Names of one place mostly follow one another.
    var last: (sites: [CollisionFinding.Site], origin: [SharedOrigin.Site]) = ([], [])
    let names = findings.map { finding in
      if last.sites != finding.sites {
        last.origin = finding.sites.map { site in
          let number = artifacts[site.artifact] ?? artifacts.count
          artifacts[site.artifact] = number
          return SharedOrigin.Site(artifact: number, member: site.member)
        }
        last.sites = finding.sites
      }
      return SharedOrigin.Name(
        finding.name, last.origin, finding.identical.map { $0 ? .same : .different } ?? .unknown)
    }
    return SharedOrigin.groups(names).map { group in
      group.names.count == 1 ? findings[group.names[0]].finding : finding(group, group.names.map { findings[$0] })
    }
  }

  /// Several names of one origin.
  private static func finding(_ group: SharedOrigin, _ findings: [CollisionFinding]) -> Finding {
    let first = findings[0]
    let places = first.sites.map(\.artifact).reduce(into: [Place]()) { all, place in
      if !all.contains(place) { all.append(place) }
    }
    let what = what(first.rule, findings.count)
    let short = places.map(name)
    // Two libraries of one file name are told from each other by their folders.
    let names = Set(short).count == short.count ? short : places.map(\.description)
    let who =
      places.count == 1
      ? "\(names[0]) has \(what) twice"
      : places.count == 2
        ? "both \(names[0]) and \(names[1]) have \(what)"
        : "\(places.count) libraries have \(what)"
    let versions =
      group.differentCount == 0 && group.unknownCount == 0
      ? ", all the same"
      : group.differs ? ", \(group.sameCount == 0 ? "all" : "\(group.differentCount) of them") different" : ""
    var notes = [list(findings.map { $0.demangled ?? $0.name })]
    let members = group.members.map { member in
      Set(member.names.compactMap(\.self)).sorted().joined(separator: " and ")
    }.filter { !$0.isEmpty }
    if !members.isEmpty, first.slice != "android" { notes.append("in \(list(members))") }
    for note in first.notes where note.contains(" is loaded ") { notes.append(note) }
    return Finding(
      first.rule, first.level, "\(who)\(versions): \(outcome(findings))", at: places, notes: notes, hint: first.hint)
  }

  private static func what(_ rule: RuleID, _ count: Int) -> String {
    switch rule {
    case "duplicate-java-class": "\(count) classes of the same names"
    case "duplicate-native-library": "\(count) native libraries of the same names"
    case "category-clash": "\(count) methods in categories"
    case "odr-violation": "\(count) inline functions"
    default: "\(count) symbols of the same names"
    }
  }

  private static func outcome(_ findings: [CollisionFinding]) -> String {
    let first = findings[0]
    switch (first.verdict, first.rule) {
    case (.error, "duplicate-java-class"), (.error, "duplicate-native-library"): return "the Android build fails"
    case (.error, _): return "the link fails"
    case (.warning, _): return "the linker warns"
    case (.possible, _):
      return "the link fails if the app uses, for example, \((first.triggers ?? []).joined(separator: " and "))"
    case (.silent, _):
      let winners = Set(findings.compactMap(\.winner))
      return winners.isEmpty ? "nobody wants them yet" : "the first are taken, silently"
    }
  }

  private static func name(_ place: Place) -> String {
    let parts = place.parts.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return parts.first == parts.last ? parts.last ?? "" : "\(parts.first ?? "")'s \(parts.last ?? "")"
  }

  private static func list(_ names: [String]) -> String {
    names.count <= 4
      ? names.joined(separator: ", ") : "\(names.prefix(3).joined(separator: ", ")) and \(names.count - 3) more"
  }
}

extension Finding {
  /// Without the folder of the slice in an XCFramework: what is the same in several slices is one finding.
  fileprivate var ofAnySlice: Finding {
    var finding = self
    finding.message = Finding.withoutSlice(message)
    finding.notes = notes.map(Finding.withoutSlice)
    finding.sites = sites.map { Place(parts: $0.parts.map(Finding.withoutSlice), position: $0.position) }
    return finding
  }

  private static func withoutSlice(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return text }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 == 0 || !parts[$0 - 1].hasSuffix(".xcframework") }.map { parts[$0] }
      .joined(separator: "/")
  }
}
