package import Artifacts
package import Findings
import Recipes

/// An SDK on Apple's list comes with a privacy manifest, also where its code is in a library of another name: the App
/// Store knows it by what the code holds (ITMS-91061).
package enum ListedSDK: HostRule {
  package static let id: RuleID = "listed-sdk"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [PrivacyUses.self, PropertyListFacts.self]

  /// One symbol may be a coincidence; a class has two.
  private static let leastSymbols = 2

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let manifests = PrivacyFile.all(of: inventory)
    let signed = Set(
      inventory.xcframeworks.filter { $0.items["_CodeSignature/CodeResources"] != nil }.map(\.path))
    var order: [[String]] = []
    var places: [[String]: [Place]] = [:]
    for (item, privacy) in inventory.facts(PrivacyUses.self) where item.metadata == nil {
      let isDynamic = privacy.slices.contains(where: \.isDynamicLibrary)
      let names = Set(privacy.slices.flatMap { listedNames($0.libraries) }).sorted()
      let hasManifest = manifests.contains { $0.isFor(item, isDynamic: isDynamic, inventory) }
      // Nothing but a framework can be signed.
      let wants = [
        hasManifest ? nil : "privacy manifest",
        signed.contains(where: { $0.isEmpty || item.name.hasPrefix("\($0)/") }) || !inventory.isInXCFramework(item)
          ? nil : "signature",
      ].compactMap(\.self)
      guard !names.isEmpty, let first = wants.first else { continue }
      let key = [item.lastPart, wants.count == 1 ? first : wants.joined(separator: " and no ")] + names
      if places[key] == nil { order.append(key) }
      places[key, default: []].append(inventory.site(item))
    }
    return order.map { key in
      let names = key.dropFirst(2)
      var finding = finding(
        judging,
        "\(key[0]) has the code of \(listed(Array(names))), and no \(key[1]): Apple's list of SDKs asks for it",
        about: Array(names),
        hint: key[1] == "signature"
          ? "sign the XCFramework: its kind has the key 'sign'"
          : "take a version of it that has a \(PrivacyFile.name), and pack that with the code"
      ).identified(by: [key[0]])
      finding.sites = places[key] ?? []
      return finding
    }
  }

  private static func listedNames(_ libraries: [Int: Int]) -> [String] {
    libraries.filter { $0.value >= leastSymbols }.compactMap { ThirdParties.all.listed[$0.key] }
  }
}
