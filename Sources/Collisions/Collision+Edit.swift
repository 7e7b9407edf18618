import Artifacts
import Findings

extension Collision {
  /// Takes the last of two files out of its plugin, if they are the same.
  var removal: Edit? {
    guard identical == true, sites.count == 2, let place = sites.last?.place, let first = place.parts.first else {
      return nil
    }
    let whole = XCFramework.split(place.filePath).map(\.root) ?? place.filePath
    guard place.parts.contains(where: \.isArchive) else { return Edit(.shell, "rm -r \(whole)") }
    let inside = String(whole.dropFirst(first.count + 1))
    if !first.isArchive || inside.isEmpty || place.parts.dropFirst().dropLast().contains(where: \.isArchive) {
      return nil
    }
    let isFile = sites.last?.kind == .resource
    return isFile
      ? Edit(.shell, "zip -d \(first) \(inside)") : Edit(.shell, "zip -d \(first) \(inside) \"\(inside)/*\"")
  }
}

extension Collision.Site {
  /// The name of the file without its endings: `Scanner` of `Scanner.xcframework` and of `libScanner.a`.
  var ownName: String {
    let whole = artifact.lastName
    let name = whole.utf8.drop { $0 == UInt8(ascii: ".") }.prefix { $0 != UInt8(ascii: ".") }
    return String(Substring(whole.hasSuffix(".a") && name.starts(with: "lib".utf8) ? name.dropFirst(3) : name))
  }
}

extension [Collision] {
  /// Each once, in their order; nil if there are more.
  func names(most: Int) -> [String]? {
    var names: [String] = []
    for collision in self where !names.contains(collision.name.text) {
      if names.count == most { return nil }
      names.append(collision.name.text)
    }
    return names
  }
}

extension Place {
  /// The path from the plugin on, of what lies in a folder.
  var filePath: String { parts.joined(separator: "/") }
}

extension String {
  /// Whether it is the name of a container that is one file.
  var isArchive: Bool { [".zip", ".aar", ".jar"].contains(where: hasSuffix) }
}
