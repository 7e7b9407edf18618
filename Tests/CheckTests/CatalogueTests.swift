import Collisions
import Findings
import Foundation
import Recipes
import Rules
import Testing

@Suite struct CollisionCatalogueTests {
  @Test func everyEntryIsARule() {
    let pages = RuleCatalogue.all.map(\.id)
    #expect(Set(pages) == CollisionRegistry.current.ids.union(AllRules.all.map { $0.id }))
    #expect(Set(pages).count == pages.count)
  }

  @Test func everyRuleIsExplained() throws {
    for id in CollisionRegistry.current.ids.union(AllRules.all.map { $0.id }) {
      let explanation = try #require(RuleCatalogue.entry(id)?.explanation)
      for text in [explanation.why, explanation.bad, explanation.good, explanation.mend] {
        #expect(!text.isEmpty, "\(id)")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(id)")
      }
    }
  }

  /// A page shows the line that ends its findings, or says why there is none.
  @Test func everyPageHasItsEdit() throws {
    for (id, bytes) in RulePages.all {
      let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n## In one line\n\n")
      let text = try #require(parts.count == 2 ? parts[1] : nil, "\(id)")
      let code = text.components(separatedBy: "\n```")
      if text.hasPrefix("None: ") {
        #expect(code.count == 1 && text.count > 30, "\(id)")
      } else {
        // A sentence, a block of one line, and nothing more.
        #expect(code.count == 3 && code[1].split(separator: "\n").count == 2 && code[2] == "\n", "\(id)")
      }
    }
  }

  /// A page of the folder that is not in the list is not embedded for anybody; GitHub shows what the list has.
  @Test func everyPageOfTheFolderIsInTheList() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Recipes/rules").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(files.sorted() == RuleCatalogue.all.map { "\($0.id).md" }.sorted())
    for page in RuleCatalogue.all {
      let text = try String(contentsOf: folder.appending(path: "\(page.id).md"), encoding: .utf8)
      #expect(text.hasPrefix("# \(page.id)\n\n`\(page.level.rawValue)`: \(page.summary)\n"))
      #expect(!page.summary.isEmpty)
    }
  }
}
