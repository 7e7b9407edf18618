import Android
import Artifacts
import Findings
import ObjectFiles
import Store
import SystemPackage

/// What plugins define and refer to, from the store where a plugin is as it was: then only its stamp is read. A
/// container is also known by its content, wherever it lies; plain files are read as fast as they are digested.
struct PluginIndex: Sendable {
  let store: ContentStore?
  private let kept: KeptNames?
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
    kept = store.map(KeptNames.init)
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

  /// Whether some slice of a plugin defines one of some names.
  func defines(_ symbols: [String], in plugin: Int) -> Bool {
    let own = names[plugin] ?? PluginIndex.read(plugins[plugin], kept, HostProcess.temporaryFolder).names
    return own.defines(symbols.map(FoundNames.hash))
  }

  // MARK: Relations

  /// Numbers of the plugins that have to do with each other in a slice, sorted.
  mutating func related(for slice: Slice) async -> [Int] {
    let changed = plugins.indices.filter { set.items[$0] == nil || set.items[$0]?.version != known?.items[$0]?.version }
    if changed.isEmpty, let relations = known?.slices[slice] {
      set.slices[slice] = relations
      return relations.related
    }
    let (names, plugins, kept, temporary) = (names, plugins, kept, HostProcess.temporaryFolder)
    // A plugin that has not changed is let go when its names have been compared.
    let index = SymbolIndex(count: plugins.count, for: slice) { plugin in
      names[plugin] ?? PluginIndex.read(plugins[plugin], kept, temporary).names
    }
    let relations = await index.relations(known: known?.slices[slice]?.shared, changed: changed)
    set.slices[slice] = relations
    return relations.related
  }

  /// For the next check of the same plugins.
  func keep() {
    guard let store else { return }
    // Being forgotten is no reason to fail.
    defer { try? store.flush() }
    if plugins.count < 2 { return }
    // What was kept goes on to hold for all that has not changed; what may change yet is looked at again anyway.
    if known != nil, plugins.contains(where: { $0.version != nil && !$0.isSettled }) { return }
    var set = set
    if let known, known.items == set.items {
      // Of slices that this check was not for.
      set.slices.merge(known.slices) { own, _ in own }
      if known == set { return }
    }
    try? store.keep(result: set.bytes, of: setKey)
  }

  // MARK: Names

  private mutating func readNames(of missing: [Int]) async {
    let (plugins, kept, temporary) = (plugins, kept, HostProcess.temporaryFolder)
    // Some of them take a few microseconds; and what is read together is kept in one file.
    let size = max(1, min(32, missing.count / 16))
    var found: [Found] = []
    try? await inParts(missing, of: size, { part in PluginIndex.read(part.map { plugins[$0] }, kept, temporary) }) {
      found += $0
    }
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
    /// Of names that may be kept.
    var key: Digest?
    var isKept = false
  }

  private static func read(_ plugins: [Plugin], _ kept: KeptNames?, _ temporary: FilePath) -> [Found] {
    var found = plugins.map { read($0, kept, temporary) }
    guard let kept else { return found }
    let new = found.indices.compactMap { index in found[index].key.map { (index, $0) } }
    let places = kept.keep(new.map { ($0.1, found[$0.0].names) })
    for ((index, key), place) in zip(new, places) {
      guard let place, plugins[index].isSettled, let own = plugins[index].key else { continue }
      found[index].isKept = own == key || kept.keep(place, of: own)
    }
    return found
  }

  private static func read(_ plugin: Plugin, _ kept: KeptNames?, _ temporary: FilePath) -> Found {
    let key = plugin.isSettled ? plugin.key : nil
    if let key, let place = kept?.place(of: key), let names = kept?.names(at: place) {
      return Found(names: names, isKept: true)
    }
    // The same content, perhaps of another file.
    var content: Digest?
    let opened = Result { () throws(FileError) in try OpenedArtifact(plugin.path) }
    if kept != nil, plugin.version != nil, let opened = try? opened.get(), opened.isContainer {
      content = (try? opened.digest()).map { plugin.key(ofContent: $0) }
    }
    // What has become another file meanwhile is not kept as what it was.
    func isSame() -> Bool { CheckPlugins.status(of: plugin.path) == plugin.version }
    if let kept, let place = content.flatMap(kept.place), let names = kept.names(at: place) {
      let isKept = key.map { kept.keep(place, of: $0) } ?? false
      return Found(names: names, isKept: isKept && isSame())
    }
    let contents = PluginContents(plugin.path, ArtifactWalk(opened, temporary: temporary))
    let artifact = contents.artifact
    let (names, mistakes) = FoundNames.all(of: artifact)
    var found = Found(
      names: SymbolNames(names, isForApple: artifact.isFile && AndroidContents.isNothing(plugin.path)),
      android: contents.android, mistakes: artifact.mistakes + mistakes)
    // What has mistakes is read again, so that they are said again.
    if kept != nil, found.mistakes.isEmpty, isSame() { found.key = content ?? key }
    return found
  }
}

/// All of a plugin that a check asks about, in one walk.
private struct PluginContents {
  let artifact: Artifact
  let android: AndroidContents

  init(_ path: FilePath, _ walk: consuming ArtifactWalk) {
    var code = CodeFiles(of: path)
    var android = AndroidCollector()
    while let entry = walk.next(Selection()) {
      code.add(entry, at: walk.place(of: entry.header))
      android.add(entry, walk)
    }
    code.add(walk.mistakes)
    artifact = Artifact(code)
    self.android = android.contents(walk)
  }

  private struct Selection: EntrySelection {
    func interest(in header: EntryHeader) -> Interest {
      let interest = AndroidSelection().interest(in: header)
      return interest == .none ? CodeSelection().interest(in: header) : interest
    }

    func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest {
      CodeSelection().interest(in: header, head: head)
    }
  }
}
