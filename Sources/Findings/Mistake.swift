/// Something that the user wrote or named and that cannot be used. It ends the command with exit code 2.
package struct Mistake: Hashable, Sendable {
  /// One line, lower case, no full stop.
  package var message: String
  package var place: Place?
  /// Further lines: the other place of a clash, the steps of a cycle.
  package var notes: [String]
  package var hint: String?

  package init(_ message: String, at place: Place? = nil, notes: [String] = [], hint: String? = nil) {
    self.message = message
    self.place = place
    self.notes = notes
    self.hint = hint
  }
}

extension Mistake {
  /// `npi.yml:12:3: there is no …`
  package var line: String { (place.map { "\($0): " } ?? "") + message }
}

/// Mistakes that were found together; never empty.
package struct Mistakes: Error, Sendable {
  package var all: [Mistake]

  package init(_ all: [Mistake]) { self.all = all }

  package init(_ message: String, at place: Place? = nil, notes: [String] = [], hint: String? = nil) {
    self.all = [Mistake(message, at: place, notes: notes, hint: hint)]
  }
}
