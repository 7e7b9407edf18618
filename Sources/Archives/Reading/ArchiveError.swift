/// libarchive's error for an archive that it could not open or read.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libarchive's status (`ARCHIVE_FATAL` and the like) or ours.
  package let code: Int32
  /// libarchive's text, or ours.
  package let text: String
  package let activity: Activity
  /// The name of the entry that was being read, as the archive has it.
  package var entry: [UInt8]?

  package enum Activity: String, Hashable, Sendable {
    case opening = "opened"
    case listing = "listed"
    case reading = "read"
  }

  package var description: String {
    let what = entry.map { "'\(String(decoding: $0, as: UTF8.self))' in the archive" } ?? "the archive"
    return "\(what) cannot be \(activity.rawValue): \(text)"
  }
}
