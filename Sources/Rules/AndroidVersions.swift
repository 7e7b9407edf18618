import Android
package import Artifacts
package import Findings

/// The oldest Android that the plugin's manifest asks for is no newer than the host's oldest.
package enum MinimumSDK: Rule {
  package static let entry = RuleEntry("minimum-sdk", .error, "code runs on the oldest Android that the host supports")
  package static let facts: [any Facts.Type] = [AndroidManifest.self]
  package static let parameters = [
    RuleParameter(name: "minimum", kind: .text, summary: "the oldest API level that the host's apps run on")
  ]

  package static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    guard let host = settings.number("minimum"), let (item, manifest) = inventory.facts(AndroidManifest.self).first,
      let text = manifest.minSDK
    else { return [] }
    guard let level = Int(text) else {
      return [
        finding(
          settings, "minSdkVersion is '\(text)', not an API level", at: inventory.site(item),
          hint: "apps of this host run from \(host) on")
      ]
    }
    guard level > host else { return [] }
    return [
      finding(
        settings, "minSdkVersion is \(level): apps of this host run from \(host) on", at: inventory.site(item),
        hint: "set it to \(host) or lower, and call nothing newer without a check")
    ]
  }
}

/// The manifest targets the host's API level: for an older or no target the merger adds permissions of older systems.
package enum TargetSDK: Rule {
  package static let entry = RuleEntry("target-sdk", .note, "the Android manifest targets the host's SDK")
  package static let facts: [any Facts.Type] = [AndroidManifest.self]
  package static let parameters = [
    RuleParameter(name: "target", kind: .text, summary: "the API level that the host's apps target")
  ]

  package static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    guard let host = settings.number("target"), let (item, manifest) = inventory.facts(AndroidManifest.self).first
    else { return [] }
    let message: String
    switch manifest.targetSDK {
    case nil: message = "the manifest says no targetSdkVersion: apps of this host target \(host)"
    case let text? where text == "\(host)": return []
    case let text?: message = "targetSdkVersion is \(text): apps of this host target \(host)"
    }
    return [
      finding(
        settings, message, at: inventory.site(item), hint: "<uses-sdk android:targetSdkVersion=\"\(host)\"/>")
    ]
  }
}

/// An AAR's demands on builds can be read, and the host meets them. An AAR without any is taken by all.
package enum AARMetadataRule: Rule {
  package static let entry = RuleEntry(
    "aar-metadata", .error, "what an AAR asks of builds can be read, and the host's build has it")
  package static let kinds: Set<ArtifactKind>? = [.aar]
  package static let facts: [any Facts.Type] = [AARMetadata.self]
  package static let parameters = [
    RuleParameter(name: "compile-sdk", kind: .text, summary: "the API level that the host compiles with")
  ]

  package static func check(_ inventory: Inventory, _ settings: RuleSettings) -> [Finding] {
    guard let (item, metadata) = inventory.facts(AARMetadata.self).first else { return [] }
    var findings = metadata.problems.map { finding(settings, $0, at: inventory.site(item)) }
    if let host = settings.number("compile-sdk"), let least = metadata.values["minCompileSdk"].flatMap(Int.init),
      least > host
    {
      findings.append(
        finding(
          settings, "minCompileSdk is \(least): this host compiles with \(host)", at: inventory.site(item),
          hint: "use libraries that ask for no more"))
    }
    return findings
  }
}

extension RuleSettings {
  fileprivate func number(_ name: String) -> Int? { lists[name]?.first.flatMap(Int.init) }
}
