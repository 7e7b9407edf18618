/// What an archive says about one of its entries. Every value is the archive's claim.
package struct ArchiveHeader: Sendable, Hashable {
  /// The name's bytes, unjudged: it can be absolute, hold `..` or not be UTF-8.
  package var name: [UInt8]
  package var kind: Kind
  /// File type and permissions, as `st_mode` has them.
  package var mode: UInt16
  /// In bytes; nil where the archive does not say it in front of the content.
  package var size: Int?
  /// Of the content, where the archive says it in front of that: zips do.
  package var crc32: UInt32?
  /// Of a symbolic link or a hard link.
  package var linkTarget: [UInt8]?
  /// The names of its extended attributes (tar keeps them).
  package var attributes: [[UInt8]]

  package enum Kind: Sendable, Hashable {
    case file, directory, symbolicLink, hardLink
    /// A device, a pipe, a socket.
    case other
  }
}
