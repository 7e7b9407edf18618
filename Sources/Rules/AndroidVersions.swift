import Android
package import Artifacts
package import Findings

/// The oldest Android that the plugin's manifest asks for is no newer than the host's oldest.
package enum MinimumSDK: HostRule {
  package static let id: RuleID = "minimum-sdk"
  package static let kinds: Set<ArtifactKind>? = [.aar, .tree]
  package static let facts: [any Facts.Type] = [AndroidManifest.self]
  package static let parameters = [
    RuleParameter(name: "minimum", kind: .text, summary: "the oldest API level that the host's apps run on")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let host = try judging.number("minimum", or: "the host's oldest API level is not set")
    let (item, manifest) = try inventory.androidManifest()
    guard let text = manifest.minSDK else { return [] }
    guard let level = Int(text) else {
      return [
        finding(
          judging, "minSdkVersion is '\(text)', not an API level", at: inventory.site(item),
          hint: "apps of this host run from \(host) on")
      ]
    }
    guard level > host else { return [] }
    return [
      finding(
        judging, "minSdkVersion is \(level): apps of this host run from \(host) on", at: inventory.site(item),
        hint: "set it to \(host) or lower, and call nothing newer without a check",
        edit: Edit(.androidManifest, "<uses-sdk android:minSdkVersion=\"\(host)\"/>"))
    ]
  }
}

/// The manifest targets the host's API level: for an older or no target the merger adds permissions of older systems.
package enum TargetSDK: HostRule {
  package static let id: RuleID = "target-sdk"
  package static let kinds: Set<ArtifactKind>? = [.aar, .tree]
  package static let facts: [any Facts.Type] = [AndroidManifest.self]
  package static let parameters = [
    RuleParameter(name: "target", kind: .text, summary: "the API level that the host's apps target")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let host = try judging.number("target", or: "the host's target is not set")
    let (item, manifest) = try inventory.androidManifest()
    let message: String
    switch manifest.targetSDK {
    case nil: message = "the manifest says no targetSdkVersion: apps of this host target \(host)"
    case let text? where text == "\(host)": return []
    case let text?: message = "targetSdkVersion is \(text): apps of this host target \(host)"
    }
    return [
      finding(
        judging, message, at: inventory.site(item), hint: "<uses-sdk android:targetSdkVersion=\"\(host)\"/>",
        edit: Edit(.androidManifest, "<uses-sdk android:targetSdkVersion=\"\(host)\"/>"))
    ]
  }
}

/// An AAR's demands on builds can be read, and the host meets them. An AAR without demands fits every build.
package enum AARMetadataRule: Rule {
  package static let id: RuleID = "aar-metadata"
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [AARMetadata.self]
  package static let parameters = [
    RuleParameter(name: "compile-sdk", kind: .text, summary: "the API level that the host compiles with")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    guard let (item, metadata) = inventory.facts(AARMetadata.self).first else { return [] }
    var findings = metadata.problems.map {
      finding(judging, $0, about: [key(of: $0)], at: inventory.site(item))
    }
    if let host = judging.number("compile-sdk"), let least = metadata.values["minCompileSdk"].flatMap(Int.init),
      least > host
    {
      findings.append(
        finding(
          judging, "minCompileSdk is \(least): this host compiles with \(host)", about: ["minCompileSdk"],
          at: inventory.site(item),
          hint: "use libraries that ask for no more",
          edit: Edit(.manifest, "metadata: { minCompileSdk: \(host) }")))
    }
    return findings
  }

  /// `minCompileSdk is 'x', not a number` is about the key, whatever its value.
  private static func key(of problem: String) -> String {
    let words = problem.split(separator: " ")
    return words.count > 1 && words[1] == "is" ? String(words[0]) : problem
  }
}

extension Inventory {
  fileprivate func androidManifest() throws(CannotJudge) -> (item: Item, facts: AndroidManifest) {
    try facts(AndroidManifest.self).first.known(or: "there is no AndroidManifest.xml that can be read")
  }
}
