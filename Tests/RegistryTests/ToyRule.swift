import Artifacts
import Findings

@testable import Rules

/// No file has a name that the host refuses: a rule as any other, in one file and a page.
enum ToyRule: HostRule {
  static let id: RuleID = "toy-name"
  static let parameters = [RuleParameter(name: "refused", kind: .list, summary: "names of files")]

  static let page = RulePage(
    id,
    Array(
      """
      # toy-name

      `warning`: no file has a name that the host refuses

      The host's apps use the name.

      ## Refused

      ```text
      TOY
      ```

      ## Passes

      ```text
      RCToy
      ```

      ## What to do

      Rename the file.

      ## In one line

      None: a name is chosen by its owner.

      """.utf8))

  static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let refused = try judging.list("refused", or: "no names are refused")
    return inventory.items.filter { refused.contains($0.lastPart) }.map { item in
      finding(judging, "the host refuses \(item.lastPart)", at: inventory.site(item))
    }
  }
}
