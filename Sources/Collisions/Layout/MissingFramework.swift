package import Artifacts
package import Findings

/// A framework that a dynamic framework loads by `@rpath` and no plugin brings. The app has to embed it: dyld ends an
/// app at its start if a library is missing.
package enum MissingFramework: LayoutFamily {
  package static let id: RuleID = "missing-framework"
  package static let noun = (one: "missing framework", many: "missing frameworks")
  package static let isInCommon = false
  package static let name = "loaded-frameworks"
  package static let kinds: Set<LayoutItem.Kind> = [.framework]

  /// Apple's own, which Xcode adds to the apps that test.
  private static let ofXcode: Set<String> = ["XCTest.framework", "Testing.framework"]

  package static func collisions(_ context: CheckContext) -> [Collision] {
    var wanted: [String: [Collision.Site]] = [:]
    var ofStaticCode: Set<String> = []
    var supplied = ofXcode
    for (plugin, facts) in context.numbered {
      for item in facts.layout.items {
        guard item.kind == .framework, let code = item.code else { continue }
        supplied.formUnion(code.carries)
        if code.isDynamic { supplied.insert(item.destination) } else { ofStaticCode.insert(item.destination) }
        for name in code.loads where name != item.destination {
          wanted[name, default: []].append(.init(item.container, member: item.member, of: plugin, .framework))
        }
      }
    }
    return wanted.filter { !supplied.contains($0.key) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { name, sites in
        Collision(id, ofStaticCode.contains(name) ? .silent : .possible, nil, name, sites)
      }
  }

  /// The app, or a plugin that was not named, may bring it.
  package static func level(_ collision: Collision) -> Level { collision.verdict == .possible ? .note : .warning }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    let count = Set(collision.sites.map(\.place.lastName)).count
    let loaders = count == 1 ? "\(collision.sites[0].place.lastName) loads it" : "\(count) frameworks load it"
    let what = collision.verdict == .possible ? "in none of these plugins" : "static in these plugins"
    return (
      "\(name) is \(what), and \(loaders): an app without a dynamic one ends when it starts", [],
      "let the app embed \(name), too, unless another part of it does"
    )
  }
}
