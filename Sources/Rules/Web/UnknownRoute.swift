package import Artifacts
import Documents
package import Findings
import OrderedCollections

/// Links of the app's own scheme lead to routes that the app has.
package enum UnknownRoute: HostRule {
  package static let id: RuleID = "unknown-route"
  package static let kinds: Set<ArtifactKind>? = [.webTemplates]
  package static let facts: [any Facts.Type] = [WebReferences.self]
  package static let parameters = [
    RuleParameter(name: "scheme", kind: .list, summary: "the app's own schemes, as in scheme://controller/action"),
    RuleParameter(
      name: "routes", kind: .list,
      summary: "the routes: ajax, shows/view; * stands for one part, or the rest of one, ** for all that follow"),
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let schemes = Set((judging.lists["scheme"] ?? []).map { $0.lowercased() })
    if schemes.isEmpty { throw CannotJudge("set its scheme and routes") }
    let names = judging.lists["routes"] ?? []
    if names.isEmpty { throw CannotJudge("list its routes") }
    let routes = names.map(Route.init)
    var known: Set<String> = []
    var unknown: OrderedDictionary<String, (route: String, scheme: String, sites: [Place])> = [:]
    for (item, facts) in inventory.facts(WebReferences.self) {
      for reference in facts.references {
        guard let scheme = reference.address.scheme, schemes.contains(scheme), reference.address.isKnown else {
          continue
        }
        // A text with spaces only mentions the scheme.
        if reference.use == .mention, reference.address.path.contains(0x20) { continue }
        let parts = reference.address.path.split(separator: UInt8(ascii: "/")).map {
          String(decoding: $0, as: UTF8.self)
        }
        let route = parts.joined(separator: "/")
        let key = "\(scheme):\(route)"
        if known.contains(key) { continue }
        if unknown[key] == nil, routes.contains(where: { $0.matches(parts) }) {
          known.insert(key)
        } else {
          unknown[key, default: (route, scheme, [])].sites.append(inventory.site(item, reference))
        }
      }
    }
    return unknown.values.map { route, scheme, sites in
      Finding(
        id, judging.level,
        route.isEmpty ? "a link of \(scheme):// names no route" : "the app has no route '\(route)'",
        about: ["\(scheme)://\(route)"], at: Array(sites.prefix(MissingAsset.maxSites)),
        notes: MissingAsset.more(sites),
        hint: didYouMean(route, among: names) ?? "the routes are: \(listed(names, limit: 8))"
      ).identified(by: [])
    }
  }

  private struct Route {
    private let parts: [String]

    init(_ text: String) { parts = text.pathParts.map(String.init) }

    func matches(_ route: [String]) -> Bool {
      for (index, part) in parts.enumerated() {
        if part == "**", index == parts.count - 1 { return true }
        guard index < route.count else { return false }
        let isSame = part.hasSuffix("*") ? route[index].hasPrefix(part.dropLast()) : route[index] == part
        guard isSame else { return false }
      }
      return route.count == parts.count
    }
  }
}
