import Artifacts
import Documents
import Findings
import OrderedCollections

/// An app extension in an artifact: a folder `X.appex` with an `Info.plist` in it.
struct AppExtension {
  /// `Today.appex`, in the artifact.
  let path: String
  /// Nil if it is missing or unreadable, which another rule reports.
  private(set) var info: (item: Item, list: PropertyList)?
  /// The items in it, by their paths inside of it.
  private(set) var items: [String: Item] = [:]
  /// The file beside it whose name ends with `.entitlements`.
  private(set) var entitlements: (item: Item, list: PropertyList)?

  /// The extensions, in the order of the items. A folder that is linted may be one itself.
  static func all(of inventory: Inventory) -> [AppExtension] {
    var found: OrderedDictionary<String, AppExtension> = [:]
    var entitlements: [String: (item: Item, list: PropertyList)] = [:]
    let root = inventory.rootName
    let isOne = inventory.role == .tree && isExtension(root)
    for item in inventory.items where item.metadata == nil {
      let parts = item.parts
      var list: PropertyList?
      if case .values(let values)? = item.facts(PropertyListFacts.self) { list = values }
      if item.isFile, let last = parts.last, last.hasSuffix(".entitlements"), let list {
        entitlements[parts.dropLast().joined(separator: "/")] = (item, list)
      }
      let count = isOne ? 0 : (parts.firstIndex(where: isExtension) ?? -1) + 1
      guard isOne || count > 0, parts.count > count else { continue }
      let path = isOne ? root : parts[..<count].joined(separator: "/")
      let inside = parts[count...].joined(separator: "/")
      found[path, default: AppExtension(path: path)].items[inside] = item
      if inside == "Info.plist", let list { found[path]?.info = (item, list) }
    }
    for path in found.keys {
      found[path]?.entitlements = entitlements[path.pathParts.dropLast().joined(separator: "/")]
    }
    return Array(found.values)
  }

  private init(path: String) { self.path = path }

  private static func isExtension(_ name: String) -> Bool { name.lowercased().hasSuffix(".appex") }

  var name: String { String(path.lastPathPart) }

  func text(_ key: String) -> String? { info?.list[key]?.text }

  var settings: PropertyList? { info?.list["NSExtension"] }

  /// `com.apple.widget-extension`
  var point: String? { settings?["NSExtensionPointIdentifier"]?.text }

  /// The program that iOS starts; nil if it is not there.
  var binary: Item? { text("CFBundleExecutable").flatMap { items[$0] } }

  func site(in inventory: Inventory) -> Place { info.map { inventory.site($0.item) } ?? inventory.place.inside(path) }

  /// The name that a recipe gives to the point: `today`.
  func pointName(_ judging: Judging) -> String? {
    judging.tables["points"]?.first { $0.values.first == point }?.key
  }

  /// App Groups that an entitlement names; nil if there are no entitlements.
  static func groups(_ entitlements: PropertyList?) -> [String]? {
    entitlements.map { $0["com.apple.security.application-groups"]?.texts ?? [] }
  }
}

extension Inventory {
  /// The selectors, literals and libraries that code for iOS uses, slice by slice.
  var uses: [(item: Item, slice: CodeUses.Slice)] {
    facts(CodeUses.self).flatMap { item, uses in
      item.metadata == nil ? uses.slices.filter { $0.platform?.isIOS ?? true }.map { (item, $0) } : []
    }
  }

  func appExtension(of item: Item, _ all: [AppExtension]) -> AppExtension? {
    all.first { $0.items.values.contains { $0.path == item.path } }
  }
}
