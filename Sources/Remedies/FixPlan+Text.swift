import Collisions
import Documents
package import Findings

extension FixPlan {
  /// Whether nothing is left that no step ends.
  package var isWhole: Bool { left.isEmpty }
  package var isEmpty: Bool { steps.isEmpty && left.isEmpty }

  /// The plan as text for `npi.yml`.
  package func text() throws(Mistakes) -> String {
    var blocks: [YAMLEmitter.Block] = []
    if !steps.isEmpty {
      let names = steps.map(\.name).joined(separator: " ")
      let count = "\(steps.count) of \(counted(report.plugins.count, "plugin"))"
      var comment = [
        "For \(count): npi-pack build \(names)", "Put what it makes in fixed/ in the place of the old ones.",
      ]
      if isCut { comment.append("So many plugins meet that fewer changes might do.") }
      blocks.append(YAMLEmitter.Block(comment))
      blocks.append(YAMLEmitter.Block([], YAMLValue.Member("name", .text("fixed-plugins"))))
      blocks.append(YAMLEmitter.Block([], YAMLValue.Member("version", .text("1.0.0"))))
      blocks.append(
        YAMLEmitter.Block(steps.flatMap(\.comments), YAMLValue.Member("steps", .map(steps.map(\.member)))))
    }
    let lines = leftLines
    if !lines.isEmpty { blocks.append(YAMLEmitter.Block(["No step ends these:"] + lines)) }
    do throws(YAMLEmitter.Failure) { return try YAMLEmitter.text(blocks) } catch {
      throw Mistakes("the plan cannot be written: \(error.reason)")
    }
  }

  /// A line for each rule and reason.
  private var leftLines: [String] {
    var lines: [(rule: RuleID, reason: String, names: [String])] = []
    for clash in left {
      if let index = lines.firstIndex(where: { $0.rule == clash.rule && $0.reason == clash.reason }) {
        if !lines[index].names.contains(clash.name) { lines[index].names.append(clash.name) }
      } else {
        lines.append((clash.rule, clash.reason, [clash.name]))
      }
    }
    return lines.map { "\($0.rule): \(listed($0.names, limit: 3)): \($0.reason)" }
  }
}
