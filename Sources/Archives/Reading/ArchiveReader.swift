import CArchive
import CLibrary
import SystemPackage

/// Reads zip, tar (compressed in any way), 7z and cpio from front to back, through libarchive.
///
/// ```swift
/// var reader = try ArchiveReader(ArchiveBytes(PositionalFile("plugin.zip")))
/// while let header = try reader.next() {
///   try reader.forEachChunk { chunk in … }   // or nothing: the next `next()` skips the content
/// }
/// ```
///
/// Apple's `__MACOSX/._x` entries are entries like others: libarchive's merging is off. Names are the archive's bytes
/// in every locale (see `ArchiveLocale`). After an error `next()` throws it again, so that a loop over it ends.
@safe package struct ArchiveReader: ~Copyable {
  private let library: libarchive
  private let archive: OpaquePointer
  /// libarchive keeps an unowned pointer to this, so it lives as long as `archive`.
  private let feed: ArchiveFeed
  private let locale: ArchiveLocale
  private var names: ZipNames?
  private var failure: ArchiveError?
  private var isAtEnd = false
  private var current: [UInt8]?

  /// Any number of readers may share one source, each at its own place.
  package init(_ source: ArchiveBytes) throws(ArchiveError) {
    let head: [UInt8]
    do throws(ZipFormatError) { head = try source.read(at: 0, count: min(4, source.size), .localHeader) } catch {
      throw ArchiveError(code: ARCHIVE_FATAL, text: "\(error)", activity: .opening)
    }
    let locale = ArchiveLocale.of(head: head)
    let feed = ArchiveFeed(source)
    // It is opened before `self` holds anything, because a type that is not copyable cannot be left half-made.
    let library = try LibArchive.functions.get()
    unsafe archive = try Self.opened(library, locale, feed)
    self.library = library
    self.feed = feed
    self.locale = locale
    names = ZipNames(source, head: head)
  }

  private static func opened(
    _ library: libarchive, _ locale: ArchiveLocale, _ feed: ArchiveFeed
  ) throws(ArchiveError) -> OpaquePointer {
    guard let archive = unsafe library.archive_read_new() else {
      throw ArchiveError(code: ARCHIVE_FATAL, text: "there is no memory", activity: .opening)
    }
    _ = unsafe library.archive_read_support_filter_all(archive)
    _ = unsafe library.archive_read_support_format_zip(archive)
    _ = unsafe library.archive_read_support_format_tar(archive)
    _ = unsafe library.archive_read_support_format_7zip(archive)
    _ = unsafe library.archive_read_support_format_cpio(archive)
    // A format that does not know an option ignores it.
    _ = unsafe library.archive_read_set_options(archive, "zip:!mac-ext")
    _ = unsafe library.archive_read_set_options(archive, "tar:!mac-ext")
    unsafe ArchiveFeed.set(feed, library, archive)
    let status = locale.during { unsafe library.archive_read_open1(archive) }
    guard status == ARCHIVE_OK else {
      let text = unsafe text(library, archive, feed)
      _ = unsafe library.archive_read_free(archive)
      throw ArchiveError(code: status, text: text, activity: .opening)
    }
    return unsafe archive
  }

  deinit {
    _ = unsafe library.archive_read_free(archive)
    // libarchive may still call the feed until it is freed.
    withExtendedLifetime(feed) {}
  }

  /// The next entry, or nil at the archive's end. Unread content of the entry before is skipped.
  package mutating func next() throws(ArchiveError) -> ArchiveHeader? {
    if let failure { throw failure }
    // libarchive gives an error when it is called again after the end.
    if isAtEnd { return nil }
    current = nil
    var entry: OpaquePointer?
    var status = ARCHIVE_RETRY
    for _ in 0..<3 where status == ARCHIVE_RETRY {
      status = locale.during { unsafe library.archive_read_next_header(archive, &entry) }
    }
    if status == ARCHIVE_EOF {
      isAtEnd = true
      return nil
    }
    // A warning is about names and attributes that could not be converted; the header is valid.
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else { throw fail(status, .listing) }
    let header = unsafe header(of: entry)
    current = header.name
    return header
  }

  /// Passes the entry's content on, piece by piece, in order. The span is valid during the call only.
  ///
  /// Content is never cut short in silence: warnings of libarchive (a wrong checksum, a wrong size) are errors too.
  /// A sparse file of a tar is refused, since a hole's size is a claim that costs nothing to make.
  package mutating func forEachChunk(_ body: (RawSpan) throws -> Void) throws {
    if let failure { throw failure }
    if isAtEnd { return }
    var expected: Int64 = 0
    while true {
      var start: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let status = locale.during { unsafe library.archive_read_data_block(archive, &start, &count, &offset) }
      if status == ARCHIVE_EOF { return }
      guard status == ARCHIVE_OK else { throw fail(status, .reading) }
      guard offset == expected else {
        throw fail(status, .reading, text: "it is a sparse file, which is not supported")
      }
      expected += Int64(count)
      if count > 0 { try body(unsafe UnsafeRawBufferPointer(start: start, count: count).bytes) }
    }
  }

  /// The entry's whole content, which must not be longer than `limit` bytes.
  package mutating func contents(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let name = current
    try forEachChunk { chunk in
      guard chunk.byteCount <= limit - bytes.count else {
        throw ArchiveError(
          code: ARCHIVE_FAILED, text: "it is larger than \(limit) bytes", activity: .reading, entry: name)
      }
      bytes.append(chunk)
    }
    return bytes
  }

  private mutating func fail(_ status: Int32, _ activity: ArchiveError.Activity, text: String? = nil) -> ArchiveError {
    let text = unsafe text ?? Self.text(library, archive, feed)
    let error = ArchiveError(code: status, text: text, activity: activity, entry: current)
    failure = error
    return error
  }

  private static func text(_ library: libarchive, _ archive: OpaquePointer, _ feed: ArchiveFeed) -> String {
    if let failure = feed.failure { return "\(failure)" }
    return unsafe library.archive_error_string(archive).map { unsafe String(cString: $0) }
      ?? "libarchive gives no reason"
  }

  private mutating func header(of entry: OpaquePointer) -> ArchiveHeader {
    let mode = unsafe UInt16(truncatingIfNeeded: library.archive_entry_mode(entry))
    let hardLink = unsafe bytes(library.archive_entry_hardlink(entry))
    let symbolicLink = unsafe bytes(library.archive_entry_symlink(entry))
    var attributes: [[UInt8]] = []
    var left = unsafe library.archive_entry_xattr_reset(entry)
    while left > 0 {
      var name: UnsafePointer<CChar>?
      var value: UnsafeRawPointer?
      var size = 0
      guard unsafe library.archive_entry_xattr_next(entry, &name, &value, &size) == ARCHIVE_OK else { break }
      if let name = unsafe bytes(name) { attributes.append(name) }
      left -= 1
    }
    let name = unsafe bytes(library.archive_entry_pathname(entry))
    return ArchiveHeader(
      name: names?.original(of: name) ?? name ?? [],
      kind: hardLink != nil ? .symbolicLink : FileMode(rawValue: .init(mode)).type,
      isHardLink: hardLink != nil, mode: mode,
      size: unsafe library.archive_entry_size_is_set(entry) != 0 ? Int(library.archive_entry_size(entry)) : nil,
      crc32: nil, linkTarget: hardLink ?? symbolicLink,
      attributes: attributes)
  }

  private func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let text = unsafe text else { return nil }
    // A String would replace bytes that are not UTF-8.
    return unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
