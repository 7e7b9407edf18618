import Documents
import Findings

/// The settings of an Android module that its Gradle script gives as plain values. Nothing is evaluated, and what a
/// script computes is not known.
package struct GradleSettings: Hashable, Sendable {
  package let namespace: String?
  package let applicationID: String?
  package let minSDK: GradleLevel?
  package let targetSDK: GradleLevel?
  package let compileSDK: GradleLevel?

  package init(script bytes: [UInt8]) {
    let script = PlainValues(bytes)
    func text(_ key: String) -> String? {
      if case .text(let text)? = script.first([key])?.value { return text }
      return nil
    }
    /// `minSdk = 24`, `minSdk 24`, `minSdkVersion(24)`
    func level(_ key: String) -> GradleLevel? {
      guard case .text(let text)? = script.first([key, key + "Version"], isQuoted: false)?.value else { return nil }
      return GradleLevel(text)
    }
    // A flavour may have values of its own.
    let isOne = !script.hasLine(with: ["productFlavors"])
    namespace = text("namespace")
    applicationID = isOne ? text("applicationId") : nil
    minSDK = isOne ? level("minSdk") : nil
    targetSDK = isOne ? level("targetSdk") : nil
    compileSDK = level("compileSdk")
  }
}
