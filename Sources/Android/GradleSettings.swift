import Documents
import Findings

/// The settings of an Android module that its Gradle script gives as plain values. Nothing is evaluated, and what a
/// script computes is not known.
package struct GradleSettings: Hashable, Sendable {
  package let namespace: String?
  package let applicationID: String?
  package let minSDK: Int?
  package let targetSDK: Int?
  package let compileSDK: Int?

  package init(script bytes: [UInt8]) {
    let script = PlainValues(bytes)
    func text(_ key: String) -> String? {
      if case .text(let text)? = script.first([key])?.value { return text }
      return nil
    }
    /// `minSdk = 24`, `minSdk 24`, `minSdkVersion(24)`
    func number(_ key: String) -> Int? {
      guard case .text(let text)? = script.first([key, key + "Version"], isQuoted: false)?.value else { return nil }
      let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
      let rest = text.utf8.dropFirst(digits.count)
      return rest.allSatisfy { $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: ";") || $0 == 0x20 }
        ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }
    // A flavour may have values of its own.
    let isOne = !script.hasLine(with: ["productFlavors"])
    namespace = text("namespace")
    applicationID = isOne ? text("applicationId") : nil
    minSDK = isOne ? number("minSdk") : nil
    targetSDK = isOne ? number("targetSdk") : nil
    compileSDK = number("compileSdk")
  }
}
