import Findings
import Store

// The stored form of what rules find. Their findings have the usual rank, stand for no others, and have no scope.

extension RecordWriter {
  mutating func add(_ finding: Finding) {
    add(finding.rule.rawValue)
    add(finding.level.rawValue)
    add(finding.message)
    add(finding.sites) { $0.add($1) }
    add(finding.notes) { $0.add($1) }
    add(optional: finding.hint) { $0.add($1) }
    add(optional: finding.edit) { writer, edit in
      writer.add(edit.home.rawValue)
      writer.add(edit.text)
    }
    add(finding.subject.names) { $0.add($1) }
    add(finding.subject.plugins) { $0.add($1) }
    add(optional: finding.subject.places) { writer, places in writer.add(places) { $0.add($1) } }
  }

  private mutating func add(_ place: Place) {
    add(place.parts) { $0.add($1) }
    add(optional: place.position) { writer, position in
      for number in [position.line, position.column, position.length] { writer.add(number) }
      writer.add(position.text)
    }
  }
}

extension Finding {
  init?(from reader: inout RecordReader) {
    guard let rule = reader.text(), RuleID.isPlain(rule), let level = reader.text().flatMap({ Level(rawValue: $0) }),
      let message = reader.text(), let sites = reader.list({ Place(from: &$0) }),
      let notes = reader.list({ $0.text() }), let hint = reader.optional({ $0.text() }),
      let edit = reader.optional({ Edit(from: &$0) }), let names = reader.list({ $0.text() }),
      let plugins = reader.list({ $0.text() }), let places = reader.optional({ $0.list({ $0.text() }) })
    else { return nil }
    self.init(RuleID(rawValue: rule), level, message, about: names, at: sites, notes: notes, hint: hint, edit: edit)
    (subject.plugins, subject.places) = (plugins, places)
  }
}

extension RuleID {
  /// Renderers write the names of rules as they are.
  fileprivate static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }
}

extension Edit {
  fileprivate init?(from reader: inout RecordReader) {
    guard let home = reader.text().flatMap({ Home(rawValue: $0) }), let text = reader.text() else { return nil }
    self.init(home, stored: text)
  }
}

extension Place {
  fileprivate init?(from reader: inout RecordReader) {
    guard let parts = reader.list({ $0.text() }), !parts.isEmpty,
      let position = reader.optional({ TextPosition(from: &$0) })
    else { return nil }
    self.init(parts: parts, position: position)
  }
}

extension TextPosition {
  fileprivate init?(from reader: inout RecordReader) {
    guard let line = reader.number(), let column = reader.number(), line > 0, column > 0,
      let length = reader.number(), let text = reader.text()
    else { return nil }
    self.init(line: line, column: column, length: length, text: text)
  }
}
