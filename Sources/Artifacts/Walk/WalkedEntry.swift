package import Archives
package import ObjectFiles
import Store
package import SystemPackage

/// The description of one entry by its folder or archive. The values of an archive are unverified claims.
package struct EntryHeader: Sendable {
  /// As its container spells it, without a trailing slash; on the disk relative to the artifact; an artifact as given.
  package let path: [UInt8]
  package let kind: FileType
  /// In bytes; 0 for a folder.
  package let size: Int
  /// Nil where the container does not record it.
  package var crc32: UInt32?
  /// Names of its extended attributes, where the container records them.
  package var attributes: [[UInt8]] = []
  /// The number of its container in the walk; nil for the artifact itself.
  package var container: Int?
  /// Told once, because many collectors ask.
  package let metadata: AppleMetadata?

  package init(
    path: [UInt8], kind: FileType, size: Int, crc32: UInt32? = nil, attributes: [[UInt8]] = [], container: Int? = nil
  ) {
    (self.path, self.kind, self.size) = (path, kind, size)
    (self.crc32, self.attributes, self.container) = (crc32, attributes, container)
    metadata = AppleMetadata.classify(path: path)
  }

  /// Invalid UTF-8 is repaired for display.
  package var name: String { String(decoding: path, as: UTF8.self) }

  package func hasSuffix(_ ending: StaticString) -> Bool {
    let start = path.count - ending.utf8CodeUnitCount
    return start >= 0 && ByteReader(path.span).starts(with: ending, at: start)
  }
}

extension EntryHeader {
  init(_ header: ArchiveHeader, container: Int) {
    self.init(
      path: header.name.last == UInt8(ascii: "/") ? header.name.dropLast() : header.name,
      kind: header.kind, size: header.size ?? 0, crc32: header.crc32, attributes: header.attributes,
      container: container)
  }
}

/// One step of a walk.
package struct WalkedEntry: Sendable {
  package let header: EntryHeader
  /// On the disk; nil in an archive.
  package let path: FilePath?
  /// The whole content; nil if nothing selected it, or if it cannot be read.
  package internal(set) var bytes: EntryBytes?
  /// The first bytes of the artifact itself, if it is a file; nil for entries in it.
  package internal(set) var head: [UInt8]?
  /// The number of the container that this entry is, if it is opened.
  package internal(set) var opens: Int?
  /// The reason why its bytes cannot be read; it is also a mistake of the walk.
  package internal(set) var damage: String?

  init(_ header: EntryHeader, path: FilePath? = nil) {
    self.header = header
    self.path = path
  }
}

package enum Interest: Comparable, Sendable {
  case none
  /// Its first bytes decide.
  case head
  case content
  /// The whole content, which takes more memory than code does, so that a container may hold less of it.
  case document
}

/// Selects the bytes that a walk reads. Containers are opened even if they are not selected.
package protocol EntrySelection {
  func interest(in header: EntryHeader) -> Interest
  /// Decides by the first bytes, at least 4 KB if there are as many. It is called only if the header does not decide.
  func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest
}

/// The decisions about one entry, by its header and once by its first bytes.
struct EntryLook {
  private var interest: Interest
  /// True until the first bytes are seen, if the entry is to be opened in case it is a container.
  private var isOpened: Bool
  private(set) var isContainer = false

  init(_ header: EntryHeader, _ selection: some EntrySelection, isOpened: Bool) {
    interest = selection.interest(in: header)
    // Most entries are classes, and none is a container.
    self.isOpened = isOpened && header.metadata == nil && !header.hasSuffix(".class")
  }

  /// Whether anything depends on its bytes.
  var isWorthwhile: Bool { interest != .none || isOpened }
  var isWanted: Bool { interest == .content || interest == .document }
  var isDocument: Bool { interest == .document }
  var isKept: Bool { isWanted || isContainer }

  /// Decides by the first bytes; a second call changes nothing.
  mutating func look(_ head: borrowing ByteReader, of header: EntryHeader, _ selection: some EntrySelection) {
    if interest == .head { interest = selection.interest(in: header, head: head) }
    if interest == .head { interest = .none }
    if isOpened { isContainer = EntryLook.isContainer(header, head) }
    isOpened = false
  }

  /// Only its name tells what a file compressed as a whole is; the same is true of a zip with bytes in front of it.
  private static func isContainer(_ header: EntryHeader, _ head: borrowing ByteReader) -> Bool {
    let kind = FileKind(head)
    if kind.isNativeCode || kind.foreignCode != nil || TextStub.isTextStub(head) { return false }
    return kind == .zip || endings.contains(where: header.hasSuffix)
  }

  private static let endings: [StaticString] = [
    ".zip", ".aar", ".jar",
    ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tar.zst", ".7z", ".cpio",
  ]
}
