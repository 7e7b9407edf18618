import Archives
package import Findings
package import Store

extension Mistake {
  /// That an archive cannot be read, or not to its end.
  init(of archive: Place, _ error: any Error) {
    if let error = error as? ZipFormatError {
      self.init("\(error)", at: archive)
    } else {
      self.init("\(archive): \(error)")
    }
  }

  /// That an entry of an archive cannot be read, and the others can.
  ///
  /// - Throws: `error`, if it is about more than this entry: the disk is full, all of it unpacks to too much.
  init(ofEntry entry: Place, in archive: Place, _ error: any Error) throws {
    switch error {
    case let error as ZipFormatError: self.init("\(error)", at: entry)
    // It names the entry.
    case let error as ArchiveError: self.init(of: archive, error)
    default: throw error
    }
  }
}

extension Mistakes {
  /// A file that cannot be used, as the system says.
  package init(_ error: FileError) { self.init(error.description, hint: error.hint) }

  /// What is done to a file that the user has named.
  package static func wrap<Value>(_ work: @autoclosure () throws(FileError) -> Value) throws(Mistakes) -> Value {
    do throws(FileError) { return try work() } catch { throw Mistakes(error) }
  }
}
