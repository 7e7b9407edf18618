/// An error in a file's bytes. Every parser of this module throws this and nothing else.
///
/// It has no file name: the caller that opened the file puts its place in front (`X.zip › libA.a(arm64) › a.o: load
/// command 3: size 0 is too small at offset 120`).
package struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the field begins, in bytes from the start of the outermost file that was given to `ByteReader`.
  package var offset: Int
  /// The field, in the format's own words: `load command 3`, `size of slice arm64`.
  package var field: String
  package var reason: Reason

  package enum Reason: Hashable, Sendable {
    /// The field needs more bytes than there are. Both in bytes, counted from `offset`.
    case truncated(needed: Int, available: Int)
    /// The field points outside of what holds it.
    case outOfBounds
    /// The field's value is impossible; the text completes "FIELD: …", e.g. `size 0 is too small`.
    case invalid(String)
    /// The value may be right, but this module does not read it. The text is as for `invalid`.
    case unsupported(String)
  }

  package init(offset: Int, field: String, reason: Reason) {
    self.offset = offset
    self.field = field
    self.reason = reason
  }

  package static func outOfBounds(_ field: String, at offset: Int) -> FormatError {
    FormatError(offset: offset, field: field, reason: .outOfBounds)
  }

  package static func truncated(_ field: String, at offset: Int, needed: Int, available: Int) -> FormatError {
    FormatError(offset: offset, field: field, reason: .truncated(needed: needed, available: available))
  }

  package static func invalid(_ field: String, at offset: Int, _ text: String) -> FormatError {
    FormatError(offset: offset, field: field, reason: .invalid(text))
  }

  package static func unsupported(_ field: String, at offset: Int, _ text: String) -> FormatError {
    FormatError(offset: offset, field: field, reason: .unsupported(text))
  }

  package var description: String {
    let text =
      switch reason {
      case .truncated(let needed, let available):
        "the file ends too early (\(needed) bytes needed, \(available) left)"
      case .outOfBounds: "points outside of the file or of the part that holds it"
      case .invalid(let text), .unsupported(let text): text
      }
    return "\(field): \(text) at offset \(offset)"
  }
}
