package import CArchive
import SystemPackage

/// libarchive's functions. The library is opened with the first archive (see `libarchive_open`).
package enum LibArchive {
  private nonisolated(unsafe) static var linked: libarchive?

  /// For a static program, which can open no library. To be called before it reads an archive.
  package static func use(_ functions: libarchive) { unsafe linked = functions }

  static let functions: Result<libarchive, ArchiveError> = {
    if let linked = unsafe linked { return .success(linked) }
    var reason: UnsafePointer<CChar>?
    guard let functions = unsafe libarchive_open(&reason) else {
      let text = unsafe reason.map { unsafe String(cString: $0) } ?? "no reason is given"
      return .failure(
        ArchiveError(code: ARCHIVE_FATAL, text: "libarchive cannot be loaded: \(text)", activity: .opening))
    }
    return unsafe .success(functions.pointee)
  }()
}

/// The bytes of an archive as libarchive requests them: from a position on, which it may move.
///
/// libarchive could read a file by its descriptor, but then two readers of one file would share one position in it.
@safe final class ArchiveFeed {
  private let source: ArchiveBytes
  private var position = 0
  /// Holds the bytes that libarchive reads until its next call.
  private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 << 10)
  /// Set if reading failed before the end.
  private(set) var failure: Errno?

  init(_ source: ArchiveBytes) { self.source = source }

  deinit { unsafe room.deallocate() }

  /// - Parameter feed: must live as long as the archive.
  static func set(_ feed: ArchiveFeed, _ library: libarchive, _ archive: OpaquePointer) {
    _ = unsafe library.archive_read_set_callback_data(archive, Unmanaged.passUnretained(feed).toOpaque())
    _ = unsafe library.archive_read_set_read_callback(archive) { _, feed, start in
      unsafe ArchiveFeed.of(feed)?.read(start) ?? -1
    }
    _ = unsafe library.archive_read_set_skip_callback(archive) { _, feed, count in
      unsafe ArchiveFeed.of(feed)?.skip(Int(count)) ?? 0
    }
    _ = unsafe library.archive_read_set_seek_callback(archive) { _, feed, offset, origin in
      unsafe ArchiveFeed.of(feed)?.seek(Int(offset), from: origin) ?? Int64(ARCHIVE_FATAL)
    }
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> ArchiveFeed? {
    unsafe pointer.map { unsafe Unmanaged<ArchiveFeed>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The number of bytes read, 0 at the end.
  private func read(_ start: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    let count = min(unsafe room.count, source.size - position)
    do throws(ZipFormatError) {
      let bytes = try source.read(at: position, count: count, .content)
      _ = unsafe room.update(fromContentsOf: bytes)
    } catch {
      // A file that was truncated meanwhile ends at its new end.
      guard case .unreadable(let error) = error.reason else { return 0 }
      failure = error
      return -1
    }
    unsafe start?.pointee = unsafe UnsafeRawPointer(room.baseAddress)
    position += count
    return count
  }

  private func skip(_ count: Int) -> Int64 {
    let count = max(0, min(count, source.size - position))
    position += count
    return Int64(count)
  }

  /// The new position from the start.
  private func seek(_ offset: Int, from origin: CInt) -> Int64 {
    let start = origin == SEEK_END ? source.size : origin == SEEK_CUR ? position : 0
    let (target, isTooLarge) = start.addingReportingOverflow(offset)
    guard !isTooLarge, target >= 0 else { return Int64(ARCHIVE_FATAL) }
    position = min(target, source.size)
    return Int64(position)
  }
}
