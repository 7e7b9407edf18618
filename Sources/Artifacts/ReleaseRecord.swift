package import Findings
package import Store
package import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The contents of one deliverable. The engine writes it beside its state, and the release record gathers all of them.
package struct DeliverableRecord: Codable, Sendable {
  package var name: String
  package var kind: String
  /// The name of the file or folder in the folder of the record.
  package var path: String
  /// In bytes; of a folder, that of all its files.
  package var size: Int
  /// For a folder, it is the digest of the lines that `sha256sum` prints for its files. The lines have the paths in the
  /// folder and are sorted by them.
  package var sha256: String
  package var entries: [Entry]
  /// The targets of its code; nil if there is none.
  package var slices: [Slice]?
  /// Nil for kinds that carry no code, and in the release record.
  package var hasCode: Bool?

  package init(name: String, kind: String, path: String, size: Int, sha256: String, entries: [Entry]) {
    self.name = name
    self.kind = kind
    self.path = path
    self.size = size
    self.sha256 = sha256
    self.entries = entries
  }

  package struct Entry: Codable, Sendable {
    package var path: String
    package var size: Int
    /// Octal, as `0644`; a link's begins with `012`.
    package var mode: String
    package var sha256: String

    package init(path: String, size: Int, mode: String, sha256: String) {
      self.path = path
      self.size = size
      self.mode = mode
      self.sha256 = sha256
    }
  }

  package struct Slice: Codable, Sendable, Hashable {
    /// `ios-arm64-simulator`, `android-arm64-v8a`
    package var name: String
    /// The minimum version of one of Apple's systems.
    package var minimumOS: String?
  }

  /// Whether it gives other deliverables to a package manager, and is no part of an app itself.
  package var isForManagers: Bool { ArtifactKind.deliverables.contains { $0.name == kind && $0.isForManagers } }

  /// The record of a folder.
  package init(folder: String, name: String, kind: String, files: [Entry]) {
    let files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    self.init(
      name: name, kind: kind, path: folder, size: files.reduce(0) { $0 + $1.size },
      sha256: Digest(of: files.map { "\($0.sha256)  \($0.path)\n" }.joined()).hex, entries: files)
  }

  package static func read(_ bytes: [UInt8]) throws -> DeliverableRecord {
    try JSONDecoder().decode(DeliverableRecord.self, from: Data(bytes))
  }

  package var json: JSONValue {
    let entries: [JSONValue] = entries.map { entry in
      [
        "path": .string(entry.path), "size": .int(entry.size), "mode": .string(entry.mode),
        "sha256": .string(entry.sha256),
      ]
    }
    var members: [(key: String, value: JSONValue)] = [
      ("name", .string(name)), ("kind", .string(kind)), ("path", .string(path)), ("size", .int(size)),
      ("sha256", .string(sha256)), ("entries", .array(entries)),
    ]
    if let slices {
      let values = slices.map { slice -> JSONValue in
        .object(
          [(key: "name", value: .string(slice.name))]
            + (slice.minimumOS.map { [(key: "minimumOS", value: .string($0))] } ?? []))
      }
      members.append(("slices", .array(values)))
    }
    return .object(members + (hasCode.map { [(key: "hasCode", value: .bool($0))] } ?? []))
  }
}

/// `NAME-VERSION.release.json`: the parts of a build's release record that readers need.
package struct ReleaseRecord: Codable, Sendable {
  package var version: Int
  package var plugin: Plugin
  package var deliverables: [DeliverableRecord]

  package struct Plugin: Codable, Sendable {
    package var name: String
    package var version: String
    /// The recipes that the manifest extends, as it names them.
    package var extends: [String]
  }

  /// The file beside it with the checksums of all files of a release, as `sha256sum -c` reads them.
  package static let checksumsName = "SHA256SUMS"

  /// Room for hundreds of thousands of entries.
  private static let maxBytes = 64 << 20

  package static func read(_ path: FilePath) throws(Mistakes) -> ReleaseRecord {
    let bytes = try explained { try FileSystem.read(path, limit: maxBytes) }
    if let record = try? JSONDecoder().decode(ReleaseRecord.self, from: Data(bytes)) {
      guard record.version == 1 else {
        throw Mistakes(
          "\(path) is a release record of version \(record.version), which this npi-pack does not know",
          hint: "take the npi-pack that wrote it")
      }
      return record
    }
    throw Mistakes("\(path) is not a release record", hint: "npi-pack writes one beside the deliverables")
  }

  /// The mistake if a file or folder differs from the record in its size or, with `readsAll`, in its content. Nil also
  /// if there is no such file.
  package static func mistake(
    in file: FilePath, of deliverable: DeliverableRecord, readsAll: Bool
  ) throws(FileError) -> Mistake? {
    guard let status = try FileSystem.status(of: file, followingLinks: true) else { return nil }
    if status.kind == .directory {
      guard let path = try difference(in: file, of: deliverable, readsAll) else { return nil }
      return Mistake(
        "\(file) is not the folder that its release record lists: \(path) is another",
        hint: "build or copy it again")
    }
    if status.size == deliverable.size {
      if !readsAll { return nil }
      if try FileSystem.digest(of: file).hex == deliverable.sha256 { return nil }
    }
    return Mistake(
      "\(file) is not the file that its release record lists: its content is another",
      hint: "build or copy it again, or name the file itself")
  }

  /// The path of the first file that is not as it is recorded, is missing, or is not recorded.
  private static func difference(
    in folder: FilePath, of deliverable: DeliverableRecord, _ readsAll: Bool
  ) throws(FileError) -> String? {
    var files: [FilePath] = []
    var open = [FilePath()]
    while let next = open.popLast() {
      let path = next.isEmpty ? folder : folder.pushing(next)
      if try FileSystem.status(of: path)?.kind == .directory {
        open += try FileSystem.list(path).map { next.appending($0) }
      } else {
        files.append(next)
      }
    }
    var left = deliverable.entries[...]
    for file in sortedByBytes(files) {
      let path = folder.pushing(file)
      guard let entry = left.popFirst(), entry.path == file.string, let status = try FileSystem.status(of: path),
        status.kind == .regular, status.size == entry.size
      else { return file.string }
      if readsAll, try FileSystem.digest(of: path).hex != entry.sha256 { return entry.path }
    }
    return left.first?.path
  }
}
