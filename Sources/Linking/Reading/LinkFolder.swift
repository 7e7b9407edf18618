package import Artifacts
package import Findings
package import ObjectFiles

/// Bytes of a file, lent to whoever reads them.
package protocol LinkBytes: Sendable {
  func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R
}

extension CodeFile: LinkBytes {}
extension EntryBytes: LinkBytes {}

/// Where the files of a link line are found. Paths are as the line spells them.
package protocol LinkFolder: Sendable {
  /// Nil if there is no such file.
  func bytes(at path: String) throws(Mistakes) -> (any LinkBytes)?
}

/// A file, or a member of a static library.
package struct LinkPlace: Hashable, Sendable, CustomStringConvertible {
  package var file: String
  package var member: String?

  package init(file: String, member: String? = nil) {
    self.file = file
    self.member = member
  }

  /// As linkers print it: `libA.a(a.o)`.
  package var description: String { member.map { "\(file)(\($0))" } ?? file }
}

/// The file system.
extension InputFolder: LinkFolder {
  package func bytes(at path: String) throws(Mistakes) -> (any LinkBytes)? {
    let found: EntryBytes? = try bytes(at: path)
    return found
  }
}
