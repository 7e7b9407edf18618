import Collisions
import Findings
import Rules
import Testing

@Suite struct CollisionCatalogueTests {
  /// What is said of several plugins, and what packing an AAR says of the libraries in it: a rule that can be set is there.
  @Test func everyEntryIsARule() {
    let packing: Set<RuleID> = [
      "duplicate-asset", "duplicate-authority", "duplicate-java-resource", "duplicate-namespace", "duplicate-resource",
      "manifest-conflict",
    ]
    let collisions = Set(CollisionRegistry.explanations.keys)
    let others = Set(RuleCatalogue.all.map(\.id)).subtracting(AllRules.all.map { $0.id })
    #expect(others == collisions.union(packing))
  }

  @Test func everyRuleIsExplained() {
    let all = AllRules.all.map { ($0.id, $0.explanation) } + CollisionRegistry.explanations.map { ($0.key, $0.value) }
    for (id, explanation) in all {
      for text in [explanation.why, explanation.bad, explanation.good, explanation.mend] {
        #expect(!text.isEmpty, "\(id)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(id)")
      }
    }
  }
}
