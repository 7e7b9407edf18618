import Artifacts
import Documents
package import Findings

/// The output of `recipes kind`.
package enum KindHelp {
  /// Steps first, as a manifest has them.
  package static var names: [String] { rows.map(\.kind.name) }

  private static var rows: [(what: String, kind: Kind)] {
    Kinds.steps.map { ("step", $0.kind) } + Kinds.deliverables.map { ("deliverable", $0.kind) }
  }

  package static func text(_ name: String?) throws(Mistakes) -> String {
    guard let name else {
      return rows.map { what, kind in kind.name.padded(to: 20) + what.padded(to: 13) + kind.summary + "\n" }.joined()
    }
    guard let (what, kind) = rows.first(where: { $0.1.name == name }) else {
      throw Mistakes(
        "there is no kind '\(name)'",
        hint: suggestion(for: name, among: names, few: "one of"))
    }
    let width = (kind.keys.map(\.name.count).max() ?? 0) + 2
    let keys = kind.keys.map { key in
      "    " + (key.name + (key.required ? "*" : "")).padded(to: width) + key.summary + "\n"
    }
    return "\(kind.name): \(kind.summary)\na kind of \(what); its keys, those with * are required:\n\n\(keys.joined())"
  }
}
