package import Findings
import Recipes

/// The rules, and the pages of all rule ids. A task-local value, so that a test can add its own.
package struct RuleRegistry: Sendable {
  @TaskLocal package static var current = RuleRegistry(
    AllRules.builtIn, RulePages.all.map { RulePage(RuleID(rawValue: $0.id), $0.text) })

  package let rules: [any Rule.Type]
  /// The pages of rules, of `check` and of packing AARs, sorted by id.
  package let pages: [RulePage]
  let ruleOfID: [RuleID: any Rule.Type]
  fileprivate let pageOfID: [RuleID: RulePage]

  private init(_ rules: [any Rule.Type], _ pages: [RulePage]) {
    self.rules = rules
    self.pages = pages.sorted { $0.id.rawValue < $1.id.rawValue }
    ruleOfID = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
    pageOfID = Dictionary(pages.map { ($0.id, $0) }) { first, _ in first }
  }

  /// A registry with one more rule; a collision rule has only a page.
  package func adding(_ rule: (any Rule.Type)? = nil, _ page: RulePage) -> RuleRegistry {
    RuleRegistry(rules + [rule].compactMap(\.self), pages + [page])
  }
}

package enum RuleCatalogue {
  package static var all: [RulePage] { RuleRegistry.current.pages }

  package static func entry(_ id: RuleID) -> RulePage? { RuleRegistry.current.pageOfID[id] }

  /// The default, which a recipe or manifest may change.
  package static func level(of id: RuleID) -> Level { entry(id)?.level ?? .error }

  /// The hint for an id that no rule has.
  package static func suggestion(for id: String) -> String {
    let ids = all.map(\.id.rawValue)
    let rules = "npi-pack recipes rule lists the rules"
    return didYouMean(id, among: ids) ?? "\(Findings.suggestion(for: id, among: ids, few: "one of")); \(rules)"
  }
}
