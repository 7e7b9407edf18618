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
  /// The file's name in the folder of the record.
  package var path: String
  package var size: Int
  package var sha256: String
  package var entries: [Entry]
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
    let members: [(key: String, value: JSONValue)] = [
      ("name", .string(name)), ("kind", .string(kind)), ("path", .string(path)), ("size", .int(size)),
      ("sha256", .string(sha256)), ("entries", .array(entries)),
    ]
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

  /// The mistake if a file differs from the record in its size or, with `readsAll`, in its content. Nil also if there
  /// is no such file.
  package static func mistake(
    in file: FilePath, of deliverable: DeliverableRecord, readsAll: Bool
  ) throws(FileError) -> Mistake? {
    guard let size = try FileSystem.status(of: file, followingLinks: true)?.size else { return nil }
    if size == deliverable.size {
      if !readsAll { return nil }
      if try FileSystem.digest(of: file).hex == deliverable.sha256 { return nil }
    }
    return Mistake(
      "\(file) is not the file that its release record lists: its content is another",
      hint: "build or copy it again, or name the file itself")
  }
}
