import Artifacts
import Findings

/// An XCFramework among the items of an artifact, or the artifact itself.
struct XCFrameworkFolder {
  /// In the artifact; empty if it is the artifact.
  let path: String
  /// `X.xcframework`.
  let name: String
  /// Files and links, by their paths in it.
  var files: [String: Item] = [:]

  /// Which of some paths are in it, as files or folders.
  func present(_ wanted: Set<String>) -> Set<String> {
    let lengths = Set(wanted.map(\.utf8.count))
    var found: Set<String> = []
    for file in files.keys {
      var end = file.utf8.endIndex
      while true {
        // A name may be deep and long: only what can be one of these is looked for.
        let length = file.utf8.distance(from: file.utf8.startIndex, to: end)
        if lengths.contains(length), case let path = String(file[..<end]), wanted.contains(path) { found.insert(path) }
        guard let slash = file.utf8[..<end].lastIndex(of: UInt8(ascii: "/")) else { break }
        end = slash
      }
    }
    return found
  }

  /// A path in a folder, as the items spell theirs.
  static func joined(_ folder: String, _ path: String) -> String {
    (folder.split(separator: "/") + path.split(separator: "/")).filter { $0 != "." }.joined(separator: "/")
  }
}

extension Inventory {
  /// In the order in which they are met.
  var xcframeworks: [XCFrameworkFolder] {
    let root = place.parts.last?.split(separator: "/").last.map(String.init) ?? ""
    let isOne = role == .tree && root.hasSuffix(".xcframework")
    var folders: [XCFrameworkFolder] = isOne ? [.init(path: "", name: root)] : []
    var indices: [String: Int] = isOne ? ["": 0] : [:]
    for item in items where item.kind != .folder && item.metadata == nil {
      guard let (path, inside) = item.placeInXCFramework ?? (isOne ? ("", item.name) : nil) else { continue }
      let index = indices[path] ?? folders.count
      if index == folders.count {
        indices[path] = index
        folders.append(.init(path: path, name: path.split(separator: "/").last.map(String.init) ?? path))
      }
      folders[index].files[inside] = item
    }
    return folders
  }
}

extension Item {
  private static let frameworkEnding = Array(".xcframework/".utf8)

  /// The innermost XCFramework that it is in, and its path there.
  fileprivate var placeInXCFramework: (path: String, inside: String)? {
    guard mayBeIn(Item.frameworkEnding), case let parts = parts,
      let index = parts.dropLast().lastIndex(where: { $0.hasSuffix(".xcframework") })
    else { return nil }
    return (parts[...index].joined(separator: "/"), parts[(index + 1)...].joined(separator: "/"))
  }
}
