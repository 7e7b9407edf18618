import Android
package import Findings

/// AARs make demands on the app's build (`aar-metadata.properties`; the Android Gradle plugin, `CheckAarMetadataTask`).
package enum LibraryDemands: CollisionFamily, CollisionRule {
  package static let id: RuleID = "aar-metadata"
  package static let noun = (one: "demand on the app's build", many: "demands on the app's build")
  package static let platform: String? = "android"
  package static let name = "aar-metadata"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.numbered.flatMap { id, facts in facts.android.metadata.map { (plugin: id, file: $0) } }
    if all.isEmpty { return .nothingToCompare }
    var demands: [Collision] = []
    for (plugin, file) in all {
      let site = site(file.place, of: plugin, .metadata)
      func add(_ key: String, _ text: String, _ verdict: Collision.Verdict, hint: String) {
        var collision = Collision(id, verdict, nil, key, [site])
        collision.examples = [text, hint]
        if verdict == .possible { collision.triggers = [.init(text: "an app without it")] }
        demands.append(collision)
      }
      for problem in file.metadata.problems {
        add("aarFormatVersion", problem, .error, hint: "take another version of the library, or ask its vendor")
      }
      let values = file.metadata.values
      if let least = values["minCompileSdk"].flatMap({ Int($0) }), let own = context.android.compileSDK, least > own {
        add(
          "minCompileSdk", "it is to be compiled with API level \(least) or newer, and the app with \(own)", .error,
          hint: "set compileSdk to \(least), or take an older version of the library")
      }
      if let preview = values[AARMetadata.preview], let own = context.android.compileSDK {
        add(
          AARMetadata.preview, "it is for the SDK preview \(preview), and the app is compiled with \(own)", .error,
          hint: "take a version of the library that is made with a released SDK")
      }
      if let least = values["minAndroidGradlePluginVersion"], let own = context.android.agp,
        let major = Int(least.prefix { $0 != "." }), major > Int(own.rawValue) ?? 0
      {
        add(
          "minAndroidGradlePluginVersion",
          "it needs the Android Gradle plugin \(least), and the app has \(own.rawValue)",
          .error, hint: "take an older version of the library, or a newer plugin")
      }
      if values["coreLibraryDesugaringEnabled"] == "true" {
        add(
          "coreLibraryDesugaringEnabled", "it needs core library desugaring to be enabled in the app", .possible,
          hint: "set isCoreLibraryDesugaringEnabled = true in compileOptions of the app")
      }
    }
    return .found(demands)
  }

  package static var isInCommon: Bool { false }

  /// An app that is not known most likely has what its libraries ask for.
  package static func level(_ collision: Collision) -> Level { collision.verdict == .error ? .error : .note }

  package static func outcome(_ collision: Collision) -> String? {
    collision.verdict == .error ? "the Android build fails" : "the Android build fails without it"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let library = collision.sites.first?.artifact.lastName ?? ""
    return (
      "what \(library) asks of builds: \(collision.examples.first ?? ""): \(outcome(collision) ?? "")", [],
      collision.examples.last ?? ""
    )
  }
}
