import Findings
import ObjectFiles

/// What a linker would make of a link, by the rules of the design's page of verdicts.
///
/// Many may be made over the same files, with other lines, linkers or wanted names: what has been read is not read again.
/// Names that stay undefined are nobody's collision, and nothing is said of them.
package struct LinkSimulator {
  package private(set) var run: LinkRun
  package let liveness: Liveness?
  package let verdict: LinkVerdict

  /// `wanting`: what one more object file, the first of the line, would refer to.
  package init(_ line: LinkLine, _ profile: LinkerProfile, _ set: LinkSet, wanting: [String] = []) {
    var line = line
    line.wanted += wanting
    run = LinkRun(set, line, profile)
    let foreign = line.dialect.filter { $0.only != profile.family }
    run.refusals = foreign.map { "\(profile.name) does not know \($0.rawValue)" }
    // A flag that a linker does not know is all that it looks at.
    if run.refusals.isEmpty {
      switch profile.loading {
      case .eager: run.linkEagerly()
      case .rounds: run.linkInRounds()
      }
      if run.exports.isContradictory { run.refusals.append("exported and unexported symbols exclude each other") }
    }
    var damage: FormatError?
    do throws(FormatError) { liveness = line.has(.deadStrip) ? try Liveness(run) : nil } catch {
      liveness = nil
      damage = error
    }
    verdict = LinkVerdict(run, liveness, damage)
  }

  /// Where the output has a name from, whoever else defines it; nil if it does not have it, and after an error.
  package func definition(of name: String) -> LinkPlace? {
    verdict.outcome == .error ? nil : run.winner(of: run.set.names.id(name), liveness)
  }
}

extension LinkVerdict {
  fileprivate init(_ run: LinkRun, _ liveness: Liveness?, _ damage: FormatError?) {
    linker = run.profile.name
    remarks = run.remarks
    missing = run.missing
    for file in run.named.sorted() {
      switch run.set.content(of: file) {
      case .unreadable(let found): mistakes += found.all
      case .archive(let archive):
        mistakes += archive.unread.map { Mistake("\($0)", at: Place(run.set.files[file].path)) }
      default: break
      }
    }
    mistakes += run.loaded.compactMap { run.set.objects[$0.object].mistake }
    refusals = run.refusals
    loaded = run.order.map { run.loaded[$0] }.compactMap { item in
      item.reason.map { Member(place: run.set.place(of: item.object), reason: $0) }
    }
    addDuplicates(run, liveness)
    if !duplicates.contains(where: \.isError) { addWinners(run, liveness) }
    if let damage { mistakes.append(Mistake("\(damage)")) }
    do throws(FormatError) {
      if !duplicates.contains(where: \.isError) || run.profile.categories == .onRequest {
        categoryClashes = try CategoryClashes(run).all
      }
    } catch {
      mistakes.append(Mistake("\(error)"))
    }
    let hasWarnings = !duplicates.isEmpty || !categoryClashes.isEmpty || !remarks.isEmpty
    outcome = duplicates.contains(where: \.isError) ? .error : hasWarnings ? .warning : .silent
  }

  private mutating func addDuplicates(_ run: LinkRun, _ liveness: Liveness?) {
    var found: [NameTable.ID: Duplicate] = [:]
    func add(_ isWarning: Bool) {
      for clash in run.clashes where (clash.severity == .warning) == isWarning {
        if clash.severity == .errorIfLive, let liveness, !Self.isLive(clash, run, liveness) { continue }
        let pair = [run.place(clash.first.owner), run.place(clash.second.owner)]
        let empty = Duplicate(name: run.set.names.text(clash.name), isError: !isWarning, pairs: [])
        found[clash.name, default: empty].pairs.append(pair)
      }
    }
    add(false)
    for clash in run.commonClashes {
      let library = LinkPlace(file: run.set.files[run.libraries[clash.library].file].path)
      found[clash.name] = Duplicate(
        name: run.set.names.text(clash.name), isError: true, pairs: [[run.place(clash.owner), library]])
    }
    // After an error nothing is said of what would be a warning.
    if found.isEmpty { add(true) }
    duplicates = found.values.sorted { $0.name < $1.name }
  }

  /// Of what is an error only if it is live: whether it is. Apple's linker looks at each pair by itself, and of two of one
  /// path only at the first.
  private static func isLive(_ clash: LinkRun.Clash, _ run: LinkRun, _ liveness: Liveness) -> Bool {
    switch run.profile.deadDuplicates {
    case .reported: return liveness.isLive(clash.name)
    case .liveOnes:
      if liveness.isLive(clash.first, named: clash.name) { return true }
      let isOther = run.place(clash.first.owner) != run.place(clash.second.owner)
      return isOther && liveness.isLive(clash.second, named: clash.name)
    }
  }

  private mutating func addWinners(_ run: LinkRun, _ liveness: Liveness?) {
    for name in run.sharedNames() {
      guard let place = run.winner(of: name, liveness) else { continue }
      winners.append(
        Winner(
          name: run.set.names.text(name), place: place,
          isNamedInMap: !run.resolution(name).isAbsolute && !run.resolution(name).flags.contains(.literal)))
    }
    winners.sort { $0.name < $1.name }
  }
}

extension LinkRun {
  /// Where the output has a name from; nil if it does not have it.
  package func winner(of name: NameTable.ID, _ liveness: Liveness?) -> LinkPlace? {
    let resolution = resolution(name)
    switch resolution.state {
    case .defined, .common:
      // A number takes no room: nothing is stripped.
      if let liveness, !resolution.isAbsolute, !liveness.isLive(name) { return nil }
      return place(Int(resolution.owner))
    case .exported:
      guard resolution.isWanted, liveness?.isLive(name) ?? true else { return nil }
      return LinkPlace(file: set.files[libraries[Int(resolution.owner)].file].path)
    case .unknown, .undefined, .offered: return nil
    }
  }

  /// Names that two inputs or more define, whether or not a linker loads them. A file counts once, however often the line
  /// names it.
  func sharedNames() -> [NameTable.ID] {
    var counts = [UInt8](repeating: 0, count: set.names.count)
    func count(_ name: NameTable.ID) {
      while counts.count <= name.index { counts.append(0) }
      if counts[name.index] < 2 { counts[name.index] += 1 }
    }
    func count(_ object: Int) {
      for symbol in set.objects[object].symbols where symbol.isDefinition && symbol.kind != .alias {
        count(symbol.name)
      }
    }
    var seen: Set<String> = []
    for file in named.sorted() where seen.insert(set.files[file].plainPath).inserted {
      switch set.content(of: file) {
      case .object(let object): count(object)
      case .archive(let archive):
        for member in archive.members.indices { if let object = set.object(member, of: file) { count(object) } }
      case .library(let exports): for export in exports.exports { count(export.name) }
      case .ignored, .unreadable: continue
      }
    }
    return counts.indices.filter { counts[$0] == 2 }.map { NameTable.ID(rawValue: UInt32($0)) }
  }
}
