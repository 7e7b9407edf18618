import Artifacts
package import Findings
import Linking
import ObjectFiles

/// Inline functions and templates that are not the same everywhere.
package enum OneDefinitionRule: CollisionRule {
  package static let id: RuleID = "odr-violation"
  package static let noun = (one: "inline function", many: "inline functions")

  /// Code that differs in `examples` comes of the compilers, and most of it does no harm.
  package static func level(_ collision: Collision) -> Level { collision.examples.isEmpty ? .warning : .note }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    if collision.examples.isEmpty {
      return (
        "\(DuplicateSymbol.subject(collision)), inline and not the same everywhere: \(DuplicateSymbol.outcome(collision))",
        DuplicateSymbol.sameness(collision),
        "compile both with one version of the header that defines it, or put it into a namespace of the plugin's own"
      )
    }
    let what = Findings.counted(collision.count, "inline function", "inline functions")
    return (
      "\(what) of two plugins differ, whose compilers differ or are not known (\(collision.name.text)): the first are "
        + "taken, silently",
      [listed(collision.examples, limit: .max, of: collision.count)],
      "if both have one version of the headers, there is nothing to do"
    )
  }
}

/// Differences between the code of object files that were compiled with different or unknown tools: one collision for
/// each pair of files, not for each name.
struct CompilerDifferences {
  private(set) var collisions: [Collision] = []
  private var numbers: [[Place]: Int] = [:]

  private static let maxExamples = 3

  /// Takes a collision of functions all of whose differences may come of compilers. `results` compares each of its sites
  /// with the first; `builds` are those of each site's object file.
  mutating func take(
    _ collision: Collision, _ results: [DefinitionComparison.Result], _ builds: [[BuildVersion]]
  ) -> Bool {
    let different = results.indices.filter { results[$0] == .different }
    // Without a version of the SDK nothing tells the compilers apart.
    guard let own = builds.first,
      different.allSatisfy({ index in builds[index] != own || own.allSatisfy { $0.sdk == OSVersion(0) } })
    else { return false }
    for index in different {
      let both = [collision.sites[0], collision.sites[index]]
      let places = both.map { Place(parts: $0.artifact.parts) }
      let number = numbers[places] ?? collisions.count
      if number == collisions.count {
        numbers[places] = number
        let sites = both.map { Collision.Site($0.artifact, of: $0.plugin, .weak) }
        let versions = [own, builds[index]].map(CompilerDifferences.shown).joined(separator: " and ")
        collisions.append(
          Collision(OneDefinitionRule.id, .silent, collision.slice, versions, sites, identical: false))
        collisions[number].count = 0
      }
      collisions[number].count += 1
      if collisions[number].count <= CompilerDifferences.maxExamples {
        collisions[number].examples.append(collision.name.text)
      }
    }
    return true
  }

  /// `SDK 12.1 for iOS 8.0`
  private static func shown(_ builds: [BuildVersion]) -> String {
    guard let build = builds.first else { return "an unknown SDK" }
    let sdk = build.sdk == OSVersion(0) ? "an unknown SDK" : "SDK \(build.sdk)"
    return "\(sdk) for \(build.platform) \(build.minimumOS)"
  }
}
