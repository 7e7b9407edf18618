import Artifacts
import Documents

/// A privacy manifest of an artifact, and the code that it speaks for.
struct PrivacyFile {
  static let name = "PrivacyInfo.xcprivacy"

  let item: Item
  /// The innermost framework that it is in, from the artifact's root; empty if it is in none.
  private let framework: [String]
  /// It declares these (`NSPrivacyAccessedAPITypes`), with the reasons.
  let categories: [(name: String, reasons: [String])]

  /// A damaged manifest declares nothing: another rule reports it.
  static func all(of inventory: Inventory) -> [PrivacyFile] {
    inventory.items.filter { $0.isFile && $0.metadata == nil && $0.lastPart == name }.map { item in
      var categories: [(name: String, reasons: [String])] = []
      if case .values(let values)? = item.facts(PropertyListFacts.self) {
        for entry in values["NSPrivacyAccessedAPITypes"]?.list ?? [] {
          guard let name = entry["NSPrivacyAccessedAPIType"]?.text else { continue }
          categories.append((name, entry["NSPrivacyAccessedAPITypeReasons"]?.texts ?? []))
        }
      }
      return PrivacyFile(item: item, framework: inventory.framework(of: item), categories: categories)
    }
  }

  /// A framework has its own. Static code ends in the app's executable, for which the manifests of resource bundles
  /// count as well.
  func isFor(_ code: Item, isDynamic: Bool, _ inventory: Inventory) -> Bool {
    framework == inventory.framework(of: code) || framework.isEmpty && !isDynamic
  }
}

extension Inventory {
  fileprivate func framework(of item: Item) -> [String] {
    let parts = [rootName] + item.parts.dropLast()
    let last = parts.lastIndex { $0.hasSuffix(".framework") }
    return last.map { Array(parts[...$0]) } ?? []
  }
}
