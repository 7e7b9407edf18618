import Store
import SystemPackage

/// The store as a run uses it: when a step's inputs return to an earlier state, its outputs are restored.
///
/// A result is kept under the step's whole key. If a step discovers inputs, that key is known only after it has run, so
/// a name derived from the declared key leads to lists of discovered paths, the latest first.
struct ActionCache: Sendable {
  let store: any OutputStore
  let resolver: InputResolver
  let state: StateFolder

  struct Found {
    let discovered: Discovered
    let key: ActionKey
    let result: StoredResult
    let digests: [Digest]
    /// The other machine that had or made the result.
    let origin: StoredRecord.Origin?
  }

  /// The result for the current inputs, if the store has all of it.
  ///
  /// - Parameters:
  ///   - isUsable: tells whether paths may be read now.
  ///   - made: a result that was made just now, for a step that discovers nothing.
  ///   - advance: is told how many bytes have been fetched from another machine, and of how many.
  func find(
    _ step: Step, _ declared: ActionKey, made: StoredRecord? = nil, isUsable: (Discovered) -> Bool,
    advance: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws -> Found? {
    let candidates = step.action.discovers ? try await candidates(under: declared.digest) : [Discovered()]
    for discovered in candidates where isUsable(discovered) {
      // A file that cannot be read now has changed.
      guard let inputs = try? resolver.resolve(discovered, of: step) else { continue }
      let key = declared.adding(inputs)
      let kept = made == nil ? try await store.lookUp(key.digest, isHint: false) : made
      guard let record = kept,
        let result = StoredResult(record.bytes, outputs: step.outputs),
        try await store.obtainBlobs(result.blobs, of: record, advance: advance)
      else { continue }
      return Found(
        discovered: discovered, key: key, result: result, digests: result.outputs.map(InputResolver.digest),
        origin: record.origin)
    }
    return nil
  }

  /// Restores all outputs; false if some are still old or missing and the step must run. `name` is unique in the run.
  func restore(_ found: Found, of step: Step, name: String) async throws -> Bool {
    defer { resolver.view.forget(step.outputs) }
    for (index, output) in step.outputs.enumerated() {
      // Usually only some of a step's outputs differ.
      if (try? resolver.outputDigest(output)) == found.digests[index] { continue }
      guard try await restore(found.result, index, to: output, name: "\(name)-\(index)") else { return false }
    }
    resolver.view.forget(step.outputs)
    for entry in found.result.outputs.joined() {
      if let digest = entry.digest, entry.linkTarget == nil { resolver.view.learn(digest, of: entry.path) }
    }
    // A link among the outputs may lead elsewhere than before.
    return try zip(step.outputs, found.digests).allSatisfy { try resolver.outputDigest($0) == $1 }
  }

  private func restore(
    _ result: StoredResult, _ index: Int, to output: FilePath, name: String
  ) async throws -> Bool {
    let entries = result.outputs[index]
    let disk = resolver.view.disk
    let place = resolver.view.absolute(output)
    try disk.makeFolders(place.removingLastComponent())
    let isFile = entries[0].kind == .regular && entries[0].linkTarget == nil
    // A file replaces another one atomically.
    if isFile, try disk.status(place, followingLinks: false)?.kind != .directory {
      return try await restore(entries, result, at: place)
    }
    let new = state.aside.appending(name)
    try disk.makeFolders(state.aside)
    guard try await restore(entries, result, at: new) else {
      try disk.remove(new)
      return false
    }
    return try put(new, in: place, name: name)
  }

  /// False if the output is on another disk.
  private func put(_ new: FilePath, in place: FilePath, name: String) throws(FileError) -> Bool {
    let disk = resolver.view.disk
    let old = try AsideOutputs([place], in: state.aside, name: "\(name)-old", disk: disk)
    do {
      try disk.rename(new, to: place)
    } catch {
      try? old.putBack()
      if error.code == .improperLink { return false }
      throw error
    }
    try old.drop()
    return true
  }

  private func restore(
    _ entries: [ResolvedInput], _ result: StoredResult, at place: FilePath
  ) async throws -> Bool {
    var files: [RestoredFile] = []
    var links: [(path: FilePath, target: FilePath)] = []
    for entry in entries {
      var path = entry.path
      guard path.removePrefix(entry.match) else { return false }
      path = path.isEmpty ? place : place.pushing(path)
      if let target = entry.linkTarget {
        links.append((path, target))
      } else if entry.kind == .directory {
        try resolver.view.disk.makeFolders(path)
      } else if let digest = entry.digest {
        files.append(
          RestoredFile(
            digest: digest, size: entry.size, path: path, mode: result.modes[entry.path] ?? 0o644,
            content: result.contents[digest]))
      }
    }
    guard try await store.restore(many: files, below: resolver.view.root).isEmpty else { return false }
    for link in links { try resolver.view.disk.makeLink(link.path, to: link.target) }
    return true
  }

  /// Keeps the outputs of a step. A failure to keep them does not fail the step.
  ///
  /// - Parameter isShared: whether other machines may have them, too.
  func keep(
    _ outputs: [[ResolvedInput]], _ diagnostics: StepDiagnostics, of step: Step, _ record: BuildRecord, isShared: Bool
  ) async {
    guard var result = StoredResult(outputs: outputs, diagnostics: diagnostics) else { return }
    let files = outputs.joined().filter { $0.linkTarget == nil && $0.kind == .regular }
    do {
      for file in files { result.modes[file.path] = try resolver.view.disk.mode(resolver.view.absolute(file.path)) }
      var room = ActionCache.maxContentsSize
      for file in files.sorted(by: { $0.size < $1.size }) {
        if Task.isCancelled { return }
        guard let digest = file.digest else { continue }
        let place = resolver.view.absolute(file.path)
        room -= file.size
        guard room >= 0 else {
          try store.keep(file: place, digest: digest)
          continue
        }
        let bytes = try resolver.view.disk.read(place)
        // A file that was changed since is not what the step made.
        guard Digest(of: bytes) == digest else { return }
        result.contents[digest] = bytes
      }
      try store.keep(result.bytes, of: record.key)
      let hint = step.action.discovers ? try await keep(record.discovered, under: record.declared) : nil
      guard isShared else { return }
      await store.share(result.bytes, of: record.key, blobs: result.blobs)
      if let hint { await store.share(hint, of: name(record.declared), blobs: [:]) }
    } catch {
      // The step runs again the next time.
    }
  }

  /// In bytes. Up to this size, the smallest contents lie in the result itself: separate files would take longer than many
  /// steps, and from another machine each costs a request.
  private static let maxContentsSize: Int64 = 16 << 10

  /// Gives a result that a worker has made to other machines.
  func share(_ made: Found) async {
    await store.share(made.result.bytes, of: made.key.digest, blobs: made.result.blobs)
  }

  // MARK: Discovered paths

  private static let limit = 8

  private func name(_ declared: Digest) -> Digest {
    var encoder = HashEncoder()
    encoder.add("discovered-by", declared)
    return encoder.finish()
  }

  private func candidates(under declared: Digest) async throws -> [Discovered] {
    let record = try await store.lookUp(name(declared), isHint: true)
    var reader = RecordReader((record?.bytes ?? [])[...])
    let all = reader.list { $0.list { $0.path() }.map { Discovered($0) } } ?? []
    if record?.origin == nil { return all }
    // Another machine's list could name a folder, all of which would be digested: compilers read files.
    return all.prefix(ActionCache.limit).filter { discovered in
      discovered.paths.allSatisfy { (try? resolver.view.status($0))??.kind != .directory }
    }
  }

  /// Returns the list as it is kept now.
  private func keep(_ discovered: Discovered, under declared: Digest) async throws -> [UInt8] {
    let known = try await candidates(under: declared)
    let all = [discovered] + known.filter { $0 != discovered }.prefix(ActionCache.limit - 1)
    var writer = RecordWriter()
    writer.add(all) { $0.add($1.paths) { $0.add($1) } }
    if known.first != discovered { try store.keep(writer.bytes, of: name(declared)) }
    return writer.bytes
  }
}
