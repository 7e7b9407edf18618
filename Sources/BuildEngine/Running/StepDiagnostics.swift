package import Findings
import Store

/// The diagnostics of a step that succeeded, recorded so that they are shown again when its outputs are restored.
package struct StepDiagnostics: Hashable, Sendable {
  package var notes: [String] = []
  package var findings: [Finding] = []
  package var coverage = Coverage()

  func write(to writer: inout RecordWriter) {
    writer.add(notes) { $0.add($1) }
    writer.add(findings) { writer, finding in
      writer.add(finding.rule.rawValue)
      writer.add(finding.level.rawValue)
      writer.add(finding.message)
      writer.add(finding.sites) { $0.add($1) }
      writer.add(finding.notes) { $0.add($1) }
      writer.add(optional: finding.hint) { $0.add($1) }
      writer.add(finding.subject)
    }
    writer.add(coverage.parts) { $0.add($1) }
  }
}

extension StepDiagnostics {
  init?(from reader: inout RecordReader) {
    guard let notes = reader.list({ $0.text() }), let findings = reader.list({ Finding(from: &$0) }),
      let parts = reader.list({ Coverage.Part(from: &$0) })
    else { return nil }
    self.init(notes: notes, findings: findings, coverage: Coverage(parts))
  }
}

extension RecordWriter {
  fileprivate mutating func add(_ part: Coverage.Part) {
    add(part.owner)
    add(part.name.one)
    add(part.name.many)
    add(part.reasons.sorted { $0.key < $1.key }) { writer, answer in
      writer.add(answer.key)
      writer.add(optional: answer.value) { $0.add($1) }
    }
  }

  fileprivate mutating func add(_ subject: FindingSubject) {
    add(subject.names) { $0.add($1) }
    add(subject.plugins) { $0.add($1) }
    add(optional: subject.places) { writer, places in writer.add(places) { $0.add($1) } }
  }

  fileprivate mutating func add(_ place: Place) {
    add(place.parts) { $0.add($1) }
    add(optional: place.position) { writer, position in
      for number in [position.line, position.column, position.length] { writer.add(number) }
      writer.add(position.text)
    }
  }
}

extension Coverage.Part {
  fileprivate init?(from reader: inout RecordReader) {
    guard let owner = reader.text(), let one = reader.text(), let many = reader.text(),
      let answers = reader.list({ reader in
        reader.text().flatMap { name in reader.optional { $0.text() }.map { (name, $0) } }
      })
    else { return nil }
    self.init(name: (one, many), owner: owner, reasons: Dictionary(answers) { $1 })
  }
}

extension Finding {
  fileprivate init?(from reader: inout RecordReader) {
    guard let rule = reader.text(), let level = reader.text().flatMap({ Level(rawValue: $0) }),
      let message = reader.text(), let sites = reader.list({ Place(from: &$0) }),
      let notes = reader.list({ $0.text() }), let hint = reader.optional({ $0.text() }),
      let subject = FindingSubject(from: &reader)
    else { return nil }
    self.init(RuleID(rawValue: rule), level, message, at: sites, notes: notes, hint: hint)
    self.subject = subject
  }
}

extension FindingSubject {
  fileprivate init?(from reader: inout RecordReader) {
    guard let names = reader.list({ $0.text() }), let plugins = reader.list({ $0.text() }),
      let places = reader.optional({ $0.list({ $0.text() }) })
    else { return nil }
    self.init(names: names)
    (self.plugins, self.places) = (plugins, places)
  }
}

extension Place {
  fileprivate init?(from reader: inout RecordReader) {
    guard let parts = reader.list({ $0.text() }), let position = reader.optional({ TextPosition(from: &$0) }) else {
      return nil
    }
    self.init(parts: parts, position: position)
  }
}

extension TextPosition {
  fileprivate init?(from reader: inout RecordReader) {
    guard let line = reader.number(), let column = reader.number(), let length = reader.number(),
      let text = reader.text()
    else { return nil }
    self.init(line: line, column: column, length: length, text: text)
  }
}
