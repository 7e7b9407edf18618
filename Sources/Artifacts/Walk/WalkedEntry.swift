package import Archives
package import ObjectFiles
import Store
package import SystemPackage

/// What a folder or an archive says about one thing in it. Of an archive every value is a claim.
package struct EntryHeader: Sendable {
  /// As its container spells it, without a slash at the end; in a folder from the artifact on; an artifact as named.
  package let path: [UInt8]
  package let kind: FileType
  /// In bytes; 0 for a folder.
  package let size: Int
  /// The checksum of the content; nil where the container does not say it.
  package var crc32: UInt32?
  /// Names of its extended attributes, where the container has them.
  package var attributes: [[UInt8]] = []
  /// Its number among those of the walk; nil of the artifact itself.
  package var container: Int?

  /// What is not UTF-8 is repaired for reading.
  package var name: String { String(decoding: path, as: UTF8.self) }

  package func hasSuffix(_ ending: String) -> Bool { path.suffix(ending.utf8.count).elementsEqual(ending.utf8) }

  package var metadata: AppleMetadata? { AppleMetadata.classify(path: path) }
}

extension EntryHeader {
  init(_ header: ArchiveHeader, container: Int) {
    self.init(
      path: header.name.last == UInt8(ascii: "/") ? header.name.dropLast() : header.name,
      kind: header.kind, size: header.size ?? 0, crc32: header.crc32, attributes: header.attributes,
      container: container)
  }
}

/// Where a walk is.
package struct WalkedEntry: Sendable {
  package let header: EntryHeader
  /// On the disk; nil in an archive.
  package let path: FilePath?
  /// All of them; nil if they were not asked for, or cannot be read.
  package internal(set) var bytes: EntryBytes?
  /// What the artifact itself begins with, if it is a file; nil of what is in it.
  package internal(set) var head: [UInt8]?
  /// The number of the container that it is, if that is looked into.
  package internal(set) var opens: Int?
  /// Why its bytes cannot be read; also a mistake of the walk.
  package internal(set) var damage: String?

  init(_ header: EntryHeader, path: FilePath? = nil) {
    self.header = header
    self.path = path
  }
}

/// What of an entry is wanted.
package enum Interest: Comparable, Sendable {
  case none
  /// Its first bytes decide.
  case head
  case content
  /// All of it, and more is kept of it than of code, so that a container may hold less.
  case document
}

/// Which bytes somebody wants of a walk. Containers need not be wanted to be looked into.
package protocol EntrySelection {
  func interest(in header: EntryHeader) -> Interest
  /// Decides by the first bytes, at least 4 KB if there are as many. It is not asked if the header has decided.
  func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest
}

/// What a file turns out to be when it is looked at, once.
struct EntryLook {
  private let header: EntryHeader
  private var interest: Interest
  /// Not looked at yet, and to be looked into if it is a container.
  private var isOpened: Bool
  private(set) var isContainer = false

  init(_ header: EntryHeader, _ selection: some EntrySelection, isOpened: Bool) {
    self.header = header
    interest = selection.interest(in: header)
    // Classes are most of what there is, and none is a container.
    self.isOpened = isOpened && header.metadata == nil && !header.hasSuffix(".class")
  }

  /// Whether anything depends on its bytes.
  var isWorthwhile: Bool { interest != .none || isOpened }
  var isWanted: Bool { interest == .content || interest == .document }
  var isDocument: Bool { interest == .document }
  var isKept: Bool { isWanted || isContainer }

  /// Decides by the first bytes; a second time it changes nothing.
  mutating func look(_ head: borrowing ByteReader, _ selection: some EntrySelection) {
    if interest == .head { interest = selection.interest(in: header, head: head) }
    if interest == .head { interest = .none }
    if isOpened { isContainer = EntryLook.isContainer(header, head) }
    isOpened = false
  }

  /// Whatever is compressed as a whole says what it is in its name alone, and so does a zip with bytes in front of it.
  private static func isContainer(_ header: EntryHeader, _ head: borrowing ByteReader) -> Bool {
    let kind = FileKind(head)
    if kind.isNativeCode || kind.foreignCode != nil || TextStub.isTextStub(head) { return false }
    return kind == .zip || endings.contains(where: header.hasSuffix)
  }

  private static let endings = [
    ".zip", ".aar", ".jar",
    ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tar.zst", ".7z", ".cpio",
  ]
}
