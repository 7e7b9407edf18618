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
  static let version = "names of plugins \(Digest(of: Tool.build).hex)"
  /// A file that was written to just now may be written to again without another time: in nanoseconds.
  private static let settling: Int64 = 2_000_000_000
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

  struct Plugin: Sendable {
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

  static func key(ofContent digest: Digest) -> Digest { Digest(of: "\(version)\n\(digest.hex)") }

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
    if let known, known.shared == roster.shared, known.sound == roster.sound, known.items == roster.items { return }
    // Being forgotten is no reason to fail.
    try? store.keep(result: roster.bytes, of: rosterKey)
  }

  // MARK: Facts

  private mutating func read() async {
    let records = store.map(KeptRecords.init)
    var (found, old) = await kept(records)
    let groups = groups(of: plugins.indices.filter { found[$0] == nil })
    let sources = groups.map { $0.map { (plugin: plugins[$0], old: old.removeValue(forKey: $0)) } }
    let temporary = FilePath(FileManager.default.temporaryDirectory.path)
    var taken = 0
    try? await inOrder(
      groups.count,
      { FreshFacts(sources[$0], records, temporary) },
      { group in
        for (plugin, fresh) in zip(groups[taken], group.items) {
          found[plugin] = fresh.facts
          mistakes += fresh.mistakes
          if let location = fresh.location { note(location, plugin) }
        }
        for (record, status) in group.sound { roster.sound[record] = status }
        taken += 1
      })
    // Being forgotten is no reason to fail.
    try? store?.flush()
    facts = found.compactMap(\.self)
  }

  /// Those that are read one after the other and come into one record: about as many bytes each, and several groups for
  /// each processor if it is worth it.
  private func groups(of missing: [Int]) -> [[Int]] {
    let total = missing.reduce(0) { $0 + (plugins[$1].status?.size ?? 0) }
    let limit = min(128 << 20, max(4 << 20, total / Int64(4 * ProcessInfo.processInfo.activeProcessorCount)))
    var groups: [[Int]] = []
    var room: Int64 = 0
    for plugin in missing {
      // How much there is in a folder is not known.
      let size = plugins[plugin].status?.size ?? limit
      if groups.isEmpty || room < size || groups[groups.count - 1].count == NameRecord.limit {
        groups.append([])
        room = limit
      }
      groups[groups.count - 1].append(plugin)
      room -= size
    }
    return groups
  }

  private mutating func note(_ location: FactsLocation, _ plugin: Int) {
    guard let status = plugins[plugin].status, plugins[plugin].isSettled else { return }
    roster.items[plugin] = PluginRoster.Item(status: PluginRoster.Status(status), location: location)
  }

  /// What the store has. `old`: in records of which hardly anything else is used, which would have to be gone through, too.
  private mutating func kept(_ records: KeptRecords?) async -> (facts: [NameFacts?], old: [Int: NameFacts]) {
    var (facts, old) = ([NameFacts?](repeating: nil, count: plugins.count), [Int: NameFacts]())
    guard let records else { return (facts, old) }
    var wanted: [Digest: [(plugin: Int, number: Int)]] = [:]
    for (index, plugin) in plugins.enumerated() {
      guard let status = plugin.status.map(PluginRoster.Status.init) else { continue }
      let item = known?.items[index].flatMap { $0.status == status ? $0.location : nil }
      guard let location = item ?? plugin.key.flatMap({ records.location($0) }) else { continue }
      wanted[location.record, default: []].append((index, location.number))
    }
    let all = Array(wanted)
    let sound = known?.sound ?? [:]
    var taken = 0
    try? await inOrder(
      all.count,
      { number -> (record: NameRecord?, status: PluginRoster.Status?) in
        let key = all[number].key
        let status = records.store.status(ofMapped: key).map(PluginRoster.Status.init)
        return (records.record(key, isSound: status != nil && sound[key] == status), status)
      },
      { found in
        let (key, parts) = all[taken]
        taken += 1
        guard let record = found.record else { return }
        let isUsed = record.isUsed(by: parts.map(\.number))
        if isUsed { roster.sound[key] = found.status }
        let entries = record.facts
        for (plugin, number) in parts where number < entries.count {
          if isUsed {
            facts[plugin] = entries[number]
            note(FactsLocation(record: key, number: number), plugin)
          } else {
            old[plugin] = entries[number]
          }
        }
      })
    return (facts, old)
  }
}
