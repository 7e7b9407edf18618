import CArchive
import CLibrary

/// libarchive converts names into the charset of the calling thread's locale, and fails, or returns less than the whole
/// name, in the plain C locale. So each call is made in a locale of our choice, for this thread and this call only:
/// `setlocale` would change the whole process and its other threads.
///
/// - zip and 7z mark names as UTF-8 (or UTF-16), which needs a UTF-8 locale. There libarchive normalizes names (NFC;
///   NFD on macOS), and `ZipNames` restores the archive's own bytes.
/// - pax names of a tar are UTF-8 too, but in the C locale libarchive returns the bytes unchanged, with a warning.
@safe struct ArchiveLocale: Sendable {
  private nonisolated(unsafe) let handle: locale_t?

  private static let plain = ArchiveLocale(["C"])
  private static let utf8 = ArchiveLocale(["C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8"])

  /// The names are tried in this order. The handle lives as long as the process.
  private init(_ names: [String]) {
    for name in names {
      if let handle = unsafe newlocale(LC_CTYPE_MASK, name, nil) {
        unsafe self.handle = handle
        return
      }
    }
    unsafe handle = nil
  }

  static func of(head: [UInt8]) -> ArchiveLocale {
    head.starts(with: "PK".utf8) || head.starts(with: "7z".utf8) ? utf8 : plain
  }

  func during<Result>(_ body: () -> Result) -> Result {
    guard let handle = unsafe handle else { return body() }
    let previous = unsafe uselocale(handle)
    defer { _ = unsafe uselocale(previous) }
    return body()
  }
}

/// The names of a zip in the spelling of its directory, for a reader that gets them normalized.
struct ZipNames {
  /// Sorted as libarchive reads them: by the local headers' offsets.
  private let names: [[UInt8]]
  private var index = 0

  /// Nil if libarchive's names are used: for other archives, ASCII names only, or without a readable directory.
  init?(_ source: ArchiveBytes, head: [UInt8]) {
    guard head.starts(with: "PK".utf8), let directory = try? source.directory() else { return nil }
    guard directory.records.contains(where: { $0.name.contains { $0 >= 0x80 } }) else { return nil }
    names = directory.records.sorted { $0.headerOffset < $1.headerOffset }.map(\.name)
  }

  /// The name that was normalized to `name`, or could not be converted at all (nil).
  mutating func original(of name: [UInt8]?) -> [UInt8]? {
    guard let name else {
      // An entry without a convertible name is the next one: libarchive keeps to the order.
      guard index < names.count else { return nil }
      defer { index += 1 }
      return names[index]
    }
    let text = String(decoding: name, as: UTF8.self)
    // Equality of strings is canonical equivalence, which normalization preserves.
    // The name is near, because libarchive drops an entry only if another is at the same offset.
    guard
      let found = names[index...].prefix(64).firstIndex(where: {
        $0 == name || String(decoding: $0, as: UTF8.self) == text
      })
    else { return nil }
    index = found + 1
    return names[found]
  }
}
