package import Findings

/// Inline functions and templates that are not the same everywhere.
package enum OneDefinitionRule: CollisionRule {
  package static let id: RuleID = "odr-violation"
  package static let noun = (one: "inline function", many: "inline functions")

  package static func level(_ collision: Collision) -> Level { collision.examples.isEmpty ? .warning : .note }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    if collision.examples.isEmpty {
      return (
        "\(DuplicateSymbol.subject(collision)), inline and not the same everywhere: \(DuplicateSymbol.outcome(collision))",
        DuplicateSymbol.sameness(collision),
        "share one copy, or have both plugins compiled with one version of the header that defines it"
      )
    }
    let what = Findings.counted(collision.count, "template or inline function", "templates and inline functions")
    return (
      "\(what) of the C++ standard library differ, as those of two SDKs do: the first are taken, silently",
      [listed(collision.examples, limit: .max, of: collision.count)],
      "nothing to do as long as they exchange no C++ objects; else build both with one version of Xcode"
    )
  }
}

/// Differences between the C++ standard libraries of two plugins (other SDKs): one collision for each pair, not for
/// each name.
struct StandardLibraryDifferences {
  private(set) var collisions: [Collision] = []
  private var numbers: [[Place]: Int] = [:]

  private static let maxExamples = 3

  /// `results` compares each of its sites with the first.
  mutating func add(_ collision: Collision, _ results: [DefinitionComparison.Result]) {
    for (site, result) in zip(collision.sites, results) where result == .different {
      let both = [collision.sites[0], site]
      var places = both.map(\.artifact)
      if places[0].parts.first != places[1].parts.first {
        places = places.map { Place(parts: Array($0.parts.prefix(1))) }
      }
      let number = numbers[places] ?? collisions.count
      if number == collisions.count {
        numbers[places] = number
        let sites = zip(places, both).map { Collision.Site($0, of: $1.plugin, .weak) }
        collisions.append(
          Collision(OneDefinitionRule.id, .silent, collision.slice, "std", sites, identical: false))
        collisions[number].count = 0
      }
      collisions[number].count += 1
      if collisions[number].count <= Self.maxExamples { collisions[number].examples.append(collision.name.text) }
    }
  }
}

/// A protocol that differs: every file that mentions an Objective-C protocol carries a full copy of it.
package enum ProtocolDiffers: CollisionRule {
  package static let id: RuleID = "protocol-differs"
  package static let noun = (one: "protocol", many: "protocols")

  package static func level(_ collision: Collision) -> Level { .note }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let winner = collision.shownWinner.map { ": that of \($0) is taken, silently" } ?? ""
    return (
      "the protocol \(collision.name.text) is not the same everywhere\(winner)", DuplicateSymbol.sameness(collision),
      "have both plugins compiled with one version of the header that declares it"
    )
  }
}
