import Findings
import ObjectFiles

/// The path of a file in a plugin by its parts: on the disk it begins with the plugin's own name, in an archive at the
/// archive's root.
struct LayoutPath: Hashable {
  /// The archives that it is in, from the outside in.
  let archives: [String]
  /// The folder that the plugin is in, with a slash at its end; empty in an archive.
  private let base: String
  var parts: ArraySlice<String>

  /// - Parameter root: the plugin's own place.
  init(_ place: Place, below root: Place) {
    archives = place.parts.dropLast()
    let text = Array((place.parts.last ?? "").utf8)
    var start = 0
    if archives.isEmpty {
      let own = Array((root.parts.last ?? "").utf8)
      start = (own.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
      if !text.starts(with: own) { start = 0 }
    }
    base = String(decoding: text[..<start], as: UTF8.self)
    parts = text[start...].split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }[...]
  }

  var name: String { parts.last ?? "" }

  func prefix(_ count: Int) -> LayoutPath {
    var path = self
    path.parts = parts.prefix(count)
    return path
  }

  var parent: LayoutPath { prefix(parts.count - 1) }

  /// The parts behind a folder; nil if it is not in the folder.
  func below(_ folder: LayoutPath) -> ArraySlice<String>? {
    guard archives == folder.archives, parts.count > folder.parts.count, parts.starts(with: folder.parts) else {
      return nil
    }
    return parts.dropFirst(folder.parts.count)
  }

  /// The index of the outermost folder that has one of the endings.
  func folder(_ endings: String...) -> Int? {
    parts.dropLast().firstIndex { part in endings.contains { part.utf8.count > $0.utf8.count && part.hasSuffix($0) } }
  }

  /// The first parts as a place, which may be an archive.
  func place(_ count: Int) -> Place {
    let path = base + parts.prefix(count).joined(separator: "/")
    return Place(parts: path.isEmpty ? archives : archives + [path])
  }

  /// The XCFramework that it is in, or else the plugin or archive, and the path in that.
  var split: (container: Place, member: String?) {
    let own = parts.firstIndex { $0.hasSuffix(".xcframework") }.map { $0 + 1 } ?? (archives.isEmpty ? 1 : 0)
    let member = parts.dropFirst(own).joined(separator: "/")
    return (place(own), member.isEmpty ? nil : member)
  }
}
