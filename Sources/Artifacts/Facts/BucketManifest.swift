import ObjectFiles
package import Store

/// `manifest.mf`: the files of a bucket that an app fetches, one `path?number` per line. An app does not fetch a file
/// again whose number it has seen.
package struct BucketManifest: Facts {
  package struct Entry: Sendable, Hashable {
    /// Below the manifest's folder, decoded.
    package let path: [UInt8]
    /// The text behind the question mark; nil if there is no question mark.
    package let version: String?
    /// Counted from 1.
    package let line: Int
  }

  package static let name = "manifest.mf"

  package private(set) var entries: [Entry] = []

  /// In bytes.
  package static let largest = 8 << 20
  private static let maxEntries = 200_000

  /// Reads lines as apps do, without the spaces around them. One of the first manifests had all entries on one line,
  /// with spaces between them: a name has no space here, so any white space ends an entry.
  package init(_ text: [UInt8]) throws(UnreadableEntry) {
    guard text.count <= BucketManifest.largest else {
      throw UnreadableEntry("it has more than \(BucketManifest.largest >> 20) MB")
    }
    var line = 1
    var start = 0
    for index in 0...text.count {
      guard index == text.count || text[index] <= 0x20 else { continue }
      if start < index {
        guard entries.count < BucketManifest.maxEntries else {
          throw UnreadableEntry("it lists more than \(BucketManifest.maxEntries) files")
        }
        entries.append(Entry(text[start..<index], line: line))
      }
      start = index + 1
      if index < text.count, text[index] == UInt8(ascii: "\n") { line += 1 }
    }
  }

  /// The line of one file; the lines are sorted by the bytes of the paths.
  ///
  /// The app uses an entry as a URL, so all but letters, digits, `-._~` and slashes is percent-encoded.
  package static func line(_ path: [UInt8], _ digest: Digest) -> [UInt8] {
    encoded(path) + Array("?\(version(of: digest))\n".utf8)
  }

  /// The first 63 bits of the content's SHA-256, in decimal, so that they fit a signed integer of any app.
  package static func version(of digest: Digest) -> String {
    String(digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 1)
  }

  private static func encoded(_ path: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return path.flatMap { byte -> [UInt8] in
      let isPlain = (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-._~/".utf8.contains(byte)
      return isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    kind == .webTemplates && isManifest(header.path) ? .document : .none
  }

  package static func read(
    _ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes
  ) throws(UnreadableEntry) -> BucketManifest? {
    try BucketManifest(try bytes.document())
  }

  package static func isManifest(_ path: [UInt8]) -> Bool {
    path.elementsEqual(name.utf8) || path.suffix(name.utf8.count + 1).elementsEqual("/\(name)".utf8)
  }
}

extension BucketManifest.Entry {
  init(_ text: ArraySlice<UInt8>, line: Int) {
    let mark = text.firstIndex(of: UInt8(ascii: "?"))
    var path = text[..<(mark ?? text.endIndex)]
    if path.starts(with: "./".utf8) { path = path.dropFirst(2) }
    self.path = WebAddress.decoded(path)
    version = mark.map { String(decoding: text[($0 + 1)...], as: UTF8.self) }
    self.line = line
  }
}

/// The version number of a bucket's file, computed from its content.
package struct AssetVersion: Facts {
  package let number: String

  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    kind == .webTemplates ? .content : .none
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> AssetVersion? {
    bytes.withSpan { content in
      var builder = DigestBuilder()
      builder.update(content)
      return AssetVersion(number: BucketManifest.version(of: builder.finish()))
    }
  }
}
