package import Artifacts
import Documents
package import Findings
import ObjectFiles
import OrderedCollections

/// Code that uses an API for which Apple wants a reason has a privacy manifest that gives one. The App Store looks at the
/// names in the code of an app (ITMS-91053) and at the manifests in it (ITMS-91054, ITMS-91055).
package enum PrivacyManifest: HostRule {
  package static let id: RuleID = "privacy-manifest"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeFacts.self, PrivacyUses.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let manifests = PrivacyFile.all(of: inventory)
    return missing(inventory, manifests, judging) + manifests.flatMap { wrong($0, inventory, judging) }
  }

  // MARK: - Uses without a reason

  /// The same lack of several slices of an XCFramework is one finding.
  private struct Lack: Hashable {
    let name: String
    let categories: [Int]
    let hasManifest: Bool
  }

  private static func missing(
    _ inventory: Inventory, _ manifests: [PrivacyFile], _ judging: Judging
  ) -> [Finding] {
    var order: [Lack] = []
    var found: [Lack: (places: [Place], uses: OrderedSet<PrivacyUses.Use>)] = [:]
    for (item, privacy) in inventory.facts(PrivacyUses.self) where item.metadata == nil {
      let slices = privacy.slices.filter { $0.platform.isPhoneLike }
      guard !slices.isEmpty else { continue }
      let own = manifests.filter { $0.isFor(item, isDynamic: slices.contains(where: \.isDynamicLibrary), inventory) }
      let declared = Set(own.flatMap(\.categories).map(\.name))
      var uses: [[Int]: OrderedSet<PrivacyUses.Use>] = [:]
      for use in slices.flatMap(\.uses) {
        let isDeclared = use.api.categories.contains { declared.contains(RequiredReason.all[$0].category) }
        if !isDeclared, uses[use.api.categories]?.contains(use) != true {
          uses[use.api.categories, default: []].append(use)
        }
      }
      for (categories, uses) in uses.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        let lack = Lack(name: item.lastPart, categories: categories, hasManifest: !own.isEmpty)
        if found[lack] == nil { order.append(lack) }
        var known = found[lack] ?? ([], [])
        known.places.append(inventory.site(item))
        known.uses.formUnion(uses)
        found[lack] = known
      }
    }
    return order.compactMap { lack in
      found[lack].map { finding(lack, $0.places, Array($0.uses), judging) }
    }
  }

  private static func finding(
    _ lack: Lack, _ places: [Place], _ uses: [PrivacyUses.Use], _ judging: Judging
  ) -> Finding {
    let reasons = lack.categories.map { RequiredReason.all[$0] }
    let names = listed(uses.map(\.api.name).uniqued)
    let category = reasons.map(\.category).joined(separator: " or ")
    var finding = finding(
      judging,
      lack.hasManifest
        ? "\(lack.name) uses \(names), and its privacy manifest does not declare \(category)"
        : "\(lack.name) uses \(names) and has no privacy manifest that declares \(category)",
      about: reasons.map(\.category), notes: notes(uses),
      hint: (lack.hasManifest ? "declare it" : "add a \(PrivacyFile.name) that declares it")
        + " with the reason that holds: \(reasons.map { alternatives($0.reasons) }.joined(separator: "; "))"
    ).identified(by: [lack.name])
    finding.sites = places
    return finding
  }

  /// Which members have the uses, and whose code that is: the user may not know that it is there.
  private static func notes(_ uses: [PrivacyUses.Use]) -> [String] {
    let names = uses.map(\.api.name).uniqued
    return names.compactMap { name in
      let members = uses.filter { $0.api.name == name }.compactMap { use in
        use.member.map { member in member + (use.library.map { " (\($0))" } ?? "") }
      }
      return members.isEmpty ? nil : "\(name): in \(listed(members.uniqued, limit: maxMembers))"
    }
  }

  private static let maxMembers = 6

  private static func alternatives(_ texts: [String]) -> String {
    texts.dropLast().joined(separator: ", ") + " or " + (texts.last ?? "")
  }

  // MARK: - Declarations that are wrong

  private static func wrong(_ file: PrivacyFile, _ inventory: Inventory, _ judging: Judging) -> [Finding] {
    file.categories.compactMap { name, reasons -> Finding? in
      func finding(_ message: String, _ about: [String], _ hint: String) -> Finding {
        self.finding(judging, message, about: about, at: inventory.site(file.item), hint: hint)
      }
      guard let known = RequiredReason.all.first(where: { $0.category == name }) else {
        return finding(
          "\(PrivacyFile.name) declares '\(abridged(name))', which is no category of Apple's", [name],
          "the categories are \(listed(RequiredReason.all.map(\.category)))")
      }
      let hint = "name the reason that holds: \(alternatives(known.reasons))"
      if reasons.isEmpty { return finding("\(PrivacyFile.name) gives no reason for \(name)", [name], hint) }
      guard let other = reasons.first(where: { !known.reasons.contains($0) }) else { return nil }
      return finding(
        "\(PrivacyFile.name) gives '\(abridged(other))' as the reason for \(name), and Apple has no such reason for it",
        [name, other], hint)
    }
  }
}

extension Platform? {
  /// Whether the App Store asks for reasons: on Macs it does not. Code that names no system is for iOS.
  fileprivate var isPhoneLike: Bool {
    switch self {
    case .macOS?, .macCatalyst?, .driverKit?: false
    default: true
    }
  }
}

extension [String] {
  /// Each once, at its first place.
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
