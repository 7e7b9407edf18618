import Android
package import Findings

/// Android's manifest merger unites the manifests of all AARs with the app's, in the order of the plugins.
package enum ManifestMerging: CollisionFamily {
  package static let name = "manifests"
  package static var rules: [any CollisionRule.Type] {
    [
      ManifestClash.self, DuplicateAuthority.self, MinimumSDKClash.self, ExportedComponent.self,
      DuplicatePermission.self,
    ]
  }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.manifests
    let own = context.appManifest
    guard all.contains(where: { !$0.file.isSource }) || own != nil else { return .nothingToCompare }
    var sites: [String: Collision.Site] = [:]
    var manifests: [(name: String, manifest: AndroidManifest)] = []
    for (plugin, file) in all where file != own?.file {
      let site = ManifestClash.site(file.place, of: plugin, .manifest)
      guard var manifest = try? AndroidManifest(file.bytes) else { continue }
      if let id = context.android.applicationID { manifest = manifest.filled(applicationID: id) }
      let name = site.member == "AndroidManifest.xml" ? site.artifact.description : file.place.description
      sites[name] = site
      manifests.append((name, manifest))
    }
    var app = AndroidManifest(ofApp: own?.manifest, namespace: own?.file.namespace, minSDK: context.android.minSDK)
    if let id = context.android.applicationID { app = app.filled(applicationID: id) }
    let ownSite = own.map { ManifestClash.site($0.file.place, of: $0.plugin, .manifest) }
    let merged = app.merging(manifests).conflicts
    let conflicts = merged.compactMap { conflict -> Collision? in
      let owners = [conflict.site.owner, conflict.otherSite.owner]
      let places = owners.compactMap { $0.name.map { sites[$0] } ?? ownSite }
      return conflict.kind == .minimumSDK ? nil : ManifestClash.collision(conflict, places)
    }
    let tooNew = Set(merged.filter { $0.kind == .minimumSDK }.map(\.otherSite.owner))
    let libraries = manifests.compactMap { name, manifest in
      sites[name].map { (manifest: manifest, site: $0, isTooNew: tooNew.contains(.library(name))) }
    }
    return .found(
      conflicts + MinimumSDKClash.search(libraries, context.android)
        + ExportedComponent.search(libraries.map { ($0.manifest, $0.site) }, app, context.android)
        + DuplicatePermission.search(libraries.map { ($0.manifest, $0.site) }, app, context.android))
  }
}

extension CheckContext {
  /// The manifests of all plugins.
  var manifests: [(plugin: PluginID, file: AndroidManifestFile)] {
    numbered.flatMap { id, facts in facts.android.manifests.map { (id, $0) } }
  }

  /// The one that the others are merged into.
  var appManifest: (plugin: PluginID, file: AndroidManifestFile, manifest: AndroidManifest)? {
    for (plugin, file) in manifests where file.isSource && self[plugin].isApp {
      if let manifest = try? AndroidManifest(file.bytes) { return (plugin, file, manifest) }
    }
    return nil
  }
}

/// Elements that Android's manifest merger refuses to unite.
package enum ManifestClash: CollisionRule {
  package static let id: RuleID = "manifest-conflict"
  package static let noun = (one: "conflict of manifests", many: "conflicts of manifests")
  package static let platform: String? = "android"

  static func collision(_ conflict: ManifestConflict, _ places: [Collision.Site]) -> Collision? {
    guard let last = places.last else { return nil }
    let isAuthority = conflict.kind == .authority
    var collision = Collision(
      isAuthority ? DuplicateAuthority.id : id, isAuthority ? .silent : .error, nil, conflict.subject,
      places.count == 2 && places[0] == last ? [last] : places, identical: false)
    collision.examples = [conflict.description, conflict.hint]
    return collision
  }

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
