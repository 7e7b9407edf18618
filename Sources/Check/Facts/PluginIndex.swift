import Android
import Artifacts
import Collisions
import Findings
import Store
import SystemPackage

/// The names that plugins define and refer to. Only the stamp of an unchanged plugin is read, and the store has the
/// rest. A container is also found by its content, wherever it is; plain files are read as fast as they are digested.
struct PluginIndex: Sendable {
  private let reader: PluginReader
  private let store: ContentStore?
  private var plugins: [NamedPlugin]
  /// Nil if nothing of the plugin has been read yet, because the stored set has all that was asked for.
  private var found: [ReadPlugin?]

  /// `known` was stored by the last check of these plugins; `set` is for the next one.
  private let setKey: Digest
  private let known: PluginSet?
  private var set: PluginSet

  /// The limit, in bytes, of unpacked code that is held for the link. Code above it is unpacked again.
  private static let maxUnpacked = 256 << 20

  /// The facts that the remote cache does not have yet.
  private(set) var new: [Digest] = []

  init(_ named: CheckPlugins, _ own: CheckStore) async {
    store = own.local
    let store = own.local
    reader = PluginReader(store: own.facts, temporary: HostProcess.temporaryFolder)
    let paths = named.paths
    let all = paths.map(\.string).joined(separator: "\n")
    setKey = Digest(of: "\(NamedPlugin.keyPrefix)\n\(HostProcess.workingFolder?.string ?? "")\n\(all)")
    known = store?.result(of: setKey).flatMap { PluginSet($0, count: paths.count) }
    let (known, reader, now) = (known, reader, HostProcess.now)
    let items = known?.items ?? Array(repeating: nil, count: paths.count)
    let files = zip(paths, zip(named.statuses, items)).map { (path: $0, status: $1.0, item: $1.1) }
    (plugins, found, set) = ([], [], PluginSet(items: []))
    var unpacked = 0
    try? await inParts(
      files, of: PluginIndex.partSize(files.count), ahead: 4,
      { part in
        let plugins = part.map { NamedPlugin($0.path, $0.status, now: now) }
        let items = zip(part, plugins).map { $0.item?.version == $1.stamp?.digest ? $0.item : nil }
        var read = reader.read(zip(plugins, items).filter { $1 == nil }.map(\.0)).makeIterator()
        return zip(plugins, items).map { plugin, item -> (NamedPlugin, PluginSet.Item?, ReadPlugin?) in
          if let item { return (plugin, item, nil) }
          var read = read.next()
          let item = read.flatMap { PluginIndex.item(plugin, $0, reader) }
          // Families ask for no facts of a plugin that has nothing but code.
          if let item, item.item.hasFiles { read?.facts = item.facts }
          return (plugin, item?.item, read)
        }
      },
      { part in
        for (plugin, item, read) in part {
          plugins.append(plugin)
          found.append(read)
          set.items.append(item)
          unpacked += read?.artifact?.code.reduce(0) { $0 + $1.file.unpackedSize } ?? 0
          if unpacked > PluginIndex.maxUnpacked { found[found.count - 1]?.artifact = nil }
        }
      })
    new = own.remote == nil ? [] : Array(Set(found.compactMap { $0?.newContentKey }))
  }

  /// A plugin that the store knows takes a few microseconds, and those of one part are stored in one file.
  private static func partSize(_ count: Int) -> Int { max(1, min(32, count / 16)) }

  /// Reads those of the plugins that the store lacks, so that several checks find them in it. Returns the keys of what the
  /// remote cache does not have yet.
  static func read(_ plugins: [NamedPlugin], _ own: CheckStore) async -> [Digest] {
    guard let store = own.facts else { return [] }
    let reader = PluginReader(store: store, temporary: HostProcess.temporaryFolder)
    let unknown = plugins.filter { plugin in
      // Without a settled stamp the store finds only containers, by their content.
      if !plugin.isSettled { return (try? OpenedArtifact(plugin.path))?.isContainer ?? false }
      return plugin.key.flatMap(store.place) == nil
    }
    var new: Set<Digest> = []
    try? await inParts(
      unknown, of: partSize(unknown.count), { reader.read($0, holdsCode: false).compactMap(\.newContentKey) }
    ) { new.formUnion($0) }
    if !unknown.isEmpty { store.flush() }
    return Array(new)
  }

  /// The item of a plugin that was read, and the facts about it; nil if the store does not know it by its stamp.
  private static func item(
    _ plugin: NamedPlugin, _ read: ReadPlugin, _ reader: PluginReader
  ) -> (item: PluginSet.Item, facts: ArtifactFacts)? {
    guard let version = plugin.stamp?.digest, read.isKept else { return nil }
    let facts = read.facts ?? reader.facts(of: plugin)
    let item = PluginSet.Item(
      version: version, slices: read.names.slices, codeCount: facts.codeCount, hasFiles: facts.hasFiles)
    return (item, facts)
  }

  // MARK: Plugins

  /// The key under which a plugin is unchanged; nil if a change could go unnoticed.
  func key(of plugin: Int) -> Digest? { set.items[plugin].flatMap { _ in plugins[plugin].key } }

  func slices(of plugin: Int) -> [Slice] { found[plugin]?.names.slices ?? set.items[plugin]?.slices ?? [] }

  /// The opened artifacts by the plugin's number.
  var opened: [Int: Artifact] {
    var opened: [Int: Artifact] = [:]
    for (number, plugin) in found.enumerated() { opened[number] = plugin?.artifact }
    return opened
  }

  /// The facts that families compare.
  func facts(_ names: [PluginName], appCount: Int) async -> [PluginFacts] {
    let (plugins, reader, found, set) = (plugins, reader, found, set)
    var all: [PluginFacts] = []
    try? await inParts(
      Array(plugins.indices), of: 16,
      { part in
        part.map { number in
          let (plugin, item) = (plugins[number], set.items[number])
          let isAsked = item?.hasFiles ?? true
          let own = found[number]?.facts ?? (isAsked ? reader.facts(of: plugin) : ArtifactFacts())
          // A report asks for these later, and must not keep all other facts.
          let (classes, libraries) = (isAsked ? own.classes : nil, isAsked ? own.libraries : nil)
          return PluginFacts(
            name: names[number], isApp: number < appCount,
            slices: found[number]?.names.slices ?? item?.slices ?? [], codeCount: item?.codeCount ?? own.codeCount,
            android: own.android, layout: own.layout, mistakes: found[number]?.mistakes ?? [], unread: own.unread,
            classes: { classes ?? reader.facts(of: plugin).classes },
            libraries: { libraries ?? reader.facts(of: plugin).libraries },
            defines: { symbols in
              (found[number]?.names ?? reader.read(plugin).names).defines(symbols.map(FoundNames.hash))
            })
        }
      }, { all += $0 })
    return all
  }

  // MARK: Relations

  /// The sorted numbers of the plugins that are related in a slice.
  mutating func related(for slice: Slice) async -> [Int] {
    let changed = plugins.indices.filter { set.items[$0] == nil || set.items[$0]?.version != known?.items[$0]?.version }
    if changed.isEmpty, let relations = known?.slices[slice] {
      set.slices[slice] = relations
      return relations.related
    }
    let (found, plugins, reader) = (found, plugins, reader)
    // The names of an unchanged plugin are released after they have been compared.
    let index = SymbolIndex(count: plugins.count, for: slice) { plugin in
      found[plugin]?.names ?? reader.read(plugins[plugin]).names
    }
    let relations = await index.relations(known: known?.slices[slice]?.shared, changed: changed)
    set.slices[slice] = relations
    return relations.related
  }

  /// Stores the set for the next check of the same plugins.
  func keep() {
    guard let store else { return }
    // Failing to store it is no error.
    defer { try? store.flush() }
    if plugins.count < 2 { return }
    // The stored set stays valid for all unchanged plugins, and those that may still change are read again anyway.
    if known != nil, plugins.contains(where: { $0.stamp != nil && !$0.isSettled }) { return }
    var set = set
    if let known, known.items == set.items {
      // Relations in slices that this check was not for stay.
      set.slices.merge(known.slices) { own, _ in own }
      if known == set { return }
    }
    try? store.keep(result: set.bytes, of: setKey)
  }
}
