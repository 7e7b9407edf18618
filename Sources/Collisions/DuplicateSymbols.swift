package import Findings
import Linking

/// `duplicate-symbol`, `odr-violation` for inline functions that are not the same, `protocol-differs` for protocols.
package enum DuplicateSymbols {
  /// What is said of a collision; nil where there is nothing to say. `place`: of a file, by its path in the link set.
  package static func finding(
    _ collision: Collision, slice: String, identical: Bool?, place: (String) -> Place
  ) -> CollisionFinding? {
    let kinds = collision.definitions.map(\.kind)
    let isInline = kinds.allSatisfy { $0 == .weak }
    if collision.verdict == .silent {
      // A language's own way to have one thing in many files, as long as it is one thing.
      if isInline, identical != false || CompilerName.isMade(collision.name) { return nil }
      if kinds.allSatisfy({ $0 == .common || $0 == .weak }), identical == true { return nil }
    }
    var notes: [String] = []
    for definition in collision.definitions {
      switch definition.reason {
      case .flag(let flag): notes.append("\(definition.place) is loaded by \(flag)")
      case .symbol(let name): notes.append("\(definition.place) is loaded for \(name)")
      case nil: break
      }
    }
    if collision.definitions.contains(where: { $0.kind == .alias && $0.symbol < 0 }) {
      notes.append("-alias gives the name to one of them")
    }
    if let identical {
      notes.append(identical ? "the definitions are the same" : "the definitions differ")
    } else if !kinds.contains(.alias) {
      notes.append("whether the definitions are the same is not known")
    }
    if isInline, let name = CompilerName.objectiveCProtocol(collision.name) {
      return protocolDiffers(name, collision, slice: slice, sites: sites(collision, place), notes: notes)
    }
    return CollisionFinding(
      isInline ? "odr-violation" : "duplicate-symbol", verdict(collision), slice: slice, name: collision.name,
      sites: sites(collision, place), message: message(collision, isInline),
      hint: isInline ? inlineHint : hint(collision.name), winner: collision.winner?.description, identical: identical,
      triggers: triggers(collision), notes: notes)
  }

  private static func sites(_ collision: Collision, _ place: (String) -> Place) -> [CollisionFinding.Site] {
    collision.definitions.map { definition in
      CollisionFinding.Site(
        artifact: place(definition.place.file), member: definition.place.member, kind: definition.kind.rawValue)
    }
  }

  /// Every file that speaks of a protocol has all of it.
  private static func protocolDiffers(
    _ name: String, _ collision: Collision, slice: String, sites: [CollisionFinding.Site], notes: [String]
  ) -> CollisionFinding {
    let winner = collision.winner.map { ": \($0) is taken, silently" } ?? ""
    var finding = CollisionFinding(
      "protocol-differs", verdict(collision), slice: slice, name: name, sites: sites,
      message: "the protocol \(name) is not the same everywhere\(winner)",
      hint: "have both plugins compiled with one version of the header that declares it",
      winner: collision.winner?.description, identical: false, notes: notes)
    finding.level = .note
    return finding
  }

  private static func verdict(_ collision: Collision) -> CollisionFinding.Verdict {
    switch collision.verdict {
    case .error: .error
    case .warning: .warning
    case .possible: .possible
    case .silent: .silent
    }
  }

  private static func triggers(_ collision: Collision) -> [String]? {
    if case .possible(let triggers) = collision.verdict { triggers } else { nil }
  }

  private static func message(_ collision: Collision, _ isInline: Bool) -> String {
    let count = collision.definitions.count
    let times = count == 2 ? "twice" : "\(count) times"
    let subject =
      "\(subject(collision.name)) is defined \(times)\(isInline ? ", inline and not the same everywhere" : "")"
    let winner = collision.winner.map { "\($0) is taken" }
    switch collision.verdict {
    case .error: return "\(subject): the link fails"
    case .warning: return "\(subject): the linker warns" + (winner.map { ", and \($0)" } ?? "")
    // The triggers follow, as their authors wrote them.
    case .possible: return "\(subject): the link fails if the app uses"
    case .silent:
      return "\(subject): \(winner.map { "\($0), silently" } ?? "an app that uses it gets one of them, silently")"
    }
  }

  private static let prefixes: [(prefix: String, what: String)] = [
    ("_OBJC_CLASS_$_", "the class"), ("_OBJC_METACLASS_$_", "the metaclass of"), ("_OBJC_IVAR_$_", "the ivar"),
    ("_OBJC_EHTYPE_$_", "the exception type"),
  ]

  private static func subject(_ name: String) -> String {
    for (prefix, what) in prefixes where name.hasPrefix(prefix) { return "\(what) \(name.dropFirst(prefix.count))" }
    return name
  }

  private static func hint(_ name: String) -> String {
    if name.hasPrefix("_OBJC_") {
      return "share one copy, leave one of the plugins out, or ask a vendor to give the class a prefix of its own"
    }
    if name.hasPrefix("_$s") || name.hasPrefix("_$S") {
      return "share one copy, leave one of the plugins out, or ask a vendor to give the Swift module a name of its own"
    }
    return
      "share one copy, leave one of the plugins out, or ask a vendor to hide its own (ld -r with a list of exports)"
  }

  private static let inlineHint =
    "share one copy, or have both plugins compiled with one version of the header that defines it"
}
