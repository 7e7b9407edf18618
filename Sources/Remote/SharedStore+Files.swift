package import Store
package import SystemPackage

/// A question about a file, whose answer is a record.
package struct FileQuestion: Sendable {
  /// The key of the record.
  package let key: Digest
  package let path: FilePath
  package let content: ActionResult.Blob
  /// The first argument of the program for workers.
  package let verb: String
  /// The bytes of a file that it gets before the file itself; nil if there is none.
  package let order: [UInt8]?

  package init(
    key: Digest, path: FilePath, content: Digest, size: Int64, verb: String, order: [UInt8]? = nil
  ) {
    (self.key, self.path, self.verb, self.order) = (key, path, verb, order)
    self.content = ActionResult.Blob(digest: content, size: size)
  }

  /// The file keeps its name, which decides what it is taken for.
  fileprivate func work(_ worker: WorkerProgram) -> RemoteWork {
    let path = path
    let place = "file/\(path.lastComponent?.string ?? "file")"
    var work = RemoteWork(
      words: ["./\(WorkerProgram.name)", verb] + (order == nil ? [] : ["order"]) + [place], folder: "")
    work.entries[WorkerProgram.name] = worker.entry
    work.entries[place] = .file(content, isExecutable: false) { LeavingBlob(path) }
    if let order { work.add("order", order) }
    work.variables = [("TMPDIR", ".")]
    return work
  }
}

extension SharedStore {
  /// Asks the cache for the records of files. What it lacks, workers make of the files that their server has: to send
  /// a file takes as long as to read it here.
  ///
  /// - Parameters:
  ///   - size: the limit of a record, in bytes.
  ///   - advance: is called after each record.
  ///   - take: returns whether the record is an answer at all.
  package func answer(
    _ questions: [FileQuestion], atMost size: Int64 = maxRecordSize, by worker: WorkerProgram?,
    advance: () -> Void = {}, _ take: @escaping @Sendable (FileQuestion, [UInt8]) -> Bool
  ) async throws {
    let left = try await unanswered(questions, advance) { question in
      try await self.hasRecord(of: question.key, atMost: size) { take(question, $0) }
    }
    guard let worker, !left.isEmpty else { return }
    let known = try await known(left.map(\.content))
    _ = try await unanswered(left.filter { known.contains($0.content.digest) }, advance) { question in
      let made = try await self.run(question.work(worker), for: question.key)
      return (try? made.get()).map { take(question, $0.bytes) } ?? false
    }
  }

  private func unanswered(
    _ questions: [FileQuestion], _ advance: () -> Void,
    _ isAnswered: @escaping @Sendable (FileQuestion) async throws -> Bool
  ) async throws -> [FileQuestion] {
    var left: [FileQuestion] = []
    _ = try await someAtOnce(questions, atOnce: SharedStore.maxAtOnce) { question in
      try await isAnswered(question) ? nil : question
    } _: { (question: FileQuestion?) in
      if let question { left.append(question) } else { advance() }
      return true
    }
    return left
  }

  /// Gives records without blobs that were made just now, and are kept.
  package func share(_ keys: [Digest], _ record: @escaping @Sendable (Digest) -> [UInt8]?) async throws {
    guard gives else { return }
    _ = try await someAtOnce(keys, atOnce: SharedStore.maxAtOnce) { key in
      if let record = record(key) { await self.share(record, of: key, blobs: [:]) }
    } _: { _ in
      true
    }
  }
}
