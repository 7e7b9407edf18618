package import Artifacts
package import Findings
import ObjectFiles

/// No code asks for a newer iOS than the host's apps run on (`LC_BUILD_VERSION`, `LC_VERSION_MIN_IPHONEOS`).
package enum MinimumOS: HostRule {
  package static let id: RuleID = "minimum-os"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self]
  package static let parameters = [
    RuleParameter(name: "ios", kind: .text, summary: "the oldest iOS that the host's apps run on, such as 7.0")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    guard let oldest = judging.lists["ios"]?.first.flatMap({ OSVersion(text: $0) }) else {
      throw CannotJudge("the host's oldest iOS is not set")
    }
    return inventory.facts(CodeFacts.self).flatMap { item, code -> [Finding] in
      // A library may be for a device and for simulators: each slice has its own minimum.
      let newer = code.slices.flatMap { slice in
        // A host's oldest iOS is that of phones, so simulators do not count.
        slice.builds.filter { $0.platform == .iOS && $0.minimumOS > oldest }.map { (slice.architecture.name, $0) }
      }
      // An XCFramework's libraries are for one platform each.
      let isMixed = inventory.isInXCFramework(item)
      let foreign = code.slices.filter { !isMixed && $0.builds.contains { !$0.platform.isIOS } }
      var findings: [Finding] = []
      if let most = newer.map({ $0.1.minimumOS }).max() {
        findings.append(
          finding(
            judging, "\(item.lastPart) runs on iOS \(most) and later: apps of this host run on \(oldest)",
            about: newer.map(\.0), at: inventory.site(item),
            notes: newer.map { "\($0): \($1.platform) \($1.minimumOS)" },
            hint: "compile with -miphoneos-version-min=\(oldest) (IPHONEOS_DEPLOYMENT_TARGET), all members of it",
            edit: Edit(.xcconfig, "IPHONEOS_DEPLOYMENT_TARGET = \(oldest.description)")))
      }
      if let slice = foreign.first, let build = slice.builds.first(where: { !$0.platform.isIOS }) {
        findings.append(
          finding(
            judging, "\(item.lastPart) is for \(build.platform), not for iOS", about: ["\(build.platform)"],
            at: inventory.site(item),
            notes: ["its \(slice.architecture.name) slice"], hint: "compile it for iOS"))
      }
      return findings
    }
  }
}

extension Platform {
  /// A device or a simulator.
  var isIOS: Bool { self == .iOS || self == .iOSSimulator }
}
