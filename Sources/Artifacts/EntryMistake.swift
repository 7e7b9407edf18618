import Archives
package import Findings
package import Store
package import SystemPackage

extension Mistake {
  /// Says that an archive cannot be read, or not to its end.
  init(of archive: Place, _ error: any Error) {
    if let error = error as? ZipFormatError {
      self.init("\(error)", at: archive)
    } else {
      self.init("\(archive): \(error)")
    }
  }

  /// Says that an entry of an archive cannot be read, while the others can.
  ///
  /// - Throws: `error`, if it is about more than this entry: the disk is full, all of it unpacks to too much.
  init(ofEntry entry: Place, in archive: Place, _ error: any Error) throws {
    switch error {
    case let error as ZipFormatError: self.init("\(error)", at: entry)
    // This error names the entry itself.
    case let error as ArchiveError: self.init(of: archive, error)
    default: throw error
    }
  }
}

extension Mistakes {
  package init(_ error: FileError) { self.init(error.description, hint: error.hint) }

  /// The error as mistakes; `path` names the file for an error that does not.
  package init(from error: any Error, about path: FilePath? = nil) {
    switch error {
    case let error as Mistakes: self = error
    case let error as FileError: self.init(error)
    default: self.init((path.map { "\($0): " } ?? "") + "\(error)")
    }
  }
}

package func explained<T>(_ work: () throws -> T) throws(Mistakes) -> T {
  do { return try work() } catch { throw Mistakes(from: error) }
}
