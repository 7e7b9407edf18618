import Android
import Artifacts
import Findings

@testable import Collisions

/// Two plugins whose Java classes lie in one package: a family and its rule, as any other, in one file.
enum ToyFamily: CollisionFamily, CollisionRule {
  static let name = "toy-packages"
  static var rules: [any CollisionRule.Type] { [ToyFamily.self] }

  static let id: RuleID = "toy-package"
  static let noun = (one: "package of the same name", many: "packages of the same names")
  static let platform: String? = "android"

  static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    ("the package \(collision.name.text) is there \(collision.times)", [], "rename one of them")
  }

  static func judge(_ context: CheckContext) -> Judgement<Collision> {
    if context.plugins.allSatisfy(\.android.isEmpty) { return .cannot("no plugin has packages") }
    var sites: [String: [Collision.Site]] = [:]
    for (id, plugin) in context.numbered {
      let names = plugin.android.jars.flatMap { jar in
        jar.classes.map { index in
          let name = String(decoding: plugin.android.classes.name(of: index), as: UTF8.self)
          return name.split(separator: "/").dropLast().joined(separator: ".")
        }
      }
      for name in Set(names) {
        sites[name, default: []].append(site(Place(plugin.name.path), of: id, .library))
      }
    }
    let collisions = sites.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { name, sites in
      Collision(id, .warning, nil, name, sites)
    }
    return .found(collisions)
  }
}
