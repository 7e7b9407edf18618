package import Findings
package import Store
package import SystemPackage

/// A step's last success.
package struct BuildRecord: Sendable, Equatable {
  package var step: String
  /// The key of the declared inputs, under which the discovered paths are found.
  package var declared: Digest
  package var discovered = Discovered()
  /// `declared` with the contents of the discovered files.
  package var key: Digest
  package var outputs: [Output]
  package var reason = ""
  /// True if the step did not run, and its outputs were restored from the store.
  package var wasRestored = false
  /// The other machine that they were fetched from.
  package var origin: String?
  package var findings: [Finding] = []
  package var coverage = Coverage()
  /// The lines in their encoded form, because most are only compared.
  var text: [UInt8] = []

  /// The lines of the key, for explanations; discovered files are at the end.
  package var lines: [KeyLine] {
    get {
      var reader = RecordReader(text[...])
      return reader.list { reader in
        guard let label = reader.name(), let name = reader.text(), let value = reader.text(),
          let content = reader.optional({ $0.digest() })
        else { return nil }
        return KeyLine(label: label, name: name, value: value, content: content)
      } ?? []
    }
    set {
      var writer = RecordWriter()
      writer.add(newValue) { writer, line in
        writer.add(name: line.label)
        writer.add(line.name)
        writer.add(line.value)
        writer.add(optional: line.content) { $0.add($1) }
      }
      text = writer.bytes
    }
  }

  package struct Output: Sendable, Equatable {
    package let path: FilePath
    package let digest: Digest
  }
}

/// The last refusal of a step's outputs by rules. The step does not run again while its inputs stay the same.
/// It is kept beside the step's last success, whose outputs may still be there.
package struct Refusal: Sendable, Equatable {
  package var step: String
  /// The key of the declared inputs; steps whose outputs are judged discover nothing.
  package var key: Digest
  package var message: String
  package var findings: [Finding]
  package var coverage = Coverage()

  /// The failure to report when the same inputs are refused again.
  var failure: StepFailure {
    var failure = StepFailure(
      message, notes: ["it was not made again: nothing has changed since it was refused"], findings: findings)
    failure.coverage = coverage
    failure.isRefusal = true
    failure.isRemembered = true
    return failure
  }
}

/// The records of all steps in one file, `.npi/log`.
///
/// A line names the format and is followed by its seal and by sealed records (`RecordWriter`) of successes and
/// refusals. A later record of a step replaces an earlier one of its sort. A truncated file holds the records before
/// the cut; one that another user wrote holds none.
package struct BuildLog: Sendable {
  private let path: FilePath
  private let disk: any Disk
  private let seal: Seal
  /// True if the file was written by another user or for another folder.
  package private(set) var isForeign = false
  private var records: [[UInt8]: BuildRecord] = [:]
  private var refusals: [[UInt8]: Refusal] = [:]
  /// True if the file has a broken tail or consists mostly of replaced records, so that the next write rewrites it.
  private var mustRewrite = false

  private static let header = Array("npi-pack build log 10\n".utf8)

  /// A file that is missing, or is not a log, counts as an empty log.
  package init(_ path: FilePath, seal: Seal, disk: any Disk) throws(FileError) {
    self.path = path
    self.disk = disk
    self.seal = seal
    mustRewrite = true
    guard try disk.status(path, followingLinks: false)?.kind == .regular else { return }
    let bytes = try disk.read(path)
    guard bytes.starts(with: BuildLog.header) else { return }
    var reader = RecordReader(bytes[BuildLog.header.count...])
    guard let mark = reader.take(Seal.size), mark.elementsEqual(seal(BuildLog.header)) else {
      isForeign = true
      return
    }
    mustRewrite = false
    // The size of each step's last record, in bytes.
    var sizes: [Sort: [[UInt8]: Int]] = [:]
    while !reader.isAtEnd {
      let before = reader.rest.count
      guard var record = reader.record(under: seal), let sort = record.byte().flatMap(Sort.init),
        let step = record.text(), add(&record, sort, step)
      else {
        mustRewrite = true
        break
      }
      sizes[sort, default: [:]][Array(step.utf8)] = before - reader.rest.count
    }
    let size = sizes.values.reduce(0) { $0 + $1.values.reduce(0, +) }
    if bytes.count > 2 * size + (64 << 10) { mustRewrite = true }
  }

  /// The raw value is written to the file.
  private enum Sort: UInt8 { case success, refusal }

  /// False if the record cannot be read.
  private mutating func add(_ record: inout RecordReader, _ sort: Sort, _ step: String) -> Bool {
    switch sort {
    case .success:
      guard let record = record.success(step) else { return false }
      records[Array(step.utf8)] = record
    case .refusal:
      guard let refusal = record.refusal(step) else { return false }
      refusals[Array(step.utf8)] = refusal
    }
    return true
  }

  package subscript(step: String) -> BuildRecord? { records[Array(step.utf8)] }

  package func refusal(of step: String) -> Refusal? { refusals[Array(step.utf8)] }

  /// The records of all steps that ever ran here, also of those that are no longer declared.
  package var all: [BuildRecord] { records.values.sorted { $0.step < $1.step } }

  package mutating func add(_ record: BuildRecord) throws(FileError) {
    records[Array(record.step.utf8)] = record
    try write(encode(record))
  }

  package mutating func add(_ refusal: Refusal) throws(FileError) {
    refusals[Array(refusal.step.utf8)] = refusal
    try write(encode(refusal))
  }

  /// Appends what was added, or writes the whole log anew.
  private mutating func write(_ bytes: [UInt8]) throws(FileError) {
    guard mustRewrite else { return try disk.append(path, bytes) }
    let successes = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { encode($0.value) }
    let refused = refusals.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { encode($0.value) }
    try disk.write(path, BuildLog.header + seal(BuildLog.header) + successes + refused)
    mustRewrite = false
  }

  private func encode(_ refusal: Refusal) -> [UInt8] {
    encode(.refusal, refusal.step, StepDiagnostics(findings: refusal.findings, coverage: refusal.coverage)) { payload in
      payload.add(refusal.key)
      payload.add(refusal.message)
    }
  }

  private func encode(_ record: BuildRecord) -> [UInt8] {
    encode(.success, record.step, StepDiagnostics(findings: record.findings, coverage: record.coverage)) { payload in
      payload.add(record.declared)
      payload.add(record.key)
      payload.add(record.discovered.paths) { $0.add($1) }
      payload.add(record.outputs) { writer, output in
        writer.add(output.path)
        writer.add(output.digest)
      }
      payload.add(bytes: record.text)
      payload.add(record.reason)
      payload.add(record.wasRestored)
      payload.add(optional: record.origin) { $0.add($1) }
    }
  }

  private func encode(
    _ sort: Sort, _ step: String, _ diagnostics: StepDiagnostics, _ body: (inout RecordWriter) -> Void
  ) -> [UInt8] {
    var payload = RecordWriter()
    payload.add(byte: sort.rawValue)
    payload.add(step)
    body(&payload)
    diagnostics.write(to: &payload)
    var whole = RecordWriter()
    whole.add(payload, under: seal)
    return whole.bytes
  }
}

extension RecordReader {
  /// Reads what `BuildLog.encode` writes after the step's name.
  fileprivate mutating func success(_ step: String) -> BuildRecord? {
    guard let declared = digest(), let key = digest(), let discovered = list({ $0.path() }),
      let outputs = list({ $0.output() }), let lines = bytes(), let reason = text(), let wasRestored = flag(),
      let origin = optional({ $0.text() }), let diagnostics = StepDiagnostics(from: &self)
    else { return nil }
    return BuildRecord(
      step: step, declared: declared, discovered: Discovered(sorted: discovered), key: key, outputs: outputs,
      reason: reason, wasRestored: wasRestored, origin: origin, findings: diagnostics.findings,
      coverage: diagnostics.coverage, text: Array(lines))
  }

  fileprivate mutating func refusal(_ step: String) -> Refusal? {
    guard let key = digest(), let message = text(), let diagnostics = StepDiagnostics(from: &self) else { return nil }
    return Refusal(
      step: step, key: key, message: message, findings: diagnostics.findings, coverage: diagnostics.coverage)
  }

  private mutating func output() -> BuildRecord.Output? {
    guard let path = path(), let digest = digest() else { return nil }
    return BuildRecord.Output(path: path, digest: digest)
  }
}
