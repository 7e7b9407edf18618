package import Findings
package import Store

/// The diagnostics of a step that succeeded, recorded so that they are shown again when its outputs are restored.
package struct StepDiagnostics: Hashable, Sendable {
  package var notes: [String] = []
  package var findings: [Finding] = []
  package var coverage = Coverage()

  package init(notes: [String] = [], findings: [Finding] = [], coverage: Coverage = Coverage()) {
    (self.notes, self.findings, self.coverage) = (notes, findings, coverage)
  }

  package func write(to writer: inout RecordWriter) {
    writer.add(notes) { $0.add($1) }
    writer.add(findings) { $0.add($1) }
    writer.add(coverage.parts) { $0.add($1) }
  }
}

extension StepDiagnostics {
  package init?(from reader: inout RecordReader) {
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
