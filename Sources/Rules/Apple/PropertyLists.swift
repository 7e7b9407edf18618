package import Artifacts
package import Findings
import ObjectFiles

/// Property lists can be read: iOS ignores or refuses an unreadable one, and the other rules could not check it.
package enum UnreadablePropertyList: Rule {
  package static let id: RuleID = "unreadable-property-list"
  package static let facts: [any Facts.Type] = [CodeFacts.self, PropertyListFacts.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.items.compactMap { item in
      guard item.isFile, item.metadata == nil, let (reason, hint) = problem(item, inventory) else { return nil }
      return finding(judging, "\(item.lastPart) cannot be read: \(reason)", at: inventory.site(item), hint: hint)
    }
  }

  private static func problem(_ item: Item, _ inventory: Inventory) -> (reason: String, hint: String)? {
    if case .broken(let reason)? = item.facts(PropertyListFacts.self) {
      return (reason, "nothing in it was checked: write it again, and try 'plutil -lint'")
    }
    // Outside of a bundle the name does not show that a file is to be a property list.
    guard item.facts.isEmpty, item.damage == nil, let bundle = inventory.bundle(of: item),
      ["Info.plist", "Contents/Info.plist"].contains(bundle.inside)
    else { return nil }
    return ("it is no property list in XML (UTF-8) or binary", "'plutil -convert xml1' makes one of other encodings")
  }
}
