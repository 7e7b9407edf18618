import Artifacts
import Findings
import OrderedCollections

/// An XCFramework among the items of an artifact, or the artifact itself.
struct XCFrameworkFolder {
  /// The path in the artifact; empty if it is the artifact.
  let path: String
  /// `X.xcframework`.
  let name: String
  /// By their paths in the XCFramework.
  var items: [String: Item] = [:]

  /// The wanted paths that are in it. Those behind a link count, because links are not followed.
  func present(_ wanted: Set<String>) -> Set<String> {
    var found = wanted.filter { path in
      XCFrameworkFolder.folders(of: path).contains { items[String($0)]?.isLink == true }
    }
    // A name may be deep and long, so only parts of a wanted length are looked up. Letters that can be spelt with
    // different bytes are compared as they read.
    let isPlain = wanted.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    let lengths = Set(wanted.map(\.utf8.count))
    for path in items.keys {
      for part in XCFrameworkFolder.folders(of: path) where !isPlain || lengths.contains(part.utf8.count) {
        if case let part = String(part), wanted.contains(part) { found.insert(part) }
      }
    }
    return found
  }

  /// A path and the folders that it is in, the path first.
  private static func folders(of path: String) -> some Sequence<Substring> {
    sequence(first: path[...]) { part in part.utf8.lastIndex(of: UInt8(ascii: "/")).map { part[..<$0] } }
  }

  /// The path in the folder, spelled as the items spell theirs.
  static func joined(_ folder: String, _ path: String) -> String {
    (folder.pathParts + path.pathParts).filter { $0 != "." }.joined(separator: "/")
  }
}

extension Inventory {
  /// The XCFrameworks, in the order of the items.
  var xcframeworks: [XCFrameworkFolder] {
    let isOne = role == .tree && rootName.hasSuffix(".xcframework")
    var folders: OrderedDictionary<String, XCFrameworkFolder> = [:]
    if isOne { folders[""] = XCFrameworkFolder(path: "", name: rootName) }
    for item in items where item.metadata == nil {
      guard let (path, inside) = item.placeInXCFramework ?? (isOne ? ("", item.name) : nil) else { continue }
      let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
      folders[path, default: XCFrameworkFolder(path: path, name: name)].items[inside] = item
    }
    return Array(folders.values)
  }
}

extension Item {
  private static let frameworkEnding = Array(".xcframework/".utf8)

  /// The innermost XCFramework that it is in, and its path there. Most items are in none, which `mayBeIn` tells fast.
  fileprivate var placeInXCFramework: (root: String, path: String)? {
    mayBeIn(Item.frameworkEnding) ? XCFramework.split(name) : nil
  }
}
