import ObjectFiles
import Store

/// The digest of a file, to be compared with the one that a signature has for it, and the digests in a signature's
/// `_CodeSignature/CodeDirectory`.
package struct SealedContent: Facts {
  /// SHA-256
  package let digest: [UInt8]
  /// A code directory has them, for the bundle's `Info.plist` and `_CodeSignature/CodeResources`.
  package let seals: Seals?

  package struct Seals: Sendable {
    package let info: [UInt8]
    package let resources: [UInt8]
  }

  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest { .content }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> SealedContent? {
    var builder = DigestBuilder()
    bytes.withSpan { builder.update($0) }
    return SealedContent(digest: builder.finish().bytes, seals: bytes.withReader { Seals($0) })
  }
}

extension SealedContent.Seals {
  /// A code directory is big endian: magic (4), length (4), version (4), flags (4), the place of the digests (4), that of
  /// the identifier (4), the number of special slots (4), of code slots (4), the limit of the code (4), the size of a
  /// digest (1) and its kind (1; 2 is SHA-256). The digest of special slot n is n digests before their place: 1 is
  /// `Info.plist`, 3 is `CodeResources`. Source: Apple's Security framework, `codedirectory.h`.
  fileprivate init?(_ reader: borrowing ByteReader) {
    guard Self.number(reader, 0) == 0xFADE_0C02, let place = Self.number(reader, 16),
      let slots = Self.number(reader, 24),
      slots >= 3, let kind = Self.number(reader, 36), kind >> 16 == 0x2002,
      let info = Self.digest(reader, Int(place) - 32), let resources = Self.digest(reader, Int(place) - 96)
    else { return nil }
    (self.info, self.resources) = (info, resources)
  }

  private static func number(_ reader: borrowing ByteReader, _ offset: Int) -> UInt32? {
    guard let bytes = digest(reader, offset, count: 4) else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func digest(_ reader: borrowing ByteReader, _ offset: Int, count: Int = 32) -> [UInt8]? {
    guard offset >= 0, offset <= reader.count - count else { return nil }
    var bytes: [UInt8] = []
    reader.append(offset..<offset + count, to: &bytes)
    return bytes
  }
}
