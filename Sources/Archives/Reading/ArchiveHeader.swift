package import SystemPackage

/// What an archive says about one of its entries. Every value is the archive's claim.
package struct ArchiveHeader: Sendable, Hashable {
  /// The name's bytes, unjudged: it can be absolute, hold `..` or not be UTF-8.
  package var name: [UInt8]
  /// A hard link counts as a symbolic one.
  package var kind: FileType
  /// Its content is that of another entry, which `linkTarget` names.
  package var isHardLink = false
  /// File type and permissions, as `st_mode` has them.
  package var mode: UInt16
  /// In bytes; nil where the archive does not say it in front of the content.
  package var size: Int?
  /// The content's checksum, if the archive says it before the content, as zips do.
  package var crc32: UInt32?
  /// The target of a symbolic link or a hard link.
  package var linkTarget: [UInt8]?
  /// The names of its extended attributes (tar keeps them).
  package var attributes: [[UInt8]]
}
