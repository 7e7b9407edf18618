import Archives
import Artifacts
import Findings
import Store
import SystemPackage

/// Finds where two files, folders or zips begin to differ.
enum FirstDifference {
  /// `X.zip › a/b: byte 12 is 0x00 and 0x01`; nil if they are equal. `name` is what both are called.
  static func between(_ one: FilePath, _ other: FilePath, _ name: String) throws -> String? {
    let kinds = try [one, other].map { try FileSystem.status(of: $0)?.kind }
    guard kinds[0] == kinds[1], let kind = kinds[0] else {
      return "\(name) is \(noun(kinds[0])) and \(noun(kinds[1]))"
    }
    switch kind {
    case .directory:
      let names = try [one, other].map { try FileSystem.list($0) }
      for inner in sortedByBytes(Set((names[0] + names[1]).map { FilePath($0) })) {
        let found = try between(one.pushing(inner), other.pushing(inner), "\(name)/\(inner)")
        if let found { return found }
      }
      return nil
    case .symbolicLink:
      let targets = try [one, other].map { try FileSystem.linkTarget($0) }
      return targets[0] == targets[1] ? nil : "\(name) leads to \(targets[0]) and to \(targets[1])"
    case .regular:
      if try FileSystem.digest(of: one) == FileSystem.digest(of: other) { return nil }
      return try inZips(one, other, name) ?? inBytes(try bytes(one), try bytes(other), name)
    default: return nil
    }
  }

  private static func noun(_ kind: FileType?) -> String {
    switch kind {
    case nil: "missing"
    case .directory?: "a folder"
    case .symbolicLink?: "a link"
    default: "a file"
    }
  }

  private static func bytes(_ path: FilePath) throws -> [UInt8] { try FileSystem.read(path, limit: 4 << 30) }

  private static func inBytes(_ one: [UInt8], _ other: [UInt8], _ name: String) -> String? {
    guard let index = zip(one, other).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return one.count == other.count ? nil : "\(name) has \(one.count) and \(other.count) bytes"
    }
    func hex(_ byte: UInt8) -> String { "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return "\(name): byte \(index) is \(hex(one[index])) and \(hex(other[index]))"
  }

  /// The first entry that differs; nil if one is no zip, or if they differ elsewhere only.
  private static func inZips(_ one: FilePath, _ other: FilePath, _ name: String) throws -> String? {
    let (one, other) = (try OpenedArtifact(one), try OpenedArtifact(other))
    guard let first = one.directory, let second = other.directory else { return nil }
    for (index, record) in first.records.enumerated() {
      let entry = "\(name) › \(String(decoding: record.name, as: UTF8.self))"
      guard index < second.records.count, second.records[index].name == record.name else {
        return "\(entry) is not in both, or elsewhere"
      }
      let pair = second.records[index]
      if record.crc32 == pair.crc32, record.uncompressedSize == pair.uncompressedSize { continue }
      let limit = 4 << 30
      let contents = (try first.contents(of: record, limit: limit), try second.contents(of: pair, limit: limit))
      if let found = inBytes(contents.0, contents.1, entry) { return found }
    }
    guard second.records.count > first.records.count else { return nil }
    return
      "\(name) › \(String(decoding: second.records[first.records.count].name, as: UTF8.self)) is only in the second"
  }
}
