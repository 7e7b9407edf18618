import Artifacts
import Findings
import Foundation
import Store
import SystemPackage

/// The names of plugins, from the store where a plugin is as it was: nothing is read then but what the system says of the
/// file. A container is known by its content, too, wherever it lies; what is not packed is read as fast as it is digested.
///
/// Many are kept in one record, and a small record says for each in which, and where: a file for each would take longer to
/// make than most plugins to read.
struct PluginFacts: Sendable {
  private let store: ContentStore?

  /// Changes whenever `NameFacts` does.
  private static let version = "names of plugins 2, npi-pack \(Tool.version)"
  /// A file that was written to just now may be written to again without another time: in nanoseconds.
  private static let settling: Int64 = 2_000_000_000
  /// Of a record, in bytes: from here on another one is begun.
  private static let fullRecord = 4 << 20

  init(_ store: ContentStore?) { self.store = store }

  /// The facts of each, in order, and what could not be read.
  func read(_ paths: [FilePath]) async -> (facts: [NameFacts], mistakes: [Mistake]) {
    let plugins = paths.map(Plugin.init)
    var facts = await kept(plugins)
    let missing = plugins.indices.filter { facts[$0] == nil }
    var mistakes: [Mistake] = []
    var record = Record()
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    try? await inOrder(
      missing.count, atOnce: ProcessInfo.processInfo.activeProcessorCount,
      { read(plugins[missing[$0]], temporary) },
      { found in
        facts[missing[record.taken]] = found.facts
        record.taken += 1
        mistakes += found.mistakes
        // What has mistakes is read again, so that they are said again.
        if !found.keys.isEmpty, found.mistakes.isEmpty { record.add(found.facts.bytes, found.keys) }
        if record.bytes.count >= PluginFacts.fullRecord { keep(&record) }
      })
    keep(&record)
    // Being forgotten is no reason to fail.
    try? store?.flush()
    return (facts.compactMap(\.self), mistakes)
  }

  // MARK: Keys

  private struct Plugin {
    let path: FilePath
    /// Nil of a folder, or of what is not there.
    let key: Digest?
    let isSettled: Bool

    init(_ path: FilePath) {
      self.path = path
      guard let status = try? FileSystem.status(of: path, followingLinks: true), status.kind == .file else {
        key = nil
        isSettled = false
        return
      }
      let numbers = "\(status.device) \(status.inode) \(status.size) \(status.modified) \(status.changed)"
      key = Digest(of: "\(PluginFacts.version)\n\(numbers)")
      let now = Int64(Date().timeIntervalSince1970 * 1e9)
      isSettled = now - max(status.modified, status.changed) > PluginFacts.settling
    }
  }

  private static func key(ofContent digest: Digest) -> Digest { Digest(of: "\(version)\n\(digest.hex)") }

  // MARK: Records

  /// Facts of several plugins, one behind the other.
  private struct Record {
    var bytes: [UInt8] = []
    var parts: [(range: Range<Int>, keys: [Digest])] = []
    var taken = 0

    mutating func add(_ facts: [UInt8], _ keys: [Digest]) {
      parts.append((bytes.count..<(bytes.count + facts.count), keys))
      bytes += facts
    }
  }

  /// Where facts are: the record's key, then offset and length in 8 bytes each.
  private struct Location {
    var record: Digest
    var range: Range<Int>

    init(record: Digest, range: Range<Int>) {
      self.record = record
      self.range = range
    }

    init?(_ bytes: [UInt8]) {
      guard bytes.count == Digest.byteCount + 16, let record = Digest(bytes: bytes.prefix(Digest.byteCount)) else {
        return nil
      }
      func number(_ start: Int) -> Int? {
        Int(exactly: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) })
      }
      guard let offset = number(Digest.byteCount), let count = number(Digest.byteCount + 8),
        case (let end, false) = offset.addingReportingOverflow(count)
      else { return nil }
      self.init(record: record, range: offset..<end)
    }

    var bytes: [UInt8] {
      record.bytes
        + [range.lowerBound, range.count].flatMap { number in
          (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }
  }

  private func location(_ key: Digest?) -> Location? {
    key.flatMap { store?.smallResult(of: $0) }.flatMap { Location($0) }
  }

  /// What the store has, each record read once.
  private func kept(_ plugins: [Plugin]) async -> [NameFacts?] {
    var facts = [NameFacts?](repeating: nil, count: plugins.count)
    guard let store else { return facts }
    var wanted: [Digest: [(plugin: Int, range: Range<Int>)]] = [:]
    for (index, plugin) in plugins.enumerated() {
      if let place = location(plugin.key) { wanted[place.record, default: []].append((index, place.range)) }
    }
    let records = Array(wanted)
    try? await inOrder(
      records.count, atOnce: ProcessInfo.processInfo.activeProcessorCount,
      { index -> [(Int, NameFacts?)] in
        guard let bytes = store.result(of: records[index].key) else { return [] }
        return records[index].value.map { ($0.plugin, NameFacts(bytes, at: $0.range)) }
      }, { for (index, found) in $0 { facts[index] = found } })
    return facts
  }

  private func keep(_ record: inout Record) {
    defer { record = Record(taken: record.taken) }
    guard let store, !record.parts.isEmpty else { return }
    let key = Digest(of: Array("\(PluginFacts.version)\n".utf8) + record.parts[0].keys[0].bytes)
    do throws(FileError) {
      try store.keep(result: record.bytes, of: key)
      for part in record.parts {
        for name in part.keys { try store.keep(small: Location(record: key, range: part.range).bytes, of: name) }
      }
    } catch {
      // Being forgotten is no reason to fail.
    }
  }

  // MARK: Reading

  /// `keys`: under which the facts are to be kept.
  private func read(
    _ plugin: Plugin, _ temporary: FilePath
  ) -> (facts: NameFacts, mistakes: [Mistake], keys: [Digest]) {
    var keys: [Digest] = []
    if let key = plugin.key, store != nil {
      if plugin.isSettled { keys.append(key) }
      if Artifact.isContainer(plugin.path), let digest = try? FileSystem.digest(of: plugin.path) {
        let content = PluginFacts.key(ofContent: digest)
        if let place = location(content), let bytes = store?.result(of: place.record),
          let facts = NameFacts(bytes, at: place.range)
        {
          return (facts, [], keys)
        }
        keys.append(content)
      }
    }
    let artifact = Artifact(plugin.path, temporary: temporary)
    let facts = NameFacts(artifact)
    return (facts, artifact.mistakes + facts.mistakes, keys)
  }
}
