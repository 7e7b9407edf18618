import Android
import Artifacts
import Findings
import Store
import SystemPackage

/// What plugins define and refer to, from the store where a plugin is as it was: nothing is read then but what the system
/// says of the file. A container is known by its content, too, wherever it lies; what is not packed is read as fast as it is
/// digested.
struct PluginIndex: Sendable {
  let store: ContentStore?
  private let plugins: [Plugin]
  /// Nil: not read yet.
  private var names: [SymbolNames?]
  /// Of those that were opened.
  private(set) var android: [AndroidContents?]
  private(set) var mistakes: [Mistake] = []

  /// What was kept of these plugins, and what is to be kept.
  private let setKey: Digest
  private let known: PluginSet?
  private var set: PluginSet

  /// Another build may take other names from a plugin.
  private static let keyPrefix = "names of plugins \(Digest(of: Tool.build).hex)"

  init(_ named: CheckPlugins, _ store: ContentStore?) async {
    self.store = store
    let paths = named.paths
    let all = paths.map(\.string).joined(separator: "\n")
    setKey = Digest(of: "\(PluginIndex.keyPrefix)\n\(HostProcess.workingFolder?.string ?? "")\n\(all)")
    known = store?.result(of: setKey).flatMap { PluginSet($0, count: paths.count) }
    let now = HostProcess.now
    plugins = zip(paths, named.statuses).map { Plugin(path: $0, status: $1, now) }
    names = Array(repeating: nil, count: paths.count)
    android = Array(repeating: nil, count: paths.count)
    set = PluginSet(items: Array(repeating: nil, count: paths.count))
    for (index, plugin) in plugins.enumerated() {
      if let item = known?.items[index], item.version == plugin.version { set.items[index] = item }
    }
    await readNames(of: plugins.indices.filter { set.items[$0] == nil })
  }

  // MARK: Plugins

  private struct Plugin: Sendable {
    let path: FilePath
    /// Nil of a folder, or of what is not there.
    let version: FileStamp?
    let isSettled: Bool

    init(path: FilePath, status: FileStamp?, _ now: Int64) {
      self.path = path
      version = status.flatMap { $0.kind == .file ? $0 : nil }
      isSettled = version.map { !$0.isRacy(machine: now) } ?? false
    }

    /// What its names are kept under.
    var key: Digest? { version.map { key("\($0)") } }

    func key(ofContent digest: Digest) -> Digest { key(digest.hex) }

    /// What a file may have for Android is told by its path, too.
    private func key(_ text: String) -> Digest {
      Digest(of: "\(PluginIndex.keyPrefix)\n\(AndroidContents.isNothing(path))\n\(text)")
    }
  }

  /// Of a plugin that stays as it is as long as it has this key; nil if that cannot be told.
  func key(of plugin: Int) -> Digest? { set.items[plugin].flatMap { _ in plugins[plugin].key } }

  func slices(of plugin: Int) -> [Slice] { names[plugin]?.slices ?? set.items[plugin]?.slices ?? [] }

  func isForApple(_ plugin: Int) -> Bool { names[plugin]?.isForApple ?? set.items[plugin]?.isForApple ?? false }

  // MARK: Relations

  /// Numbers of the plugins that have to do with each other in a slice, sorted. `isOnly`: it is not asked for another one.
  mutating func related(for slice: Slice, isOnly: Bool) async -> [Int] {
    let changed = plugins.indices.filter { set.items[$0] == nil || set.items[$0]?.version != known?.items[$0]?.version }
    if changed.isEmpty, let relations = known?.slices[slice] {
      set.slices[slice] = relations
      return relations.related
    }
    // For one slice, a plugin that has not changed is let go when its names have been compared.
    if !isOnly || known?.slices[slice] == nil || !SymbolIndex.areFew(changed.count, of: plugins.count) {
      await readNames()
    }
    let (names, plugins, store, temporary) = (names, plugins, store, HostProcess.temporaryFolder)
    let index = SymbolIndex(count: plugins.count, for: slice) { plugin in
      names[plugin] ?? PluginIndex.read(plugins[plugin], store, temporary).names
    }
    let relations = await index.relations(known: known?.slices[slice]?.shared, changed: changed)
    set.slices[slice] = relations
    return relations.related
  }

  /// For the next check of the same plugins.
  func keep() {
    guard let store, plugins.count > 1 else { return }
    // What was kept goes on to hold for all that has not changed; what may change yet is looked at again anyway.
    if known != nil, plugins.contains(where: { $0.version != nil && !$0.isSettled }) { return }
    var set = set
    if let known, known.items == set.items {
      // Of slices that this check was not for.
      set.slices.merge(known.slices) { own, _ in own }
      if known == set { return }
    }
    // Being forgotten is no reason to fail.
    try? store.keep(result: set.bytes, of: setKey)
  }

  // MARK: Names

  private mutating func readNames() async { await readNames(of: plugins.indices.filter { names[$0] == nil }) }

  private mutating func readNames(of missing: [Int]) async {
    let (plugins, store, temporary) = (plugins, store, HostProcess.temporaryFolder)
    // Some of them take a few microseconds.
    let size = max(1, min(8, missing.count / 64))
    var found: [Found] = []
    try? await inOrder(
      (missing.count + size - 1) / size,
      { part in
        missing[(part * size)..<min(missing.count, (part + 1) * size)].map {
          PluginIndex.read(plugins[$0], store, temporary)
        }
      }, { found += $0 })
    for (plugin, found) in zip(missing, found) {
      names[plugin] = found.names
      android[plugin] = found.android
      mistakes += found.mistakes
      guard let version = plugins[plugin].version, found.isKept else { continue }
      set.items[plugin] = PluginSet.Item(
        version: version, slices: found.names.slices, isForApple: found.names.isForApple)
    }
  }

  private struct Found: Sendable {
    var names: SymbolNames
    /// Nil if it was not opened.
    var android: AndroidContents?
    var mistakes: [Mistake] = []
    var isKept = false
  }

  private static func read(_ plugin: Plugin, _ store: ContentStore?, _ temporary: FilePath) -> Found {
    let key = plugin.isSettled ? plugin.key : nil
    if let store, let key, let names = kept(key, in: store) { return Found(names: names, isKept: true) }
    // The same content, perhaps of another file.
    var content: Digest?
    if store != nil, plugin.version != nil, Artifact.isContainer(plugin.path) {
      content = (try? FileSystem.digest(of: plugin.path)).map { plugin.key(ofContent: $0) }
    }
    // What has become another file meanwhile is not kept as what it was.
    func isSame() -> Bool { CheckPlugins.status(of: plugin.path) == plugin.version }
    if let store, let content, let names = kept(content, in: store) {
      let isKept = key.map { keep(content, $0, store) } ?? false
      return Found(names: names, isKept: isKept && isSame())
    }
    let contents = PluginContents(plugin.path, temporary: temporary)
    let artifact = contents.artifact
    let (names, mistakes) = FoundNames.all(of: artifact)
    var found = Found(
      names: SymbolNames(names, isForApple: artifact.isFile && AndroidContents.isNothing(plugin.path)),
      android: contents.android, mistakes: artifact.mistakes + mistakes)
    // What has mistakes is read again, so that they are said again.
    guard let store, found.mistakes.isEmpty, isSame() else { return found }
    if let content, !keep(found.names, content, store) { return found }
    found.isKept = key.map { key in content.map { keep($0, key, store) } ?? keep(found.names, key, store) } ?? false
    return found
  }

  /// Under a file's key stand its names, or, of a container, the key of its content.
  private static func kept(_ key: Digest, in store: ContentStore) -> SymbolNames? {
    if let names = store.result(of: key, isHashed: false).flatMap({ SymbolNames($0) }) { return names }
    return store.result(of: key).flatMap { Digest(bytes: $0[...]) }
      .flatMap { store.result(of: $0, isHashed: false) }.flatMap { SymbolNames($0) }
  }

  /// Being forgotten is no reason to fail.
  private static func keep(_ names: SymbolNames, _ key: Digest, _ store: ContentStore) -> Bool {
    (try? store.keep(result: names.record, of: key, isHashed: false)) != nil
  }

  private static func keep(_ content: Digest, _ key: Digest, _ store: ContentStore) -> Bool {
    (try? store.keep(result: content.bytes, of: key)) != nil
  }
}
