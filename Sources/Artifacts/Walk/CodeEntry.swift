import Findings
import ObjectFiles
import Store
import SystemPackage

/// An entry of an archive that is looked into: in memory, or, if it is too large for that, in a temporary file.
struct CodeEntry: ~Copyable {
  /// What it is by its first bytes and its name.
  enum Kind {
    case code, stub, container
    /// The `Info.plist` of one.
    case xcframework

    /// Nil if nobody looks for symbols in it. Code that is not read is code, or nobody would say so.
    init?(_ reader: borrowing ByteReader, _ kind: ObjectFiles.FileKind, _ place: Place) {
      if kind.isNativeCode || kind.foreignCode != nil {
        self = .code
      } else if TextStub.isTextStub(reader) {
        self = .stub
      } else if XCFramework.isInfo(place) {
        self = .xcframework
      } else if kind == .zip || Kind.ends.contains(where: { place.parts.last?.hasSuffix($0) ?? false }) {
        self = .container
      } else {
        return nil
      }
    }

    /// Whatever is compressed as a whole says what it is in its name alone, and so does a zip with bytes in front of it.
    private static let ends = [
      ".zip", ".aar",
      ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz", ".tar.zst", ".7z", ".cpio",
    ]
  }

  let kind: Kind
  /// All of it, if it is in memory.
  private(set) var bytes: [UInt8] = []
  private var spool: TemporaryFile?

  private let largest: Int

  /// How much is kept in memory.
  static let largestInMemory = 64 << 20

  /// `largest`: up to here it is kept in memory.
  init(_ kind: Kind, largest: Int) {
    self.kind = kind
    self.largest = largest
  }

  mutating func append(_ chunk: RawSpan, temporary: FilePath) throws(FileError) {
    if spool == nil, bytes.count + chunk.byteCount > largest {
      let file = try TemporaryFile.create(in: try OpenFolder(temporary))
      try file.append(bytes)
      bytes = []
      spool = consume file
    }
    if spool != nil {
      try spool?.append(chunk)
    } else {
      let part = ByteReader(chunk)
      part.append(part.range, to: &bytes)
    }
  }

  var isInMemory: Bool {
    switch spool {
    case nil: true
    default: false
    }
  }

  /// Where it lies as long as this is kept; nil: in memory.
  var path: FilePath? {
    get throws(FileError) { try spool?.path() }
  }

  consuming func mapped(_ name: FilePath) throws(FileError) -> MappedFile {
    if let spool { return try MappedFile.map(spool) }
    return MappedFile(bytes, path: name)
  }
}
