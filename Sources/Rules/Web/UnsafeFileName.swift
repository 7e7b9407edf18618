package import Artifacts
package import Findings

/// Names can be used in a store's address, a line of a manifest and a device's file system.
package enum UnsafeFileName: Rule {
  package static let id: RuleID = "unsafe-file-name"
  package static let kinds: Set<ArtifactKind>? = [.webTemplates]

  /// In bytes: the limits of devices' file systems for one part, and of stores for a whole key.
  private static let (maxPartLength, maxPathLength) = (255, 1024)

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    var findings: [Finding] = []
    var known: [String: Item] = [:]
    for item in inventory.items where !item.isFolder && item.metadata == nil {
      if let problem = problem(item.path) {
        findings.append(
          finding(
            judging, "\(abridged(item.name)) \(problem.what)", at: inventory.site(item), notes: [problem.why],
            hint: "rename it"))
      }
      if let other = known.updateValue(item, forKey: BucketNames.key(item.path)), other.path != item.path {
        let (one, two) = other.toldApart(from: item)
        findings.append(
          finding(
            judging, "\(one) and \(two) are one file on some systems", at: inventory.site(other), inventory.site(item),
            notes: ["they differ only in case or in how letters are composed"], hint: "rename one of them"))
      }
    }
    return findings
  }

  private static func problem(_ path: [UInt8]) -> (what: String, why: String)? {
    guard String(validating: path, as: UTF8.self) != nil else {
      return ("is no UTF-8", "addresses and devices have names in UTF-8")
    }
    if path.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      return ("has a control character", "it ends a line of the manifest, or is in no address")
    }
    if let sign = path.first(where: { "?#%".utf8.contains($0) }) {
      return (
        "has a '\(Unicode.Scalar(sign))'",
        "in an address it is a sign of its own: the app asks for another file, or keeps it by another name"
      )
    }
    if let sign = path.first(where: { "\\:*\"<>|".utf8.contains($0) }) {
      return ("has a '\(Unicode.Scalar(sign))'", "some devices keep what they fetch where no name may have it")
    }
    for part in path.split(separator: UInt8(ascii: "/")) {
      if part.first == 0x20 || part.last == 0x20 {
        return ("has a space at an end", "apps trim the lines of a manifest, and some file systems trim names")
      }
      if part.last == UInt8(ascii: "."), part.count > 1, !part.elementsEqual("..".utf8) {
        return ("has a dot at its end", "some file systems leave it out")
      }
      if part.count > maxPartLength {
        return ("has a part of \(part.count) bytes", "file systems take \(maxPartLength) at most")
      }
    }
    return path.count > maxPathLength ? ("has \(path.count) bytes", "stores take \(maxPathLength) at most") : nil
  }
}
