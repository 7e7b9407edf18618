/// Texts of an AAR with new names of packages.
package struct AndroidTextRelocation: Sendable {
  private let map: PackageMap
  /// The classes of the AAR that get other names, with dots between packages. Texts have other names with dots as well: of
  /// actions, permissions and resources, which the program's own texts have too.
  private let classes: Set<[UInt8]>

  package init(_ map: PackageMap, classes: Set<[UInt8]>) { (self.map, self.classes) = (map, classes) }

  /// The new content of a file that is no archive; nil if it stays.
  package func content(_ path: String, _ bytes: [UInt8]) -> [UInt8]? {
    if path == "AndroidManifest.xml" { return manifest(bytes) }
    if path == "baseline-prof.txt" { return profile(bytes) }
    if path.hasPrefix("res/"), path.hasSuffix(".xml") || path.hasSuffix(".json") { return named(bytes) }
    let isCode = path == "proguard.txt" || path.hasSuffix(".aidl") || path.hasPrefix("META-INF/com.android.tools/")
    return isCode ? map.text(bytes) : path == "navigation.json" ? named(bytes) : nil
  }

  /// A text with the new names of classes.
  private func named(_ bytes: [UInt8]) -> [UInt8]? { map.text(bytes) { classes.contains(Array($0)) } }

  /// In a manifest, a name that begins with a dot is in its package, which may get another name than the class.
  private func manifest(_ bytes: [UInt8]) -> [UInt8]? {
    let place = packagePlace(in: bytes)
    let package = place.map { Array(bytes[$0]) } ?? []
    let newPackage = map.dotted(package) ?? package
    var result: [UInt8] = []
    var rest = bytes[...]
    while let start = rest.firstIndex(where: { "\"'<".utf8.contains($0) }) {
      if rest[start...].starts(with: "<!--".utf8) {
        // A comment may have any quote in it.
        let end = rest[start...].indices.first { rest[$0...].starts(with: "-->".utf8) } ?? rest.endIndex
        result += rest[..<end]
        rest = rest[end...]
        if !rest.isEmpty { result.append(rest.removeFirst()) }
        continue
      }
      result += rest[...start]
      let quote = rest[start]
      rest = rest[(start + 1)...]
      guard quote != UInt8(ascii: "<") else { continue }
      let value = rest.prefix { $0 != quote }
      rest = rest[value.endIndex...]
      if value.startIndex == place?.lowerBound {
        result += newPackage
      } else if value.first == UInt8(ascii: "."), classes.contains(package + value),
        let new = map.dotted(package + value),
        new != newPackage + value
      {
        result += new
      } else {
        result += value
      }
      // The quote at the end is no beginning.
      if let end = rest.popFirst() { result.append(end) }
    }
    result += rest
    let all = named(result) ?? result
    return all == bytes ? nil : all
  }

  /// The value of the first attribute `package`.
  private func packagePlace(in bytes: [UInt8]) -> Range<Int>? {
    let text = Array("package=".utf8)
    for start in bytes.indices.dropFirst() where bytes[start] == text[0] && bytes[start...].starts(with: text) {
      let quote = start + text.count
      guard " \t\r\n".utf8.contains(bytes[start - 1]), quote < bytes.count, "\"'".utf8.contains(bytes[quote]) else {
        continue
      }
      let value = bytes[(quote + 1)...].prefix { $0 != bytes[quote] }
      return value.startIndex..<value.endIndex
    }
    return nil
  }

  /// Rules of a profile: flags, then a class's descriptor, then perhaps a method with its descriptor, each in a line.
  private func profile(_ bytes: [UInt8]) -> [UInt8]? {
    var isChanged = false
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line -> [UInt8] in
      // The flags are capital letters, of which L is none, and brackets of arrays.
      guard let start = line.firstIndex(of: UInt8(ascii: "L")) else { return Array(line) }
      var parts: [[UInt8]] = []
      for part in line[start...].split(separator: UInt8(ascii: "("), omittingEmptySubsequences: false) {
        let text = parts.isEmpty ? Array(part) : [UInt8(ascii: "(")] + part
        let new = JavaSignature.renamed(text, map)
        isChanged = isChanged || new != nil
        parts.append(new ?? text)
      }
      return Array(line[..<start]) + Array(parts.joined())
    }
    return isChanged ? Array(lines.joined(separator: [UInt8(ascii: "\n")])) : nil
  }
}
