package import ObjectFiles

/// A file of a jar, an AAR or a folder of classes, under its new path and with new names of packages in it.
package struct JavaFileRelocation: Sendable {
  package let map: PackageMap
  /// Whether texts of the program change too.
  package let strings: Bool

  package init(_ map: PackageMap, strings: Bool) { (self.map, self.strings) = (map, strings) }

  /// The kinds of files that are changed differently. Paths are compared as the runtime does, with case.
  private enum Kind {
    case classFile, kotlinModule, manifest, text, other
  }

  /// The new path of a file, which is the name of a class, of a service, or of something beside classes.
  package func path(_ path: [UInt8]) -> [UInt8] {
    let (head, tail) = Self.versioned(path)
    let services = Array("META-INF/services/".utf8)
    if tail.starts(with: services) {
      let name = Array(tail.dropFirst(services.count))
      return head + services + (map.dotted(name) ?? name)
    }
    // The interfaces of an AAR lie in a folder of their own.
    let interfaces = Array("aidl/".utf8)
    if tail.starts(with: interfaces), let own = map.path(tail.dropFirst(interfaces.count)) {
      return head + interfaces + own
    }
    return head + (map.path(tail) ?? Array(tail))
  }

  /// `META-INF/versions/9/` in front of a path, and what follows it.
  private static func versioned(_ path: [UInt8]) -> (head: [UInt8], tail: ArraySlice<UInt8>) {
    let folder = Array("META-INF/versions/".utf8)
    guard path.starts(with: folder), let slash = path[folder.count...].firstIndex(of: UInt8(ascii: "/")) else {
      return ([], path[...])
    }
    return (Array(path[...slash]), path[(slash + 1)...])
  }

  /// The new content of a file; nil if it stays. `kept` gets the texts of a program that begin with a package's name and
  /// stay. Throws for a damaged file, and if a changed class would not name the classes that it should.
  package func content(
    _ path: [UInt8], _ reader: borrowing ByteReader, kept: inout Set<[UInt8]>
  ) throws(FormatError) -> [UInt8]? {
    switch kind(path) {
    case .classFile:
      return try ClassRelocation.relocated(reader, map, strings: strings, kept: &kept)
    case .kotlinModule: return try KotlinModuleRelocation.relocated(reader, map)
    case .manifest: return manifest(try reader.copy(reader.range, "manifest"))
    case .text: return map.text(try reader.copy(reader.range, "text"))
    case .other:
      if FileKind(reader).isNativeCode || FileKind.isWindowsImage(reader), let found = map.nativeName(in: reader) {
        throw .unsupported(
          "machine code", at: found.place, "it has '\(found.text)', which names a class that would have another name")
      }
      return nil
    }
  }

  private func kind(_ path: [UInt8]) -> Kind {
    if path.suffix(6).elementsEqual(".class".utf8) { return .classFile }
    let text = String(decoding: path, as: UTF8.self)
    if text == "META-INF/MANIFEST.MF" { return .manifest }
    // In the archive `annotations.zip` of an AAR.
    if text.hasSuffix("/annotations.xml") { return .text }
    if text.hasPrefix("META-INF/") {
      if text.hasSuffix(".kotlin_module") { return .kotlinModule }
      let folders = ["services/", "proguard/", "com.android.tools/"].map { "META-INF/\($0)" }
      return folders.contains { text.hasPrefix($0) } ? .text : .other
    }
    return .other
  }

  /// A jar's manifest: names of classes and packages in its first section (`Main-Class`, `Export-Package`). The sections
  /// behind it are of single files, and their digests do not hold.
  private func manifest(_ bytes: [UInt8]) -> [UInt8]? {
    var lines: [[UInt8]] = []
    var isChanged = false
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if text.isEmpty {
        if !lines.isEmpty { break }
      } else if text.first == UInt8(ascii: " "), !lines.isEmpty {
        lines[lines.count - 1] += text.dropFirst()
      } else {
        lines.append(Array(text))
      }
    }
    let new = lines.map { line -> [UInt8] in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let value = map.text(Array(line[colon...])) else {
        return line
      }
      isChanged = true
      return line[..<colon] + value
    }
    guard isChanged else { return nil }
    var output: [UInt8] = []
    for line in new {
      // A line has at most 72 bytes, its end not counted; more of them follow a space.
      var rest = line[...]
      output += rest.prefix(70) + Array("\r\n".utf8)
      rest = rest.dropFirst(70)
      while !rest.isEmpty {
        output += [UInt8(ascii: " ")] + rest.prefix(69) + Array("\r\n".utf8)
        rest = rest.dropFirst(69)
      }
    }
    return output + Array("\r\n".utf8)
  }
}
