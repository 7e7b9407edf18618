package import Findings
package import ObjectFiles

/// The bytes of a file, which callers may only borrow.
package protocol LinkBytes: Sendable {
  func withReader<R, E: Error>(_ body: (borrowing ByteReader) throws(E) -> R) throws(E) -> R
  /// The libraries of a text stub; nil if the bytes are something else.
  func textStubs(at place: Place) throws(Mistakes) -> [TextStub]?
}

extension LinkBytes {
  package func textStubs(at place: Place) throws(Mistakes) -> [TextStub]? { nil }
}

/// Finds the files of a link line. Paths are as the line spells them.
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
