package import Artifacts
package import Findings
import ObjectFiles

/// Property lists can be read: what cannot was not checked by the other rules either, and iOS ignores it or refuses it.
package enum UnreadablePropertyList: Rule {
  package static let entry = RuleEntry(
    "unreadable-property-list", .error, "property lists can be read: they are whole, and not too deep")
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
    // Elsewhere the name says nothing.
    guard item.facts.isEmpty, item.damage == nil, let bundle = inventory.bundle(of: item),
      ["Info.plist", "Contents/Info.plist"].contains(bundle.inside)
    else { return nil }
    return ("it is no property list in XML (UTF-8) or binary", "'plutil -convert xml1' makes one of other encodings")
  }
}

extension UnreadablePropertyList {
  package static let explanation = RuleExplanation(
    why: """
      iOS ignores a property list that it cannot read, or refuses what it belongs to: a bundle without an
      identifier, texts that show their keys. No other rule has looked into it either, so that a mistake
      in it shows at the upload, or on the device.
      """,
    bad: """
      <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key> <string>com.mobilesmith.rallyconnector
      """,
    good: """
      <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key> <string>com.mobilesmith.rallyconnector.resources</string>
      </dict></plist>
      """,
    mend: """
      `plutil -lint FILE` on a Mac says where the mistake is; `plutil -convert xml1 FILE` makes XML of
      other forms. If its bytes are cut off, copy it again from where it was made.
      """)
}
