package import SystemPackage

package struct Entry: Sendable {
  package var path: EntryPath
  package var kind: Kind

  package init(path: EntryPath, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  package enum Kind: Sendable {
    case file(Content, executable: Bool)
    /// The target's bytes, as `readlink` gives them.
    case symbolicLink(target: [UInt8])
    /// Needed only for a folder that would otherwise be empty.
    case directory
  }

  /// Reads `count` bytes from `offset` on and appends them to the span, which has room for them.
  ///
  /// Called by several tasks at once, in any order of offsets. Too few bytes mean that the content has become shorter.
  package typealias PositionalRead =
    @Sendable (_ offset: Int, _ count: Int, _ into: inout OutputSpan<UInt8>) throws -> Void

  package enum Content: Sendable {
    case bytes([UInt8])
    case reader(size: Int, PositionalRead)
    /// A file with the size that it had before. It is opened once, when it is packed.
    case file(FilePath, size: Int)

    /// In bytes.
    package var size: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .reader(let size, _): size
      case .file(_, let size): size
      }
    }
  }

  /// A folder's name ends in a slash.
  var storedName: [UInt8] {
    if case .directory = kind { path.bytes + [UInt8(ascii: "/")] } else { path.bytes }
  }

  /// The file type and permissions, as in `st_mode`. Anything more would make the bytes depend on the machine.
  var mode: UInt16 {
    switch kind {
    case .file(_, let executable): executable ? 0o100755 : 0o100644
    case .symbolicLink: 0o120777
    case .directory: 0o040755
    }
  }

  var size: Int {
    switch kind {
    case .file(let content, _): content.size
    case .symbolicLink(let target): target.count
    case .directory: 0
    }
  }

  /// The canonical order: by the path's bytes, parents before children. A folder with an entry in it loses its own.
  package static func canonicalOrder(_ entries: [Entry]) -> [Entry] {
    var parents: Set<EntryPath> = []
    for entry in entries {
      var path = entry.path
      while let parent = path.parent, parents.insert(parent).inserted { path = parent }
    }
    return entries.filter { entry in
      if case .directory = entry.kind { !parents.contains(entry.path) } else { true }
    }.sorted { $0.path < $1.path }
  }
}
