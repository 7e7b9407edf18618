package import Artifacts
package import Findings
import Linking

/// A privacy manifest that Xcode does not take into the app, because it lies beside static code.
package enum LostPrivacyManifest: LayoutFamily {
  package static let id: RuleID = "lost-privacy-manifest"
  package static let noun = (one: "lost privacy manifest", many: "lost privacy manifests")
  package static let isInCommon = false
  package static let name = "privacy-manifests"
  package static let kinds: Set<LayoutItem.Kind> = [.privacyManifest]

  /// One for each plugin and outcome: an app's report must not depend on its other plugins.
  package static func collisions(_ context: CheckContext) -> [Collision] {
    context.numbered.flatMap { plugin, facts in
      let own = facts.layout.items.filter { $0.kind == .privacyManifest }
      return [false, true].compactMap { isEmbedded -> Collision? in
        let sites = own.filter { $0.isCopied == isEmbedded }.map {
          Collision.Site($0.container, member: $0.member, of: plugin, .privacyManifest)
        }
        return sites.isEmpty
          ? nil : Collision(id, isEmbedded ? .possible : .silent, nil, own[0].destination, sites)
      }
    }
  }

  /// Whether an app embeds a static framework is its own choice.
  package static func level(_ collision: Collision) -> Level { collision.verdict == .possible ? .note : .warning }

  package static func edit(_ all: [Collision]) -> Edit? { all.first.flatMap(intoBundle) }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    let note =
      "an app that copies it by hand has one place for it, App.app/\(name): two are \"Multiple commands produce\""
    if collision.verdict == .possible {
      return (
        "\(name) of a static framework is in the app only if Xcode embeds the framework", ["reported, not measured"],
        "choose Embed & Sign for the framework, or copy its entries into the app's own \(name)"
      )
    }
    return (
      "\(name) lies beside a static library: Xcode does not copy it, and the app's privacy report lacks it", [note],
      "put it in the plugin's resource bundle (\(ownName(collision)).bundle/\(name)), or ship a framework with it inside"
    )
  }
}
