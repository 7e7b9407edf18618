/// The place of something: the containers around it and, for text, the line. `RallyConnector.zip › libRally.a(arm64) ›
/// RCMain.o` is a place with three parts; `npi.yml:12:3` is a place with one part and a position.
package struct Place: Hashable, Sendable, CustomStringConvertible {
  /// The containers and the thing itself, outermost first. A part is for reading: it may have been escaped.
  package var parts: [String]
  package var position: TextPosition?

  package init(_ parts: String..., position: TextPosition? = nil) {
    self.init(parts: parts, position: position)
  }

  package init(parts: [String], position: TextPosition? = nil) {
    self.parts = parts
    self.position = position
  }

  /// The same place, one container further in.
  package func inside(_ part: String) -> Place { Place(parts: parts + [part]) }

  /// The place as text, without the position.
  var path: String { parts.count == 1 ? printable(parts[0]) : parts.map(printable).joined(separator: " › ") }

  package var description: String {
    guard let position else { return path }
    return "\(path):\(position.line):\(position.column)"
  }
}

/// A position in a text file, with the line itself, so that a report need not read the file again.
package struct TextPosition: Hashable, Sendable {
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in characters.
  package var column: Int
  /// The number of characters from `column` on; at least 1.
  package var length: Int
  /// The whole line without its line ending.
  package var text: String

  package init(line: Int, column: Int, length: Int = 1, text: String) {
    self.line = line
    self.column = column
    self.length = max(1, length)
    self.text = text
  }
}
