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
    var order: [[String]] = []
    var places: [[String]: [Place]] = [:]
    for (item, privacy) in inventory.facts(PrivacyUses.self) where item.metadata == nil {
      let isDynamic = privacy.slices.contains(where: \.isDynamicLibrary)
      let names = Set(privacy.slices.flatMap { listedNames($0.libraries) }).sorted()
      guard !names.isEmpty, !manifests.contains(where: { $0.isFor(item, isDynamic: isDynamic, inventory) }) else {
        continue
      }
      let key = [item.lastPart] + names
      if places[key] == nil { order.append(key) }
      places[key, default: []].append(inventory.site(item))
    }
    return order.map { key in
      let names = key.dropFirst()
      var finding = finding(
        judging,
        "\(key[0]) has the code of \(listed(Array(names))), and no privacy manifest: Apple's list asks for one",
        about: Array(names),
        hint: "take a version of it that has a \(PrivacyFile.name), and pack that with the code"
      ).identified(by: [key[0]])
      finding.sites = places[key] ?? []
      return finding
    }
  }

  private static func listedNames(_ libraries: [Int: Int]) -> [String] {
    libraries.filter { $0.value >= leastSymbols }.compactMap { ThirdParties.all.listed[$0.key] }
  }
}
