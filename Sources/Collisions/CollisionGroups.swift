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
    var parts: [Key: [Int]] = [:]
    // Findings of one kind mostly follow one another.
    var last: (key: Key, part: [Int])?
    for index in findings.indices {
      let key = Key(
        rule: findings[index].rule, level: findings[index].level, verdict: findings[index].verdict,
        slice: findings[index].slice)
      if last?.key != key {
        if let last { parts[last.key] = last.part }
        if parts[key] == nil { order.append(key) }
        last = (key, parts.removeValue(forKey: key) ?? [])
        parts[key] = []
      }
      last?.part.append(index)
    }
    if let last { parts[last.key] = last.part }
    var merged: [Finding: (finding: Finding, slices: [String])] = [:]
    for key in order {
      for finding in byOrigin(parts[key] ?? []) {
        let plain = finding.ofAnySlice
        if merged[plain] == nil {
          merged[plain] = (finding, [key.slice])
        } else {
          let known = Set(merged[plain]?.finding.sites ?? [])
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

  /// `indices`: of findings.
  private func byOrigin(_ indices: [Int]) -> [Finding] {
    var artifacts: [Place: Int] = [:]
    // Names of one place mostly follow one another.
    var last: (sites: [CollisionFinding.Site], origin: [SharedOrigin.Site]) = ([], [])
    let names = indices.map { index in
      if last.sites != findings[index].sites {
        last.sites = findings[index].sites
        last.origin = last.sites.map { site in
          let number = artifacts[site.artifact] ?? artifacts.count
          artifacts[site.artifact] = number
          return SharedOrigin.Site(artifact: number, member: site.member)
        }
      }
      return SharedOrigin.Name(
        findings[index].name, last.origin, findings[index].identical.map { $0 ? .same : .different } ?? .unknown)
    }
    return SharedOrigin.groups(names).map { group in
      group.names.count == 1
        ? findings[indices[group.names[0]]].finding : finding(group, group.names.map { indices[$0] })
    }
  }

  /// Several names of one origin. `indices`: of their findings.
  private func finding(_ group: SharedOrigin, _ indices: [Int]) -> Finding {
    let first = findings[indices[0]]
    var seen: Set<Place> = []
    let places = first.sites.map(\.artifact).filter { seen.insert($0).inserted }
    let what = Self.what(first.rule, indices.count)
    let short = places.map(Self.name)
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
    var notes = [Self.list(indices.count) { findings[indices[$0]].demangled ?? findings[indices[$0]].name }]
    let members = group.members.map { member in
      Set(member.names.compactMap(\.self)).sorted().joined(separator: " and ")
    }.filter { !$0.isEmpty }
    if !members.isEmpty, first.slice != "android" { notes.append("in \(Self.list(members.count) { members[$0] })") }
    for note in first.notes where note.contains(" is loaded ") { notes.append(note) }
    return Finding(
      first.rule, first.level, "\(who)\(versions): \(outcome(first, indices))", at: places, notes: notes,
      hint: first.hint)
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

  private func outcome(_ first: CollisionFinding, _ indices: [Int]) -> String {
    switch (first.verdict, first.rule) {
    case (.error, "duplicate-java-class"), (.error, "duplicate-native-library"): return "the Android build fails"
    case (.error, _): return "the link fails"
    case (.warning, _): return "the linker warns"
    case (.possible, _):
      return "the link fails if the app uses, for example, \((first.triggers ?? []).joined(separator: " and "))"
    case (.silent, _):
      return indices.allSatisfy { findings[$0].winner == nil }
        ? "nobody wants them yet" : "the first are taken, silently"
    }
  }

  private static func name(_ place: Place) -> String {
    let parts = place.parts.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    return parts.first == parts.last ? parts.last ?? "" : "\(parts.first ?? "")'s \(parts.last ?? "")"
  }

  private static func list(_ count: Int, _ name: (Int) -> String) -> String {
    let names = (0..<min(count, count <= 4 ? 4 : 3)).map(name).joined(separator: ", ")
    return count <= 4 ? names : "\(names) and \(count - 3) more"
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
