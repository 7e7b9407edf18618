import Artifacts
import BuildEngine
import Store
import SystemPackage

/// All that a command printed which only reads. It is kept in the user's store with everything that the command looked
/// up (`Lookups`), and given again without any work as long as nothing of that has changed.
///
/// A record has the status, what was printed in its order, the digest of the variables that were read and their names,
/// and the paths (`Observation`). Its key is the digest of the arguments, the folder and the terminal.
package struct StoredAnswer: Sendable {
  package struct Part: Sendable {
    package let isError: Bool
    package let bytes: [UInt8]

    package init(isError: Bool, _ bytes: [UInt8]) { (self.isError, self.bytes) = (isError, bytes) }
  }

  package let status: Int32
  /// The parts follow each other as they were printed.
  package let parts: [Part]

  package init(status: Int32, _ parts: [Part]) { (self.status, self.parts) = (status, parts) }

  /// The answer to a command with these arguments, which are all those of the process; nil if it must run.
  package static func find(_ arguments: [String]) -> StoredAnswer? {
    guard let question = question(arguments), let folder = try? RealDisk("."),
      let bytes = UserStore.prepared.store?.result(of: question)
    else { return nil }
    var reader = RecordReader(bytes[...])
    guard let status = reader.number(), let parts = reader.list(part), let variables = reader.digest(),
      let names = reader.list({ $0.text() }), variables == digest(names.map { ($0, HostProcess.variable($0)) })
    else { return nil }
    while !reader.isAtEnd {
      guard (try? Observation.isSame(&reader, of: bytes, folder)) ?? false else { return nil }
    }
    return StoredAnswer(status: Int32(truncatingIfNeeded: status), parts)
  }

  private static func part(_ reader: inout RecordReader) -> Part? {
    guard let isError = reader.flag(), let bytes = reader.bytes() else { return nil }
    return Part(isError: isError, Array(bytes))
  }

  /// Values are not kept, because one may be a secret.
  private static func digest(_ variables: [(name: String, value: [UInt8]?)]) -> Digest {
    var encoder = HashEncoder()
    for (name, value) in variables {
      encoder.add("variable", name)
      if let value { encoder.add("value", .bytes(value)) }
    }
    return encoder.finish()
  }

  /// A report for a terminal is as wide as that.
  private static func question(_ arguments: [String]) -> Digest? {
    let columns = HostProcess.columns(1) ?? 0
    let terminals = [1, 2].map { HostProcess.isTerminal($0) ? 1 : 0 }
    return Project.question(["answer \(terminals) \(columns)"] + arguments.dropFirst())
  }

  /// The record of a run that may become an answer.
  package struct Recording: Sendable {
    private let arguments: [String]
    private let began = HostProcess.now

    package init(_ arguments: [String]) {
      self.arguments = arguments
      let store = UserFolders.store()
      Lookups.begin { path in store.map { ContentStore.isOwn(path, in: $0) } ?? false }
    }

    /// Ends the record. The answer is kept unless it depends on more than files and variables, or on a file that was
    /// just written. Failing to keep it is no error.
    package func end(_ answer: StoredAnswer?) {
      for part in [Tool.executable] + Compressor.libraries {
        _ = try? FileSystem.status(of: part, followingLinks: true)
      }
      guard let lookups = Lookups.end(), let answer, let question = StoredAnswer.question(arguments),
        let folder = try? RealDisk("."), let store = UserStore.prepared.store
      else { return }
      var writer = RecordWriter()
      writer.add(Int(answer.status))
      writer.add(answer.parts) { writer, part in
        writer.add(part.isError)
        writer.add(bytes: part.bytes)
      }
      let variables = lookups.variables.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
      writer.add(StoredAnswer.digest(variables))
      writer.add(variables) { $0.add($1.name) }
      // There may be several disks, whose clocks cannot all be asked. So the machine's clock counts, with a margin.
      for observation in lookups.observations {
        let isSettled = try? observation.write(to: &writer, since: began - FileStamp.coarsestTick, folder)
        guard isSettled ?? false else { return }
      }
      try? store.keep(result: writer.bytes, of: question)
    }
  }
}

extension Lookups.Record {
  fileprivate var observations: [Observation] {
    var all = paths.map { Observation(path: $0.key, what: Observation.What($0.value)) }
    all += targets.map { Observation(path: $0.key, followsLinks: true, what: Observation.What($0.value)) }
    all += lists.map { Observation(path: $0.key, what: .names($0.value)) }
    all += attributes.map { Observation(path: $0.key, what: .attributes($0.value)) }
    all += realPaths.map { Observation(path: $0.key, followsLinks: true, what: .realPath($0.value)) }
    return Observation.inOrder(all)
  }
}

extension Observation.What {
  fileprivate init(_ found: Lookups.Found) {
    switch found {
    case .absent: self = .absent
    case .stamp(let stamp): self = .stamp(stamp)
    }
  }
}
