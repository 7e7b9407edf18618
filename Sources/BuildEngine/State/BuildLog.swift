package import Findings
package import Store
package import SystemPackage

/// What is remembered of a step's last success.
package struct BuildRecord: Sendable, Equatable {
  package var step: String
  /// The key of what was declared; what was discovered is found by it.
  package var declared: Digest
  package var discovered = Discovered()
  /// The key of all of it: `declared` with the content of what was discovered.
  package var key: Digest
  package var outputs: [(path: FilePath, digest: Digest)]
  /// Why it ran, in words.
  package var reason = ""
  /// It did not run then: its outputs were brought back from the store.
  package var wasRestored = false
  /// What it had to say of what it made.
  package var findings: [Finding] = []
  /// The lines, joined: most records are only compared, and need not be taken apart for that.
  var text: [UInt8] = []

  /// The lines of the key, for explanations; what was discovered is at the end.
  package var lines: [String] {
    get {
      text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }
    set { text = Array(newValue.joined(separator: "\n").utf8) }
  }

  package static func == (a: BuildRecord, b: BuildRecord) -> Bool {
    Array(a.step.utf8) == Array(b.step.utf8) && a.declared == b.declared && a.discovered == b.discovered
      && a.key == b.key && a.text == b.text && Array(a.reason.utf8) == Array(b.reason.utf8)
      && a.wasRestored == b.wasRestored && a.findings == b.findings
      && a.outputs.elementsEqual(b.outputs) { $0.path == $1.path && $0.digest == $1.digest }
  }
}

/// The records of all steps in one file, `.npi/log`.
///
/// A line that names the format and its seal, then sealed records (`RecordWriter`). A later record of a step replaces an earlier
/// one. A file that was cut off anywhere holds the records before the cut; one that somebody else wrote holds none.
package struct BuildLog: Sendable {
  private let path: FilePath
  private let disk: any Disk
  private let seal: Seal
  /// The file is there, and is not this user's, or not this folder's.
  package private(set) var isForeign = false
  private var records: [[UInt8]: BuildRecord] = [:]
  /// The file has a broken tail, or is mostly records that were replaced: the next write makes it anew.
  private var mustRewrite = false

  private static let header = Array("npi-pack build log 5\n".utf8)

  /// A file that is not there, or is something else, is an empty log: everything is built again.
  package init(_ path: FilePath, seal: Seal, disk: any Disk) throws(FileError) {
    self.path = path
    self.disk = disk
    self.seal = seal
    mustRewrite = true
    guard try disk.status(path, followingLinks: false)?.kind == .file else { return }
    let bytes = try disk.read(path)
    guard bytes.starts(with: BuildLog.header) else { return }
    var reader = RecordReader(bytes[BuildLog.header.count...])
    guard let mark = reader.take(Seal.size), mark.elementsEqual(seal(BuildLog.header)) else {
      isForeign = true
      return
    }
    mustRewrite = false
    // How long each step's last record is, in bytes.
    var sizes: [[UInt8]: Int] = [:]
    while !reader.isAtEnd {
      let before = reader.rest.count
      guard let record = reader.step(seal) else {
        mustRewrite = true
        break
      }
      records[Array(record.step.utf8)] = record
      sizes[Array(record.step.utf8)] = before - reader.rest.count
    }
    if bytes.count > 2 * sizes.values.reduce(0, +) + (64 << 10) { mustRewrite = true }
  }

  package subscript(step: String) -> BuildRecord? { records[Array(step.utf8)] }

  /// Of all steps that were ever run here, also of those that are no longer declared.
  package var all: [BuildRecord] { records.values.sorted { $0.step < $1.step } }

  package mutating func add(_ record: BuildRecord) throws(FileError) {
    records[Array(record.step.utf8)] = record
    guard mustRewrite else { return try disk.append(path, encode(record)) }
    let sorted = records.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    try disk.write(path, BuildLog.header + seal(BuildLog.header) + sorted.flatMap { encode($0.value) })
    mustRewrite = false
  }

  private func encode(_ record: BuildRecord) -> [UInt8] {
    var payload = RecordWriter()
    payload.add(record.step)
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
    StepDiagnostics(findings: record.findings).write(to: &payload)
    var whole = RecordWriter()
    whole.add(payload, under: seal)
    return whole.bytes
  }
}

extension RecordReader {
  /// What `BuildLog.encode` wrote.
  fileprivate mutating func step(_ seal: Seal) -> BuildRecord? {
    guard var reader = record(under: seal), let step = reader.text(), let declared = reader.digest(),
      let key = reader.digest(),
      let discovered = reader.list({ $0.path() }), let outputs = reader.list({ $0.output() }),
      let text = reader.bytes(), let reason = reader.text(), let wasRestored = reader.flag(),
      let diagnostics = StepDiagnostics(from: &reader)
    else { return nil }
    return BuildRecord(
      step: step, declared: declared, discovered: Discovered(sorted: discovered), key: key, outputs: outputs,
      reason: reason, wasRestored: wasRestored, findings: diagnostics.findings, text: Array(text))
  }

  private mutating func output() -> (path: FilePath, digest: Digest)? {
    guard let path = path(), let digest = digest() else { return nil }
    return (path, digest)
  }
}
