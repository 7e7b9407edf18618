/// Texts of an AAR with new names of packages.
package enum AndroidTextRelocation {
  /// The new content of a file of an AAR that is no archive; nil if it stays.
  package static func content(_ path: String, _ bytes: [UInt8], _ map: PackageMap) -> [UInt8]? {
    if path == "AndroidManifest.xml" { return manifest(bytes, map) }
    if path == "baseline-prof.txt" { return profile(bytes, map) }
    let isText =
      path == "proguard.txt" || path.hasSuffix(".xml") && path.hasPrefix("res/") || path.hasSuffix(".aidl")
      || path == "navigation.json" || path.hasPrefix("META-INF/com.android.tools/")
    return isText ? map.text(bytes) : nil
  }

  /// In a manifest, a name that begins with a dot is in its package, which may get another name than the class.
  private static func manifest(_ bytes: [UInt8], _ map: PackageMap) -> [UInt8]? {
    let package = attribute("package", of: bytes)
    let newPackage = map.dotted(package) ?? package
    var (result, rest, isChanged): ([UInt8], ArraySlice<UInt8>, Bool) = ([], bytes[...], false)
    while let quote = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) {
      result += rest[...quote]
      let value = rest[(quote + 1)...].prefix { $0 != rest[quote] }
      rest = rest[value.endIndex...]
      guard value.first == UInt8(ascii: "."), value.count > 1, !package.isEmpty, let new = map.dotted(package + value),
        new != newPackage + value
      else {
        result += value
        // The quote at the end is no beginning.
        if let end = rest.popFirst() { result.append(end) }
        continue
      }
      result += new
      isChanged = true
      if let end = rest.popFirst() { result.append(end) }
    }
    result += rest
    return map.text(result) ?? (isChanged ? result : nil)
  }

  /// The value of the first attribute of a name; empty if there is none.
  private static func attribute(_ name: String, of bytes: [UInt8]) -> [UInt8] {
    let text = Array(" \(name)=\"".utf8)
    var rest = bytes[...]
    while let space = rest.firstIndex(where: { " \t\r\n".utf8.contains($0) }) {
      rest = rest[space...].dropFirst()
      if rest.starts(with: text.dropFirst()) {
        return Array(rest.dropFirst(text.count - 1).prefix { $0 != UInt8(ascii: "\"") })
      }
    }
    return []
  }

  /// Rules of a profile: flags, then a class's descriptor, then perhaps a method with its descriptor, each in a line.
  private static func profile(_ bytes: [UInt8], _ map: PackageMap) -> [UInt8]? {
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
