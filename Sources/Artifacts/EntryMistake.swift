import Archives
import Findings

extension Mistake {
  /// That an entry of an archive cannot be read, and the others can.
  ///
  /// - Throws: `error`, if it is about more than this entry: the disk is full, all of it unpacks to too much.
  init(ofEntry entry: Place, in archive: Place, _ error: any Error) throws {
    switch error {
    case let error as ZipFormatError: self.init("\(error)", at: entry)
    // It names the entry.
    case let error as ArchiveError: self.init("\(archive): \(error)")
    default: throw error
    }
  }
}
