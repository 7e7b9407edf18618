package import SystemPackage

/// The reason why a zip could not be written.
package enum ZipError: Error, Hashable, Sendable, CustomStringConvertible {
  case duplicate(EntryPath)
  /// Different bytes, but the same name on a file system that ignores case or normalizes names.
  case twins(EntryPath, EntryPath)
  /// The first is a file or a symbolic link, and the second lies inside it.
  case fileIsParent(EntryPath, of: EntryPath)
  /// Empty, or with a zero byte.
  case badLinkTarget(EntryPath)
  /// A file or reader gave other content than announced, or was changed while it was being read.
  case changed(EntryPath)
  case unreadable(EntryPath, FilePath, Errno)
  case unwritable(Errno)
  case compressor(EntryPath, DeflateError)

  init(unwritable error: any Error) { self = .unwritable((error as? Errno) ?? .ioError) }

  package var description: String {
    switch self {
    case .duplicate(let path): "'\(path)' would be in the archive twice"
    case .twins(let first, let second):
      {
        "\($0.0) and \($0.1) differ only in case or in Unicode spelling: rename one, a Mac takes them for the same file"
      }(
        first.toldApart(from: second))
    case .fileIsParent(let file, let child): "'\(child)' is inside '\(file)', which is not a folder"
    case .badLinkTarget(let path): "the symbolic link '\(path)' has an empty target or one with a zero byte"
    case .changed(let path): "'\(path)' changed while it was being packed: run again when nothing writes to it"
    case .unreadable(let path, let file, let error): "'\(path)' cannot be packed: \(file) cannot be read (\(error))"
    case .unwritable(let error): "the archive cannot be written (\(error))"
    case .compressor(let path, let error): "'\(path)' cannot be packed: \(error)"
    }
  }
}
