package import Android

/// The settings of an Android app that decide about its plugins. Nil is not known.
package struct AndroidApp: Sendable {
  package var agp: AndroidGradlePlugin?
  package var applicationID: String?
  package var minSDK: Int?
  package var targetSDK: Int?
  package var compileSDK: Int?
  /// The version of its Kotlin compiler.
  package var kotlin: Kotlin?

  package typealias Kotlin = KotlinVersion

  /// `2.1` or `2.1.20`; nil for other texts.
  package static func kotlin(_ text: String) -> Kotlin? { Kotlin(text) }

  package init() {}

  /// Adds what the app's own module says, and the catalog of its build.
  package mutating func add(_ settings: GradleSettings, _ catalog: VersionCatalog?) {
    applicationID = applicationID ?? settings.applicationID
    minSDK = minSDK ?? settings.minSDK?.value(in: catalog)
    targetSDK = targetSDK ?? settings.targetSDK?.value(in: catalog)
    compileSDK = compileSDK ?? settings.compileSDK?.value(in: catalog)
    kotlin = kotlin ?? catalog?.kotlin
  }

  package mutating func add(_ manifest: AndroidManifest) {
    minSDK = minSDK ?? AndroidManifest.level(manifest.minSDK)
    targetSDK = targetSDK ?? AndroidManifest.level(manifest.targetSDK)
  }
}

/// The major version of the app's Android Gradle plugin: some clashes are warnings for one and errors for the next.
package enum AndroidGradlePlugin: String, Sendable, CaseIterable {
  case eight = "8"
  case nine = "9"
}
