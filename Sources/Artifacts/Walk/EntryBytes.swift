package import Archives
package import Findings
package import ObjectFiles
package import Store
internal import Synchronization
package import SystemPackage

/// The bytes of a file or of an entry of a container, which several tasks can read at once.
package final class EntryBytes: Sendable {
  private let window: Window
  /// In the window.
  private let range: Range<Int>
  /// The allowance that gets the memory back at the end.
  private let allowance: Allowance?

  /// A mapped file or a piece of memory that several `EntryBytes` share.
  final class Window: Sendable {
    let file: MappedFile
    private let isUnpacked: Bool
    /// About how many bytes of unpacked content were brought into memory since it was last released.
    private let inMemory = Atomic(0)

    /// `isUnpacked` says whether it is content that was unpacked to the disk.
    init(_ file: consuming MappedFile, isUnpacked: Bool = false) {
      self.file = file
      self.isUnpacked = isUnpacked
    }

    /// Call it when a part was read. A few megabytes can unpack to a gigabyte, so that only some of it stays in memory.
    func wasRead(_ range: Range<Int>) {
      guard isUnpacked else { return }
      // The system brings what lies around a byte, too.
      let (_, sum) = inMemory.add(max(range.count, 64 << 10), ordering: .relaxed)
      guard sum > 8 << 20 else { return }
      inMemory.store(0, ordering: .relaxed)
      file.forget()
    }
  }

  package convenience init(of path: FilePath) throws(FileError) { self.init(try MappedFile.open(path)) }

  package convenience init(_ file: consuming MappedFile) {
    let window = Window(file)
    self.init(window, 0..<window.file.count)
  }

  package convenience init(_ bytes: [UInt8]) { self.init(bytes, nil) }

  /// `allowance` has reserved the memory.
  convenience init(_ bytes: [UInt8], _ allowance: Allowance?) {
    self.init(Window(MappedFile(bytes, path: "")), 0..<bytes.count, allowance)
  }

  init(_ window: Window, _ range: Range<Int>, _ allowance: Allowance? = nil) {
    (self.window, self.range, self.allowance) = (window, range, allowance)
  }

  /// Nil if it does not have these bytes.
  package func part(_ range: Range<Int>) -> EntryBytes? {
    range.upperBound > count ? nil : EntryBytes(window, range.shifted(by: self.range.lowerBound))
  }

  deinit { allowance?.release(memory: range.count) }

  /// In bytes.
  package var count: Int { range.count }

  package func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R {
    defer { window.wasRead(range) }
    return try window.file.withBytes { (bytes: RawSpan) throws(E) -> R in
      try body(ByteReader(bytes.extracting(range)))
    }
  }

  package func withSpan<R>(_ body: (RawSpan) -> R) -> R {
    defer { window.wasRead(range) }
    return window.file.withBytes { body($0.extracting(range)) }
  }

  package func copy() -> [UInt8] { copy(0..<count) }

  package func copy(_ part: Range<Int>) -> [UInt8] {
    let part = part.clamped(to: 0..<count).shifted(by: range.lowerBound)
    defer { window.wasRead(part) }
    return window.file.withBytes { whole in
      var bytes: [UInt8] = []
      ByteReader(whole).append(part, to: &bytes)
      return bytes
    }
  }

  package var zip: ArchiveBytes { ArchiveBytes(size: count) { [self] offset, count in copy(offset..<offset + count) } }
}

extension Range<Int> {
  func shifted(by count: Int) -> Range { lowerBound + count..<upperBound + count }
}

/// Files by their paths on a command line, relative to a folder or absolute.
package struct InputFolder: Sendable {
  private let folder: FilePath

  package init(_ folder: FilePath) { self.folder = folder }

  /// Nil if there is no such file.
  package func bytes(at path: String) throws(Mistakes) -> EntryBytes? {
    let path = folder.pushing(FilePath(path))
    return try explained {
      try FileSystem.status(of: path, followingLinks: true)?.kind == .regular ? try EntryBytes(of: path) : nil
    }
  }
}
