import Android
package import Findings

/// What Android's manifest merger would say of the manifests of all AARs, in the order of the plugins.
package enum ManifestMerging: CollisionFamily {
  package static let name = "manifests"
  package static var rules: [any CollisionRule.Type] { [ManifestClash.self, DuplicateAuthority.self] }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.numbered.flatMap { id, facts in facts.android.manifests.map { (plugin: id, file: $0) } }
    if all.isEmpty { return .nothingToCompare }
    var sites: [String: Collision.Site] = [:]
    var manifests: [(name: String, manifest: AndroidManifest)] = []
    for (plugin, file) in all {
      let site = ManifestClash.site(file.place, of: plugin, .manifest)
      guard let manifest = try? AndroidManifest(file.bytes) else { continue }
      let name = site.artifact.description
      sites[name] = site
      manifests.append((name, manifest))
    }
    return .found(
      AndroidManifest.ofAnyApp.merging(manifests).conflicts.compactMap { conflict in
        let places = [conflict.site, conflict.otherSite].compactMap { $0.name.flatMap { sites[$0] } }
        // Without the app's own manifest its oldest system is not known.
        guard conflict.kind != .minimumSDK, places.count == 2 else { return nil }
        let isAuthority = conflict.kind == .authority
        var collision = Collision(
          isAuthority ? DuplicateAuthority.id : ManifestClash.id, isAuthority ? .silent : .error, nil,
          conflict.subject, places, identical: false)
        collision.examples = [conflict.description, conflict.hint]
        return collision
      })
  }
}

/// Elements that Android's manifest merger refuses to unite.
package enum ManifestClash: CollisionRule {
  package static let id: RuleID = "manifest-conflict"
  package static let noun = (one: "conflict of manifests", many: "conflicts of manifests")
  package static let platform: String? = "android"

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(collision.examples.first ?? collision.name.text): the Android build fails", [],
      collision.examples.last ?? ""
    )
  }

  /// For the element in the app's own manifest, whose value then counts.
  package static func edit(_ all: [Collision]) -> Edit? {
    let attributes = Set(all.map { $0.name.text.prefix { $0 != " " } })
    guard attributes.count == 1, let attribute = attributes.first, attribute.contains(":") else { return nil }
    return Edit(.androidManifest, "tools:replace=\"\(String(attribute))\"")
  }
}

/// A device looks up a provider by its authority, and an app's second provider for one is passed over.
package enum DuplicateAuthority: CollisionRule {
  package static let id: RuleID = "duplicate-authority"
  package static let noun = (one: "authority of two providers", many: "authorities of two providers")
  package static let platform: String? = "android"

  package static func outcome(_ collision: Collision) -> String? { "a device finds the first of them only" }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(collision.examples.first ?? collision.name.text): a device finds the first of them only",
      ["reported, not measured: the system logs that it skips the second"], collision.examples.last ?? ""
    )
  }
}
