import Store
package import SystemPackage

/// A step's outputs and diagnostics, kept in a store under the step's key.
package struct StoredResult: Equatable {
  /// For each output, the file, or the folder and everything below it; sorted by bytes.
  var outputs: [[ResolvedInput]]
  var diagnostics: StepDiagnostics
  var modes: [FilePath: UInt16] = [:]
  /// The contents of small files, which lie in the record itself and need no blobs.
  var contents: [Digest: [UInt8]] = [:]

  private static let header = Array("npi-pack result 6\n".utf8)

  /// Nil if an output holds something other than files, folders and links, which cannot be kept.
  init?(outputs: [[ResolvedInput]], diagnostics: StepDiagnostics) {
    let canBeKept = outputs.allSatisfy { entries in
      entries.allSatisfy { $0.linkTarget != nil || $0.kind == .directory || ($0.kind == .regular && $0.digest != nil) }
    }
    guard canBeKept else { return nil }
    self.outputs = outputs
    self.diagnostics = diagnostics
  }

  /// The contents that the record does not hold itself, with their sizes.
  var blobs: [Digest: Int64] {
    var blobs: [Digest: Int64] = [:]
    for entry in outputs.joined() where entry.linkTarget == nil {
      if let digest = entry.digest, contents[digest] == nil { blobs[digest] = entry.size }
    }
    return blobs
  }

  package var bytes: [UInt8] {
    var writer = RecordWriter()
    writer.add(outputs) { writer, entries in
      writer.add(entries) { writer, entry in
        writer.add(entry.path)
        writer.add(byte: entry.kind.recordByte)
        writer.add(entry.executable)
        writer.add(Int(modes[entry.path] ?? (entry.executable ? 0o755 : 0o644)))
        writer.add(wide: entry.size)
        writer.add(optional: entry.digest) { $0.add($1) }
        writer.add(optional: entry.linkTarget) { $0.add($1) }
      }
    }
    diagnostics.write(to: &writer)
    writer.add(contents.sorted { $0.key < $1.key }.map(\.value)) { $0.add(bytes: $1) }
    return StoredResult.header + writer.bytes
  }

  /// Nil if the bytes are no result, or would write anywhere but to these outputs, because a store is not trusted.
  package init?(_ bytes: [UInt8], outputs paths: [FilePath]) {
    guard bytes.starts(with: StoredResult.header) else { return nil }
    var reader = RecordReader(bytes[StoredResult.header.count...])
    var modes: [FilePath: UInt16] = [:]
    guard let outputs = reader.list({ StoredResult.entries(from: &$0, &modes) }),
      let diagnostics = StepDiagnostics(from: &reader),
      let contents = reader.list({ $0.bytes() }), outputs.count == paths.count,
      zip(outputs, paths).allSatisfy({ StoredResult.isTree($0, at: $1) })
    else { return nil }
    self.init(outputs: outputs, diagnostics: diagnostics)
    self.modes = modes
    for content in contents { self.contents[Digest(of: Array(content))] = Array(content) }
  }

  private static func entries(
    from reader: inout RecordReader, _ modes: inout [FilePath: UInt16]
  ) -> [ResolvedInput]? {
    var output: FilePath?
    return reader.list { reader in
      guard let path = reader.path(), let kind = reader.byte().flatMap({ FileType(recordByte: $0) }),
        let executable = reader.flag(), let mode = reader.number(), let size = reader.signed(), size >= 0,
        let digest = reader.optional({ $0.digest() }), let linkTarget = reader.optional({ $0.path() })
      else { return nil }
      // Only permission bits are restored, whatever a record says.
      modes[path] = UInt16(truncatingIfNeeded: mode) & 0o777
      output = output ?? path
      return ResolvedInput(
        path: path, match: output ?? path, kind: kind, digest: digest, executable: executable, linkTarget: linkTarget,
        size: size)
    }
  }

  /// Whether the output itself comes first, and every other entry lies in a folder that precedes it.
  private static func isTree(_ entries: [ResolvedInput], at output: FilePath) -> Bool {
    guard let first = entries.first, first.path == output else { return false }
    var folders: Set<FilePath> = []
    for (index, entry) in entries.enumerated() {
      // The last name must not be `..`.
      let isPlain = entry.path.lastComponent?.kind == .regular
      guard index == 0 || (folders.contains(entry.path.removingLastComponent()) && isPlain) else { return false }
      if entry.kind == .directory, entry.linkTarget == nil { folders.insert(entry.path) }
    }
    return true
  }
}
