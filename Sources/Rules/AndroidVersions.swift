import Android
package import Artifacts
package import Findings

/// The oldest Android that the plugin's manifest asks for is no newer than the host's oldest.
package enum MinimumSDK: Rule {
  package static let entry = RuleEntry("minimum-sdk", .error, "code runs on the oldest Android that the host supports")
  package static let isOfHosts = true
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
        hint: "set it to \(host) or lower, and call nothing newer without a check")
    ]
  }
}

/// The manifest targets the host's API level: for an older or no target the merger adds permissions of older systems.
package enum TargetSDK: Rule {
  package static let entry = RuleEntry("target-sdk", .note, "the Android manifest targets the host's SDK")
  package static let isOfHosts = true
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
        judging, message, at: inventory.site(item), hint: "<uses-sdk android:targetSdkVersion=\"\(host)\"/>")
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
          hint: "use libraries that ask for no more"))
    }
    return findings
  }
}

extension AARMetadataRule {
  /// `minCompileSdk is 'x', not a number` is about the key, whatever its value.
  private static func key(of problem: String) -> String {
    let words = problem.split(separator: " ")
    return words.count > 1 && words[1] == "is" ? String(words[0]) : problem
  }
}

extension Inventory {
  fileprivate func androidManifest() throws(CannotJudge) -> (item: Item, facts: AndroidManifest) {
    guard let first = facts(AndroidManifest.self).first else {
      throw CannotJudge("there is no AndroidManifest.xml that can be read")
    }
    return first
  }
}

extension MinimumSDK {
  package static let explanation = RuleExplanation(
    why: """
      The app's manifest is merged with the plugin's, and the build stops there:
      `uses-sdk:minSdkVersion 14 cannot be smaller than version 21 declared in library`. If the app
      overrides that, code that calls something newer ends it on an older Android with `NoSuchMethodError`
      or `NoClassDefFoundError`.
      """,
    bad: """
      <uses-sdk android:minSdkVersion="21" android:targetSdkVersion="22" />
      """,
    good: """
      <uses-sdk android:minSdkVersion="14" android:targetSdkVersion="22" />
      """,
    mend: """
      Set `minSdkVersion` to the host's level or lower, and call what is newer only behind a check of
      `Build.VERSION.SDK_INT`. Of a library that is not yours, take a version for older Androids. If the
      host has moved on: `rules: {minimum-sdk: {minimum: 21}}`.
      """)
}

extension TargetSDK {
  package static let explanation = RuleExplanation(
    why: """
      A manifest without a target counts as one that targets its own minimum, or the very first Android.
      For an old target the manifest merger adds what such systems gave to every app: below 4
      `WRITE_EXTERNAL_STORAGE` and `READ_PHONE_STATE`, below 16 `READ_CALL_LOG` beside `READ_CONTACTS`.
      The app then has them, too. A target above the host's is one that no app of the host has tried.
      """,
    bad: """
      <uses-sdk android:minSdkVersion="14" />
      """,
    good: """
      <uses-sdk android:minSdkVersion="14" android:targetSdkVersion="22" />
      """,
    mend: """
      Write the host's target into the manifest, and try the plugin in an app that has this target. If the
      host has moved on: `rules: {target-sdk: {target: 23}}`.
      """)
}

extension AARMetadataRule {
  package static let explanation = RuleExplanation(
    why: """
      The app's build reads `aar-metadata.properties` of every AAR and stops with
      `issues were found when checking AAR metadata` if one of its two versions is missing or above its
      own, or `minCompileSdk` is above the app's `compileSdk`. An AAR that is merged into another brings
      its demands with it. An AAR without this file is taken by every build.
      """,
    bad: """
      # META-INF/com/android/build/gradle/aar-metadata.properties
      aarFormatVersion=1.0
      minCompileSdk=33
      """,
    good: """
      # META-INF/com/android/build/gradle/aar-metadata.properties
      aarFormatVersion=1.0
      aarMetadataVersion=1.0
      minCompileSdk=1
      """,
    mend: """
      Let a deliverable of the kind `aar` write the file, and set under its key `metadata` only what the
      plugin needs. If a library under `embed` asks for more, take an older version of it. If the host
      compiles with a newer SDK: `rules: {aar-metadata: {compile-sdk: 33}}`.
      """)
}
