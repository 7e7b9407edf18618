import Android
import Artifacts
import Findings
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
  static let keyPrefix = "names of plugins \(Digest(of: Tool.build).hex)"

  init(_ named: CheckPlugins, _ store: ContentStore?) async {
    self.store = store
    let paths = named.paths
    let names = paths.map(\.string).joined(separator: "\n")
    let key = Digest(of: "\(PluginFacts.keyPrefix)\n\(HostProcess.workingFolder?.string ?? "")\n\(names)")
    rosterKey = key
    known = store?.result(of: key).flatMap { PluginRoster($0, count: paths.count) }
    roster = PluginRoster(items: Array(repeating: nil, count: paths.count))
    let now = HostProcess.now
    plugins = zip(paths, named.statuses).map { Plugin(path: $0, status: $1, now) }
    await read()
  }

  private let rosterKey: Digest

  // MARK: Keys

  struct Plugin: Sendable {
    let path: FilePath
    /// Nil of a folder, or of what is not there.
    let version: FileVersion?
    let isSettled: Bool

    init(path: FilePath, status: FileStatus?, _ now: Int64) {
      self.path = path
      version = status.flatMap { $0.kind == .file ? FileVersion($0) : nil }
      isSettled = version?.isSettled(now) ?? false
    }

    /// What its facts are kept under.
    var key: Digest? { version.map { key("\($0)") } }

    func key(ofContent digest: Digest) -> Digest { key(digest.hex) }

    /// What a file may have for Android is told by its path, too.
    private func key(_ text: String) -> Digest {
      Digest(of: "\(PluginFacts.keyPrefix)\n\(AndroidContents.isNothing(path))\n\(text)")
    }

    /// In bytes: how much there may be to read.
    fileprivate var likelySize: Int {
      // A folder's size is not known; what is packed is a few times as much.
      guard let version else { return 16 << 20 }
      let size = Int(min(max(0, version.size), 1 << 40))
      return ["zip", "aar", "jar"].contains(path.extension) ? 8 * size : size
    }
  }

  /// Of a plugin that stays as it is as long as it has this key; nil if that cannot be told.
  func key(of plugin: Int) -> Digest? { roster.items[plugin].flatMap { _ in plugins[plugin].key } }

  // MARK: Shared names

  /// Which plugins share names.
  mutating func shared(for slice: Slice) async -> SharedNames {
    let name = slice.description
    let changed = plugins.indices.filter { index in
      guard let version = roster.items[index]?.version else { return true }
      return known?.items[index]?.version != version
    }
    let shared = await SharedNames.find(facts, for: slice, known: known?.shared[name], changed: changed)
    roster.shared[name] = shared
    return shared
  }

  /// For the next check of the same plugins.
  func keep() {
    guard let store, plugins.count > 1 else { return }
    // What was kept goes on to hold for all that has not changed; what may change yet is looked at again anyway.
    if known != nil, plugins.contains(where: { $0.version != nil && !$0.isSettled }) { return }
    var roster = roster
    if let known, known.items.map(\.?.version) == roster.items.map(\.?.version) {
      // Of slices that this check was not for.
      roster.shared.merge(known.shared) { own, _ in own }
      if known == roster { return }
    }
    // Being forgotten is no reason to fail.
    try? store.keep(result: roster.bytes, of: rosterKey)
  }

  // MARK: Facts

  private mutating func read() async {
    let records = store.map(KeptRecords.init)
    var (found, old) = await kept(records)
    let groups = groups(of: plugins.indices.filter { found[$0] == nil })
    let sources = groups.map { $0.map { (plugin: plugins[$0], old: old.removeValue(forKey: $0)) } }
    let temporary = HostProcess.temporaryFolder
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
        roster.sound.merge(group.sound) { $1 }
        taken += 1
      })
    // Being forgotten is no reason to fail.
    try? store?.flush()
    facts = found.compactMap(\.self)
  }

  /// Those that are read one after the other and come into one record: about as much in each, and several groups for each
  /// processor if it is worth it.
  private func groups(of missing: [Int]) -> [[Int]] {
    let sizes = missing.map { plugins[$0].likelySize }
    let share = sizes.reduce(0, +) / (4 * HostProcess.processors)
    let limit = min(128 << 20, max(1 << 20, share))
    var groups: [[Int]] = []
    var room = 0
    for (plugin, size) in zip(missing, sizes) {
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
    guard let version = plugins[plugin].version, plugins[plugin].isSettled else { return }
    roster.items[plugin] = PluginRoster.Item(version: version, location: location)
  }

  /// What the store has. `old`: in records of which hardly anything is used, or one of too many small ones.
  private mutating func kept(_ records: KeptRecords?) async -> (facts: [NameFacts?], old: [Int: NameFacts]) {
    var (facts, old) = ([NameFacts?](repeating: nil, count: plugins.count), [Int: NameFacts]())
    guard let records else { return (facts, old) }
    var wanted: [Digest: [(plugin: Int, number: Int)]] = [:]
    for (index, plugin) in plugins.enumerated() {
      guard let version = plugin.version else { continue }
      let item = known?.items[index].flatMap { $0.version == version ? $0.location : nil }
      guard let location = item ?? plugin.key.flatMap({ records.location($0) }) else { continue }
      wanted[location.record, default: []].append((index, location.number))
    }
    let keys = Array(wanted.keys)
    let sound = known?.sound ?? [:]
    var opened: [(key: Digest, record: NameRecord, version: FileVersion?)] = []
    var taken = 0
    try? await inOrder(
      keys.count,
      { number -> (record: NameRecord?, version: FileVersion?) in
        let version = records.version(of: keys[number])
        return (records.record(keys[number], isSound: version != nil && sound[keys[number]] == version), version)
      },
      { found in
        if let record = found.record { opened.append((keys[taken], record, found.version)) }
        taken += 1
      })
    let counts = opened.map { $0.record.nameCounts(of: wanted[$0.key, default: []].map(\.number)) }
    // Each name is looked for in each record: many small ones are made one.
    let limit = 8 + plugins.count / 32
    let least = opened.count > limit ? counts.reduce(0) { $0 + $1.own } / limit : 0
    for ((key, record, version), count) in zip(opened, counts) {
      let isUsed = count.own >= max(least, count.all / 4)
      if isUsed { roster.sound[key] = version }
      for (plugin, number) in wanted[key, default: []] {
        guard let entry = record.facts(of: number) else { continue }
        if isUsed {
          facts[plugin] = entry
          note(FactsLocation(record: key, number: number), plugin)
        } else {
          old[plugin] = entry
        }
      }
    }
    return (facts, old)
  }
}
