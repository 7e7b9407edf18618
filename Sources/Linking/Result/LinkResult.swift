import Findings
import ObjectFiles

/// The result of a link by one linker, by the rules of the page `linkers.md`.
///
/// Many links may be made of one set, whose files are read once. Names that stay undefined are not reported.
package struct LinkResult {
  package let files: InputFinder
  package let symbols: SymbolResolver
  /// Nil without `-dead_strip`.
  package let liveness: Liveness?
  package let verdict: LinkVerdict

  /// `wanting` are the names that one more object file, the first on the line, would refer to.
  package init(_ line: LinkLine, _ profile: LinkerProfile, _ set: LinkSet, wanting: [String] = []) {
    var line = line.heeded(by: profile).withAliasLists(set)
    line.wanted += wanting
    var (files, symbols) = (InputFinder(set, line), SymbolResolver(set, line, profile))
    // Apple's linker does not know `--check-category-conflicts` either, but always does it.
    if profile.family != .lld, line.has(.deadStripDuplicates) {
      symbols.refusals = [.refusal("\(profile.name) does not know \(LinkLine.Flag.deadStripDuplicates.rawValue)")]
    }
    symbols.refusals += line.contradictions(profile).map { .refusal($0) }
    symbols.refusals += line.aliasLists.filter { set.text(at: $0) == nil }.map { .refusal("there is no \($0)") }
    // A linker stops at a flag that it does not know.
    if symbols.refusals.isEmpty {
      (files, symbols) = profile.loader.init(files, symbols).load()
      if symbols.exports.isContradictory {
        symbols.refusals.append(.refusal("exported and unexported symbols exclude each other"))
      }
    }
    var damage: FormatError?
    do throws(FormatError) { liveness = line.has(.deadStrip) ? try Liveness(symbols) : nil } catch {
      liveness = nil
      damage = error
    }
    (self.files, self.symbols) = (files, symbols)
    verdict = LinkVerdict(files, symbols, liveness, damage)
  }

  /// The file or member whose definition of a name is in the output; nil if none is, and after an error.
  package func definition(of name: String) -> LinkPlace? {
    verdict.outcome == .error ? nil : winner(of: symbols.set.names.id(name))
  }

  /// The file or member whose definition of a name is in the output; nil if none is.
  package func winner(of name: NameID) -> LinkPlace? { symbols.winner(of: name, liveness) }
}

extension SymbolResolver {
  fileprivate func winner(of name: NameID, _ liveness: Liveness?) -> LinkPlace? {
    let resolution = resolution(name)
    switch resolution.state {
    case .defined, .common:
      // `-dead_strip` keeps absolute symbols, which take no room.
      if let liveness, !resolution.isAbsolute, !liveness.isLive(name) { return nil }
      return place(resolution.load)
    case .exported: return resolution.isWanted && liveness?.isLive(name) ?? true ? place(of: resolution.library) : nil
    case .unknown, .undefined, .offered: return nil
    }
  }
}

extension LinkVerdict {
  fileprivate init(
    _ files: InputFinder, _ symbols: SymbolResolver, _ liveness: Liveness?, _ damage: FormatError?
  ) {
    let set = symbols.set
    linker = symbols.profile.name
    remarks = symbols.remarks
    missing = files.missing
    refusals = symbols.refusals
    for file in files.named.sorted() {
      switch set.content(of: file) {
      case .unreadable(let found): mistakes += found.all
      case .archive(let archive):
        mistakes += archive.unread.map { Mistake("\($0)", at: Place(set.files[file].path)) }
      default: break
      }
    }
    mistakes += symbols.loaded.elements.compactMap { item in
      set.objects[item.object].damage.map { Mistake("\($0)", at: Place(set.place(of: item.object).description)) }
    }
    loaded = symbols.order.compactMap { load in
      symbols.loaded[load].reason.map { Member(place: symbols.place(load), reason: $0) }
    }
    addDuplicates(symbols, liveness)
    let isError = duplicates.contains(where: \.isError)
    if !isError { addWinners(symbols, set.sharedNames(files.named.sorted()), liveness) }
    if let damage { mistakes.append(Mistake("\(damage)")) }
    do throws(FormatError) {
      if !isError || symbols.profile.categories == .onRequest { categoryClashes = try CategoryClashes(symbols).all }
    } catch {
      mistakes.append(Mistake("\(error)"))
    }
    let hasWarnings = !duplicates.isEmpty || !categoryClashes.isEmpty || !remarks.isEmpty
    outcome = isError ? .error : hasWarnings ? .warning : .silent
  }

  private mutating func addDuplicates(_ symbols: SymbolResolver, _ liveness: Liveness?) {
    let names = symbols.set.names
    var found: [NameID: Duplicate] = [:]
    func add(_ isWarning: Bool) {
      for clash in symbols.clashes where (clash.severity == .warning) == isWarning {
        if clash.severity == .errorIfLive, let liveness, !Self.isLive(clash, symbols, liveness) { continue }
        let pair = [symbols.place(clash.first.load), symbols.place(clash.second.load)]
        found[clash.name, default: Duplicate(name: names.text(clash.name), isError: !isWarning, pairs: [])].pairs
          .append(pair)
      }
    }
    add(false)
    for clash in symbols.commonClashes {
      let pair = [symbols.place(clash.load), symbols.place(of: clash.library)]
      found[clash.name] = Duplicate(name: names.text(clash.name), isError: true, pairs: [pair])
    }
    // After an error no linker warns.
    if found.isEmpty { add(true) }
    duplicates = found.values.sorted { $0.name < $1.name }
  }

  /// Whether a duplicate of the severity `errorIfLive` is an error. ld64 checks both definitions of a pair, but only the
  /// first if both have one path.
  private static func isLive(_ clash: SymbolResolver.Clash, _ symbols: SymbolResolver, _ liveness: Liveness) -> Bool {
    switch symbols.profile.deadDuplicates {
    case .reported: return liveness.isLive(clash.name)
    case .liveFirst:
      guard liveness.isLive(clash.first, named: clash.name) else { return false }
      return !symbols.line.has(.allowDeadDuplicates) || liveness.isLive(clash.second, named: clash.name)
    case .liveOnes:
      if liveness.isLive(clash.first, named: clash.name) { return true }
      let isOther = symbols.place(clash.first.load) != symbols.place(clash.second.load)
      return isOther && liveness.isLive(clash.second, named: clash.name)
    }
  }

  private mutating func addWinners(_ symbols: SymbolResolver, _ shared: [NameID], _ liveness: Liveness?) {
    for name in shared {
      guard let place = symbols.winner(of: name, liveness) else { continue }
      let resolution = symbols.resolution(name)
      winners.append(
        Winner(
          name: symbols.set.names.text(name), place: place,
          isNamedInMap: !resolution.isAbsolute && !resolution.flags.contains(.literal)))
    }
    winners.sort { $0.name < $1.name }
  }
}

extension LinkSet {
  /// Names that two inputs or more define, loaded or not. A file counts once, however often the line names it.
  fileprivate func sharedNames(_ named: [FileID]) -> [NameID] {
    var counts = Table<NameTable, UInt8>(repeating: 0, count: names.count)
    func count(_ name: NameID) {
      counts.extend(to: name.index + 1, with: 0)
      if counts[name] < 2 { counts[name] += 1 }
    }
    var seen: Set<String> = []
    for file in named where seen.insert(files[file].plainPath).inserted {
      for object in objects(of: file) {
        for symbol in objects[object].symbols where symbol.isDefinition && symbol.kind != .alias {
          count(symbol.name)
        }
      }
      if case .library(let library) = content(of: file) { for export in library.exports { count(export.name) } }
    }
    return counts.numbers.filter { counts[$0] == 2 }
  }
}
