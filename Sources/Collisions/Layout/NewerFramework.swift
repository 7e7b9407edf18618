package import Artifacts
package import Findings
import Linking
import ObjectFiles

/// A framework for a newer system than the oldest that the app runs on.
package enum NewerFramework: LayoutFamily {
  package static let id: RuleID = "newer-framework"
  package static let noun = (one: "framework for a newer system", many: "frameworks for a newer system")
  package static let isInCommon = false
  package static let name = "systems"
  package static let kinds: Set<LayoutItem.Kind> = [.framework]

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let codes = context.plugins.lazy.flatMap(\.layout.items).compactMap(\.code)
    guard codes.contains(where: \.isDynamic) else { return .nothingToCompare }
    guard context.target?.minimumOS != nil else {
      return .cannot("the app's oldest system is not known: add -- -platform_version ios 13.0 17.0")
    }
    return .found(collisions(context))
  }

  package static func collisions(_ context: CheckContext) -> [Collision] {
    guard let target = context.target, let oldest = target.minimumOS else { return [] }
    return context.numbered.flatMap { plugin, facts in
      facts.layout.items.compactMap { item -> Collision? in
        let images = item.code?.images.filter { $0.platform == target.platform } ?? []
        guard let newest = images.map(\.minimumOS).max(), newest > oldest else { return nil }
        let site = Collision.Site(item.container, member: item.member, of: plugin, .framework)
        var collision = Collision(id, .warning, nil, item.destination, [site])
        collision.examples = ["\(target.platform)", "\(newest)", "\(oldest)"]
        return collision
      }
    }
  }

  package static func edit(_ all: [Collision]) -> Edit? {
    guard let words = all.first?.examples, words.count == 3, words[0] == "\(Platform.iOS)" else { return nil }
    return Edit(.xcconfig, "IPHONEOS_DEPLOYMENT_TARGET = \(words[1])")
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let (name, words) = (collision.name.text, collision.examples)
    let (own, app) = (words.dropLast().joined(separator: " "), "\(words.first ?? "") \(words.last ?? "")")
    return (
      "\(name) is for \(own) and later, and the app runs on \(app): the linker warns, and the store refuses the app",
      [
        "the store prints: Invalid Bundle. The bundle … does not support the minimum OS Version specified in the "
          + "Info.plist (ITMS-90208)", "reported, not measured",
      ],
      "raise the app's deployment target to \(own), or ask the vendor for a build for \(app)"
    )
  }
}
