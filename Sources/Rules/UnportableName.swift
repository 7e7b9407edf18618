package import Artifacts
package import Findings

/// Names, also those of the deliverables, are possible on every system that may unpack a deliverable. Windows is one of
/// them: apps with Android code are built there.
///
/// `archive-structure` reports names that make tools read an archive differently: control characters, backslashes,
/// names that differ only in case or in how letters are composed.
package enum UnportableName: Rule {
  package static let id: RuleID = "unportable-name"
  package static let kinds: Set<ArtifactKind>? = [.iosZip, .aar, .appExtension, .framework, .xcframework, .release]

  /// In bytes: the limit of ext4 and APFS for one part of a path.
  private static let maxPartLength = 255

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    // A folder's name is reported once, and not for each file in it.
    var said: Set<[UInt8]> = []
    return inventory.items.compactMap { item in
      guard item.metadata == nil, let (path, problem) = outermost(item.path), said.insert(path).inserted else {
        return nil
      }
      let name = String(decoding: path, as: UTF8.self)
      return finding(
        judging, "'\(abridged(name))' \(problem.what)", at: inventory.place.inside(name), notes: [problem.why],
        hint: "rename it")
    }
  }

  /// The path up to the first part with a problem.
  private static func outermost(_ path: [UInt8]) -> (path: [UInt8], problem: (what: String, why: String))? {
    for part in path.split(separator: UInt8(ascii: "/")) {
      if let problem = problem(part) { return (Array(path[..<part.endIndex]), problem) }
    }
    return nil
  }

  private static func problem(_ part: ArraySlice<UInt8>) -> (what: String, why: String)? {
    if let sign = part.first(where: { "<>:\"|?*".utf8.contains($0) }) {
      return ("has a '\(Unicode.Scalar(sign))'", "no name on Windows may have it")
    }
    if let last = part.last, last == 0x20 || last == UInt8(ascii: "."), !part.elementsEqual(".".utf8),
      !part.elementsEqual("..".utf8)
    {
      return ("ends with a \(last == 0x20 ? "space" : "dot")", "Windows leaves it out, and then does not find the file")
    }
    if part.count > maxPartLength {
      return ("has a part of \(part.count) bytes", "file systems take \(maxPartLength) at most")
    }
    let stem = String(decoding: part.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self).uppercased()
    guard isDevice(stem) else { return nil }
    return ("is the name of a device on Windows", "\(stem) is one with any ending: such a file cannot be made there")
  }

  /// Microsoft, "Naming Files, Paths, and Namespaces": reserved with any ending, and with spaces before it.
  private static func isDevice(_ stem: String) -> Bool {
    var name = stem.utf8[...]
    while name.last == 0x20 { name.removeLast() }
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(where: { name.elementsEqual($0.utf8) }) {
      return true
    }
    let isPort = name.starts(with: "COM".utf8) || name.starts(with: "LPT".utf8)
    let digit = name.dropFirst(3)
    return isPort
      && (digit.elementsEqual("¹".utf8) || digit.elementsEqual("²".utf8) || digit.elementsEqual("³".utf8)
        || digit.count == 1 && digit.allSatisfy { (0x31...0x39).contains($0) })
  }
}
