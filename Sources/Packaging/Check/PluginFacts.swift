import Artifacts
import Collisions
import Findings
import Foundation
import ObjectFiles
import Store
import SystemPackage

/// The names of plugins, from the store where a plugin is as it was: nothing is read then but what the system says of the
/// file. A container is known by its content, too, wherever it lies; what is not packed is read as fast as it is digested.
///
/// Many are kept in one record, and a small record says for each in which, and where: a file for each would take longer to
/// make than most plugins to read.
struct PluginFacts: Sendable {
  let store: ContentStore?
  private let plugins: [Plugin]
  /// In the order of the plugins.
  private(set) var facts: [NameFacts] = []
  private(set) var mistakes: [Mistake] = []

  /// What was kept of these plugins, and what is to be kept.
  private let known: PluginRoster?
  private var roster: PluginRoster

  /// Another build may take other names from a plugin.
  private static let version = "names of plugins \(Digest(of: Tool.build).hex)"
  /// A file that was written to just now may be written to again without another time: in nanoseconds.
  private static let settling: Int64 = 2_000_000_000
  /// Of a record, in bytes: from here on another one is begun.
  private static let fullRecord = 4 << 20

  init(_ named: CheckPlugins, _ store: ContentStore?) async {
    self.store = store
    let paths = named.paths
    let names = paths.map(\.string).joined(separator: "\n")
    let key = Digest(of: "\(PluginFacts.version)\n\(FileManager.default.currentDirectoryPath)\n\(names)")
    rosterKey = key
    known = store?.result(of: key).flatMap { PluginRoster($0, count: paths.count) }
    roster = PluginRoster(items: Array(repeating: nil, count: paths.count))
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    plugins = zip(paths, named.statuses).map { Plugin(path: $0, status: $1, now) }
    await read()
  }

  private let rosterKey: Digest

  // MARK: Keys

  private struct Plugin {
    let path: FilePath
    /// Nil of a folder, or of what is not there.
    let status: FileStatus?
    let isSettled: Bool

    init(path: FilePath, status: FileStatus?, _ now: Int64) {
      self.path = path
      self.status = status.flatMap { $0.kind == .file ? $0 : nil }
      isSettled = self.status.map { PluginFacts.isSettled($0, now) } ?? false
    }

    /// What its facts are kept under.
    var key: Digest? { status.map { Digest(of: "\(PluginFacts.version)\n\(PluginFacts.numbers($0))") } }
  }

  /// What tells a file from what it was, and from others.
  static func numbers(_ status: FileStatus) -> String {
    "\(status.device) \(status.inode) \(status.size) \(status.modified) \(status.changed)"
  }

  static func isSettled(_ status: FileStatus, _ now: Int64) -> Bool {
    now - max(status.modified, status.changed) > settling
  }

  /// Of a plugin that stays as it is as long as it has this key; nil if that cannot be told.
  func key(of plugin: Int) -> Digest? { roster.items[plugin].flatMap { _ in plugins[plugin].key } }

  private static func key(ofContent digest: Digest) -> Digest { Digest(of: "\(version)\n\(digest.hex)") }

  // MARK: Shared names

  /// Which plugins share names.
  mutating func shared(for slice: Slice) async -> SharedNames {
    let name = slice.description
    let changed = plugins.indices.filter { index in
      guard let status = roster.items[index]?.status else { return true }
      return known?.items[index]?.status != status
    }
    let shared = await SharedNames.find(facts, for: slice, known: known?.shared[name], changed: changed)
    roster.shared[name] = shared
    return shared
  }

  /// For the next check of the same plugins.
  func keep() {
    guard let store, plugins.count > 1 else { return }
    // What was kept goes on to hold for all that has not changed; what may change yet is looked at again anyway.
    if known != nil, plugins.contains(where: { $0.status != nil && !$0.isSettled }) { return }
    if let known, known.shared == roster.shared, known.sound == roster.sound,
      known.items.map(\.?.status) == roster.items.map(\.?.status)
    {
      return
    }
    // Being forgotten is no reason to fail.
    try? store.keep(result: roster.bytes, of: rosterKey)
  }

  // MARK: Facts

  private struct Fresh {
    var facts: NameFacts
    var mistakes: [Mistake] = []
    /// Under which the facts are to be kept.
    var keys: [Digest] = []
    /// Where they are already.
    var location: FactsLocation?
  }

  private mutating func read() async {
    var found = await kept()
    let missing = plugins.indices.filter { found[$0] == nil }
    var taken = 0
    var waiting: [(plugin: Int, fresh: Fresh)] = []
    var size = 0
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    try? await inOrder(
      missing.count,
      { [self] in read(plugins[missing[$0]], temporary) },
      { fresh in
        let plugin = missing[taken]
        taken += 1
        found[plugin] = fresh.facts
        mistakes += fresh.mistakes
        if let location = fresh.location { note(location, plugin) }
        // What has mistakes is read again, so that they are said again.
        guard !fresh.keys.isEmpty, fresh.mistakes.isEmpty else { return }
        waiting.append((plugin, fresh))
        size += fresh.facts.range.count
        guard size >= PluginFacts.fullRecord else { return }
        keep(waiting, size)
        (waiting, size) = ([], 0)
      })
    keep(waiting, size)
    // Being forgotten is no reason to fail.
    try? store?.flush()
    facts = found.compactMap(\.self)
  }

  private mutating func note(_ location: FactsLocation, _ plugin: Int) {
    guard let status = plugins[plugin].status, plugins[plugin].isSettled else { return }
    roster.items[plugin] = PluginRoster.Item(status: PluginRoster.Status(status), location: location)
  }

  /// What the store has, each record opened once.
  private mutating func kept() async -> [NameFacts?] {
    var facts = [NameFacts?](repeating: nil, count: plugins.count)
    guard let store else { return facts }
    var wanted: [Digest: [KeptPart]] = [:]
    for (index, plugin) in plugins.enumerated() {
      guard let status = plugin.status.map(PluginRoster.Status.init) else { continue }
      let item = known?.items[index].flatMap { $0.status == status ? $0.location : nil }
      guard let location = item ?? plugin.key.flatMap(location) else { continue }
      let part = KeptPart(plugin: index, range: location.range, isKnown: item != nil)
      wanted[location.record, default: []].append(part)
    }
    let records = Array(wanted)
    let sound = known?.sound ?? [:]
    var taken = 0
    try? await inOrder(
      records.count,
      { number -> (facts: [NameFacts?], status: PluginRoster.Status?) in
        let (key, parts) = records[number]
        let status = store.status(ofMapped: key).map(PluginRoster.Status.init)
        guard let source = PluginFacts.source(key, store) else { return (parts.map { _ in nil }, nil) }
        let isSound = status != nil && sound[key] == status
        return (parts.map { NameFacts(source, at: $0.range, isSound: isSound && $0.isKnown) }, status)
      },
      { found in
        let (key, parts) = records[taken]
        taken += 1
        for (part, found) in zip(parts, found.facts) {
          facts[part.plugin] = found
          if found != nil { note(FactsLocation(record: key, range: part.range), part.plugin) }
        }
        if found.facts.allSatisfy({ $0 != nil }) { roster.sound[key] = found.status }
      })
    return facts
  }

  /// Facts in a record. `isKnown`: the last check had them from there, too.
  private struct KeptPart {
    let plugin: Int
    let range: Range<Int>
    let isKnown: Bool
  }

  private func read(_ plugin: Plugin, _ temporary: FilePath) -> Fresh {
    var keys: [Digest] = []
    if let key = plugin.key, store != nil {
      if plugin.isSettled { keys.append(key) }
      if Artifact.isContainer(plugin.path), let digest = try? FileSystem.digest(of: plugin.path) {
        let content = PluginFacts.key(ofContent: digest)
        if let place = location(content), let source = PluginFacts.source(place.record, store),
          let facts = NameFacts(source, at: place.range)
        {
          if let key = keys.first { try? store?.keep(small: place.bytes, of: key) }
          return Fresh(facts: facts, location: place)
        }
        keys.append(content)
      }
    }
    let artifact = Artifact(plugin.path, temporary: temporary)
    let facts = NameFacts(artifact, isForApple: artifact.isFile && AndroidContents.isNothing(plugin.path))
    return Fresh(facts: facts, mistakes: artifact.mistakes + facts.mistakes, keys: keys)
  }

  // MARK: Records

  private static func source(_ record: Digest, _ store: ContentStore?) -> HashSource? {
    guard let file = store?.mapped(record) else { return nil }
    return HashSource(file)
  }

  private func location(_ key: Digest) -> FactsLocation? {
    store?.smallResult(of: key).flatMap { FactsLocation($0) }
  }

  /// Facts of several plugins in one record, one behind the other.
  private mutating func keep(_ items: [(plugin: Int, fresh: Fresh)], _ size: Int) {
    guard let store, !items.isEmpty else { return }
    // Named by all that is in it: a record of other plugins in its place would be read as theirs.
    let record = Digest(of: Array("\(PluginFacts.version)\n".utf8) + items.flatMap { $0.fresh.keys[0].bytes })
    do throws(FileError) {
      try store.keep(mapped: record, atMost: Int64(size)) { (output: inout OutputFile) throws(FileError) in
        for item in items {
          try item.fresh.facts.source.withReader { (reader) throws(FileError) in try output.write(reader.span) }
        }
      }
      var end = 0
      for item in items {
        let location = FactsLocation(record: record, range: end..<(end + item.fresh.facts.range.count))
        end = location.range.upperBound
        for name in item.fresh.keys { try store.keep(small: location.bytes, of: name) }
        note(location, item.plugin)
      }
      roster.sound[record] = store.status(ofMapped: record).map(PluginRoster.Status.init)
    } catch {
      // Being forgotten is no reason to fail.
    }
  }
}

// As bytes: the record's key, then start and end in 8 bytes each.
extension FactsLocation {
  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.count == Digest.byteCount + 16, let record = Digest(bytes: bytes.prefix(Digest.byteCount)) else {
      return nil
    }
    func number(_ start: Int) -> Int? {
      Int(exactly: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) })
    }
    guard let start = number(Digest.byteCount), let end = number(Digest.byteCount + 8), start < end else { return nil }
    self.init(record: record, range: start..<end)
  }

  fileprivate var bytes: [UInt8] {
    record.bytes
      + [range.lowerBound, range.upperBound].flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
  }
}
