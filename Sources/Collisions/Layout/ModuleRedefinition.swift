package import Artifacts
package import Findings

/// One module that two different module maps define. A compiler takes the first map that it finds; it refuses both as
/// soon as it has to read both, for example while it looks for a module that is in neither.
package enum ModuleRedefinition: LayoutFamily {
  package static let id: RuleID = "module-redefinition"
  package static let noun = (one: "module of the same name", many: "modules of the same names")
  package static let name = "modules"
  package static let kinds: Set<LayoutItem.Kind> = [.moduleMap, .framework]

  /// Maps with one path are told by other rules.
  package static func collisions(_ context: CheckContext) -> [Collision] {
    clashes(context, by: \.modules).filter { clash in
      Set(clash.members.map(\.item.destination)).count > 1
    }.map { clash in
      var collision = clash.collision(id, .possible)
      for index in collision.sites.indices { collision.sites[index].kind = .moduleMap }
      collision.identical = nil
      return collision
    }
  }

  package static func outcome(_ collision: Collision) -> String? { "a compiler that reads both stops" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    return (
      "the module \(name) is defined by \(collision.sites.count) module maps: \(outcome(collision) ?? "")",
      ["Clang prints: redefinition of module '\(name)'"],
      "let the plugins share one copy of \(name), or name the module of one of them otherwise"
    )
  }
}
