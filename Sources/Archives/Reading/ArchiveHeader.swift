package import SystemPackage

/// The metadata of an entry. Every value is the archive's claim.
package struct ArchiveHeader: Sendable, Hashable {
  /// Unchecked bytes: the name can be absolute, hold `..` or not be UTF-8.
  package var name: [UInt8]
  /// A hard link counts as a symbolic one.
  package var kind: FileType
  /// True if its content is that of another entry, which `linkTarget` names.
  package var isHardLink = false
  /// File type and permissions, as in `st_mode`.
  package var mode: UInt16
  /// In bytes; nil if the archive does not give it before the content.
  package var size: Int?
  /// The content's checksum, if the archive gives it before the content, as zips do.
  package var crc32: UInt32?
  /// The target of a symbolic link or a hard link.
  package var linkTarget: [UInt8]?
  /// The names of its extended attributes (tar keeps them).
  package var attributes: [[UInt8]]
}
