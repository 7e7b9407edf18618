import Archives
import Artifacts
package import Findings
import Store
package import SystemPackage

/// Compares a copy of a release with its record: files, checksums, entries and slices.
package struct ReleaseVerification {
  package private(set) var count = 0
  /// One line for each file that is another, is missing, or does not belong to the release.
  package private(set) var differences: [String] = []
  package let record: FilePath

  package init(_ folder: FilePath) throws(Mistakes) {
    let names = try explained { try FileSystem.list(folder) }
    let records = names.filter { $0.string.hasSuffix(".release.json") }
    guard let name = records.first, records.count == 1 else {
      throw Mistakes(
        "\(folder) has \(records.isEmpty ? "no release record" : "\(records.count) release records")",
        hint: "npi-pack release writes one, NAME-VERSION.release.json, beside the deliverables")
    }
    record = folder.appending(name)
    let release = try ReleaseRecord.read(record)
    do {
      for deliverable in release.deliverables { try compare(deliverable, in: folder) }
      try compareChecksums(ReleaseSet(release, from: folder, recordName: name.string), in: folder)
      let known = Set(release.deliverables.map(\.path) + [name.string, ReleaseRecord.checksumsName, ".gitignore"])
      for name in names where !known.contains(name.string) {
        differences.append("\(name) is not in the record")
      }
    } catch {
      throw Mistakes(from: error)
    }
  }

  /// Only the list of checksums has that of the record.
  private mutating func compareChecksums(_ set: ReleaseSet, in folder: FilePath) throws {
    let (name, file) = (ReleaseRecord.checksumsName, folder.appending(ReleaseRecord.checksumsName))
    guard try FileSystem.status(of: file, followingLinks: true)?.kind == .regular else {
      return differences.append("\(name) is missing")
    }
    let wanted = Array(set.checksums(ofRecord: try FileSystem.digest(of: record).hex).utf8)
    if try FileSystem.read(file, limit: wanted.count + 1) != wanted {
      differences.append("\(name) has another content")
    }
  }

  private mutating func compare(_ deliverable: DeliverableRecord, in folder: FilePath) throws {
    let path = folder.appending(deliverable.path)
    guard let status = try FileSystem.status(of: path, followingLinks: true) else {
      return differences.append("\(deliverable.path) is missing")
    }
    if status.kind == .directory {
      count += deliverable.entries.count
      if let mistake = try ReleaseRecord.mistake(in: path, of: deliverable, readsAll: true) {
        differences.append(mistake.message)
      }
      return
    }
    count += 1
    if try FileSystem.digest(of: path).hex == deliverable.sha256 { return }
    let found = try entries(of: path, deliverable)
    differences += found.isEmpty ? ["\(deliverable.path) has another content"] : found
  }

  /// The entries of a zip that are not as recorded.
  private func entries(of path: FilePath, _ deliverable: DeliverableRecord) throws -> [String] {
    guard !deliverable.entries.isEmpty, let directory = try OpenedArtifact(path).directory else { return [] }
    var left: [String: DeliverableRecord.Entry] = [:]
    for entry in deliverable.entries { left[entry.path] = entry }
    var lines: [String] = []
    for record in directory.records {
      var name = String(decoding: record.name, as: UTF8.self)
      if name.hasSuffix("/") { name.removeLast() }
      let place = "\(deliverable.path) › \(name)"
      guard let entry = left.removeValue(forKey: name) else {
        lines.append("\(place) is not in the record")
        continue
      }
      var builder = DigestBuilder()
      try directory.forEachChunk(of: record) { builder.update($0) }
      if builder.finish().hex != entry.sha256 { lines.append("\(place) has another content") }
    }
    return lines + left.keys.sorted().map { "\(deliverable.path) › \($0) is missing" }
  }
}
