package import SystemPackage

/// A failure of the file system: what was being done, to what, why, and what the user can do about it.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  package var path: FilePath
  /// What was being done, after "cannot": `read`, `write`, `list`.
  package var doing: String
  /// The system's own words, or ours: lower case, no full stop.
  package var reason: String
  /// The system's error number, if the system refused.
  package var code: Errno?
  package var hint: String?

  package init(_ path: FilePath, doing: String, reason: String, hint: String? = nil) {
    self.path = path
    self.doing = doing
    self.reason = reason
    self.hint = hint
  }

  package init(_ path: FilePath, doing: String, code: Errno) {
    self.path = path
    self.doing = doing
    self.code = code
    let text = code.description
    self.reason = text.prefix(1).lowercased() + text.dropFirst()
    self.hint = FileError.hint(for: code)
  }

  /// The error for a pipe, socket or device where a file is expected.
  package static func noFile(_ path: FilePath, doing: String = "read") -> FileError {
    FileError(path, doing: doing, reason: "it is a pipe, a socket or a device, and no file")
  }

  /// Runs a body that the system may refuse. `doing` is as above.
  static func wrap<R>(
    _ path: FilePath, doing: @autoclosure () -> String, _ body: @autoclosure () throws(Errno) -> R
  ) throws(FileError) -> R {
    do throws(Errno) { return try body() } catch {
      Lookups.failed(at: path, error)
      throw FileError(path, doing: doing(), code: error)
    }
  }

  /// The same; nil if the system refuses for one of these reasons.
  @discardableResult
  static func wrap<R>(
    _ path: FilePath, doing: @autoclosure () -> String, unless expected: @autoclosure () -> [Errno],
    _ body: @autoclosure () throws(Errno) -> R
  ) throws(FileError) -> R? {
    do throws(Errno) { return try body() } catch {
      if expected().contains(error) { return nil }
      Lookups.failed(at: path, error)
      throw FileError(path, doing: doing(), code: error)
    }
  }

  private static func hint(for code: Errno) -> String? {
    switch code {
    case .noSpace, .diskQuotaExceeded: "make room on the disk and run again"
    case .fileTooLarge: "raise the limit of a file's size (ulimit -f) and run again"
    case .permissionDenied, .notPermitted: "check who may read and write it and the folders above it"
    case .readOnlyFileSystem: "the disk is read-only: work on a copy of the tree"
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "raise the limit of open files (ulimit -n) or lower -j"
    case .tooManySymbolicLinkLevels: "look for a symbolic link that points to itself"
    case .fileNameTooLong: "use a shorter name"
    default: nil
    }
  }

  package var description: String { "cannot \(doing) \(path): \(reason)" }
}

extension [Errno] {
  /// Errors that mean that nothing is at a path.
  static var nothingThere: [Errno] { [.noSuchFileOrDirectory, .notDirectory] }
}
