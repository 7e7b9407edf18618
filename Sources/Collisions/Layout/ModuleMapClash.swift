package import Artifacts
package import Findings

/// Two module maps with one path, mostly at the root of `Headers`: the commonest complaint about XCFrameworks.
package enum ModuleMapClash: LayoutFamily {
  package static let id: RuleID = "module-map-clash"
  package static let noun = (one: "module map of the same path", many: "module maps of the same paths")
  package static let name = "module-maps"
  package static let kinds: Set<LayoutItem.Kind> = [.moduleMap]

  package static func collisions(_ context: CheckContext) -> [Collision] { byDestination(context) }

  package static func edit(_ all: [Collision]) -> Edit? { all.first.flatMap(ownFolder) }

  package static func outcome(_ collision: Collision) -> String? {
    collision.verdict == .error
      ? "Xcode stops before it compiles anything" : "the one that a host copies last replaces the others"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    let isCopied = collision.verdict == .error
    let folder = ownName(collision)
    return (
      "\(name) is there \(collision.times): \(outcome(collision) ?? "")",
      isCopied ? [xcodeMessage(name), note(collision)] : ["they differ; reported, not measured"],
      "move it to Headers/\(folder)/module.modulemap, a folder with the module's exact name, "
        + "or ship a static framework with Modules/module.modulemap"
    )
  }
}
