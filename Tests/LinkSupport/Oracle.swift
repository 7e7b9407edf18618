import Foundation
import Linking
import SystemPackage
import TestSupport

/// The recorded verdicts of real linkers. `Verdicts/README.md` says how they were made and read.
struct Oracle {
  struct Case: Decodable {
    var id: String
    var title: String
    var topic: String
    var args: [String]
    var lld: Record
    var ld64: Record
    /// Of its files.
    var folder: FilePath { files.appending(id) }
    fileprivate var files: FilePath = ""

    private enum CodingKeys: CodingKey { case id, title, topic, args, lld, ld64 }
  }

  struct Record: Decodable, Equatable {
    var verdict: String
    var duplicates: [String]
    var duplicate_files: [String: [String]]
    var winners: [String: String]
    var loaded: [String]
    var why_loaded: [String: String]
    var category_conflicts: [Conflict]
    /// Winners among bitcode files, whatever the optimiser made of them; nil if there is no bitcode.
    var bitcode_winners: [String: String]?
    /// What has no code for the architecture; nil if it was not recorded.
    var ignored: [String]?
  }

  struct Conflict: Decodable, Hashable {
    var method: String
    var kind: String
    var files: [String]
  }

  private struct Pack: Decodable { var cases: [Case] }

  /// What every recorded line begins with.
  static let base = ["-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-dylib"]

  private(set) var cases: [Case] = []
  private let scratch = Scratch()

  init() async throws {
    let records = FilePath(#filePath).removingLastComponent().appending("Verdicts/records.tar.xz")
    try await Tool.check(["bsdtar", "-xf", records.string], in: scratch.path)
    for name in ["ld-verdicts", "ld-verdicts-atoms"] {
      var pack = try JSONDecoder().decode(Pack.self, from: Data(try scratch.read("\(name)/cases.json")))
      for index in pack.cases.indices { pack.cases[index].files = scratch("\(name)/files") }
      cases += pack.cases
    }
  }
}

extension Oracle.Record {
  /// Why a member is loaded, if one of its name is refused: the linker names both, in an order that tells nothing.
  static let untold = "?"

  /// A verdict in the words of the records.
  init(_ verdict: LinkVerdict, _ profile: LinkerProfile) {
    let isLLD = profile.family == .lld
    // Apple's linker stops at the first that it refuses. A library that it cannot read at all counts as refused there.
    let isMisread =
      !isLLD
      && verdict.remarks.contains { if case .ignored(_, let why) = $0 { why.contains("multiples") } else { false } }
    let isRefused = !verdict.refusals.isEmpty && (!isLLD || verdict.outcome != .error) || isMisread
    self.verdict = isRefused ? "unsupported" : verdict.outcome.rawValue
    duplicates = verdict.duplicates.map(\.name)
    duplicate_files = [:]
    for duplicate in verdict.duplicates {
      // Several reports of one name are joined: as often as a file stands in one of them.
      var counts: [String: Int] = [:]
      for pair in duplicate.pairs {
        var own: [String: Int] = [:]
        // Apple's linker prints a path once.
        for place in isLLD ? pair : Array(Set(pair)) { own[place.label, default: 0] += 1 }
        for (label, count) in own { counts[label] = max(counts[label] ?? 0, count) }
      }
      duplicate_files[duplicate.name] = counts.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
    }
    winners = Dictionary(uniqueKeysWithValues: verdict.winners.map { ($0.name, $0.place.label) })
    loaded = Set(verdict.loaded.map(\.place.label)).sorted()
    why_loaded = [:]
    for member in verdict.loaded where why_loaded[member.place.label] == nil {
      why_loaded[member.place.label] =
        switch member.reason {
        // Apple's linker does not say which flag.
        case .flag(let flag): isLLD || flag == "-ObjC" ? flag : "forced"
        case .symbol(let name): name
        }
    }
    ignored = Set(
      verdict.remarks.compactMap { remark in
        guard case .ignored(let place, _) = remark else { return nil }
        return place.description.split(separator: "/").last.map(String.init)
      }
    ).sorted()
    category_conflicts = verdict.categoryClashes.map { clash in
      let isNamed = isLLD || clash.other == .objcClass
      return Oracle.Conflict(
        method: clash.method, kind: clash.other == .objcClass ? "class" : "category",
        files: Set([clash.category.label] + (isNamed ? [clash.otherPlace.label] : [])).sorted())
    }
  }

  /// What differs, in words. What a record cannot tell is left out, as its page says.
  func differences(from link: LinkResult, _ line: LinkLine, _ profile: LinkerProfile) -> [String] {
    let verdict = link.verdict
    let own = Self(verdict, profile)
    var found: [String] = []
    func compare<T: Equatable>(_ what: String, _ record: T, _ own: T) {
      if record != own { found.append("\(what): recorded \(record), ours \(own)") }
    }
    compare("verdict", self.verdict, own.verdict)
    // It did not link for a reason of its own: nothing else is told.
    if self.verdict == "unsupported" { return found }
    compare("duplicates", duplicates, own.duplicates)
    compare("files of duplicates", duplicate_files, own.duplicate_files)
    // No map shows an absolute symbol, but lld's where it has replaced a weak one; of a dynamic library maps show what is
    // called, and not what is only read. Where a name is another's (`-alias`), its file is not one that defines it.
    let unseen = verdict.winners.filter { winner in
      !winner.isNamedInMap || line.aliases.contains { $0.alias == winner.name }
        || LinkPlace.isLibrary(winner.place.file)
    }
    var shown = own.winners
    var winners = self.winners
    if let bitcode_winners, self.verdict != "error" {
      // What optimised code does not need any more is in no map. What it still refers to only the optimiser knows: what
      // `-dead_strip` leaves is more for us.
      if line.has(.deadStrip) {
        shown = shown.filter { winners[$0.key] != nil }
      } else {
        winners.merge(bitcode_winners) { known, _ in known }
      }
    }
    for winner in unseen where winners[winner.name] == nil { shown[winner.name] = nil }
    // What is beside the link counts as one of its inputs there.
    for name in winners.keys where shown[name] == nil { shown[name] = link.definition(of: name)?.label }
    compare("winners", winners, shown)
    if let ignored { compare("passed over", ignored, own.ignored) }
    compare("loaded", loaded, own.loaded)
    compare(
      "why", why_loaded.filter { $0.value != Self.untold }, own.why_loaded.filter { why_loaded[$0.key] != Self.untold })
    let order: (Oracle.Conflict, Oracle.Conflict) -> Bool = {
      ($0.method, $0.kind, $0.files.joined(separator: " ")) < ($1.method, $1.kind, $1.files.joined(separator: " "))
    }
    compare("categories", category_conflicts.sorted(by: order), own.category_conflicts.sorted(by: order))
    return found
  }
}

extension LinkPlace {
  /// Without folders, as the records have it.
  var label: String { LinkPlace(file: String(file.split(separator: "/").last ?? ""), member: member).description }

  /// Of a file's name: a dynamic library or the stub of one.
  static func isLibrary(_ name: String) -> Bool { name.hasSuffix(".dylib") || name.hasSuffix(".tbd") }
}
