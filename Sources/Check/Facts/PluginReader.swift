import Android
import Artifacts
import Collisions
package import Findings
import ObjectFiles
import Store
package import SystemPackage

/// A plugin as the user named it, before any of it is read.
struct NamedPlugin: Sendable {
  let path: FilePath
  /// Nil if it does not exist or has to be read each time.
  let stamp: PluginStamp?
  private let status: FileStamp?

  /// It depends on the build, because another build may collect other facts.
  static let keyPrefix = "facts of plugins \(Digest(of: Tool.build).hex)"

  init(_ path: FilePath, _ status: FileStamp?, now: Int64) {
    self.path = path
    stamp = PluginStamp(path, status, now: now)
    self.status = status
  }

  var isSettled: Bool { stamp?.isSettled ?? false }

  /// The key of its facts while it has this stamp.
  var key: Digest? { stamp.map { key($0.digest) } }

  /// The key of its facts wherever it is; nil for a file that is read as fast as it is digested.
  func contentKey(_ opened: OpenedArtifact) -> Digest? { content(opened)?.key }

  /// The same key, and the digest of the content.
  func content(_ opened: OpenedArtifact) -> (key: Digest, digest: Digest)? {
    opened.isContainer ? (try? opened.digest()).map { (key($0), $0) } : nil
  }

  /// In bytes; 0 for anything but a file.
  var size: Int64 { status?.kind == .regular ? status?.size ?? 0 : 0 }

  /// The key depends on the file's name, which decides its role on Android.
  private func key(_ digest: Digest) -> Digest {
    let kind = status?.kind == .regular ? AndroidContents.role(of: path) : "folder"
    return Digest(of: "\(NamedPlugin.keyPrefix)\n\(kind)\n\(digest.hex)")
  }

  /// Whether the path still leads to the file or folder that was named, with the same stamp. A change deeper in a folder
  /// need not be looked for: no later state of the folder has its stamp.
  var isSame: Bool { CheckPlugins.status(of: path) == status }
}

/// The facts about a plugin, from the store or from one walk.
struct ReadPlugin: Sendable {
  let names: SymbolNames
  /// Nil if they are in the store, at the plugin's key.
  var facts: ArtifactFacts?
  /// Nil if it was not opened.
  var artifact: Artifact?
  var mistakes: [Mistake] = []
  /// Whether the store has it under its stamp.
  var isKept = false
  /// The key under which its record is to be stored.
  fileprivate var newKey: Digest?
  /// The key of the facts that were read just now, wherever the plugin is; nil if the store had them.
  var newContentKey: Digest?
}

/// Reads plugins: unchanged ones from the store, the others by one walk each.
package struct PluginReader: Sendable {
  let store: FactStore?
  let temporary: FilePath

  /// In the order of the plugins. New records are stored in one file. What was opened takes memory if it is held.
  func read(_ plugins: some Sequence<NamedPlugin>, holdsCode: Bool = true) -> [ReadPlugin] {
    let plugins = Array(plugins)
    var found = plugins.map { plugin in
      var found = read(plugin)
      if !holdsCode { found.artifact = nil }
      return found
    }
    guard let store else { return found }
    let new = found.indices.compactMap { index -> (index: Int, key: Digest, bytes: [UInt8])? in
      guard let key = found[index].newKey, let facts = found[index].facts else { return nil }
      return (index, key, ArtifactRecord(found[index].names, facts).bytes(below: plugins[index].path.string))
    }
    for (item, place) in zip(new, store.keep(new.map { ($0.key, $0.bytes) })) {
      let plugin = plugins[item.index]
      guard let place, plugin.isSettled, let own = plugin.key else { continue }
      found[item.index].isKept = own == item.key || store.keep(place, of: own)
    }
    return found
  }

  func read(_ plugin: NamedPlugin) -> ReadPlugin {
    let key = plugin.isSettled ? plugin.key : nil
    if let key, let names = record(of: key).flatMap(ArtifactRecord.names) {
      return ReadPlugin(names: names, isKept: true)
    }
    let opened: OpenedArtifact
    do throws(FileError) { opened = try OpenedArtifact(plugin.path) } catch {
      return ReadPlugin(names: SymbolNames([]), mistakes: Mistakes(error).all)
    }
    // Another file with the same content may be in the store.
    let content = store == nil ? nil : plugin.contentKey(opened)
    if let store, let content, let place = store.place(of: content), let record = store.record(at: place),
      let names = ArtifactRecord.names(record)
    {
      return ReadPlugin(
        names: names, facts: ArtifactRecord.facts(record, below: plugin.path.string),
        isKept: plugin.isSame && key.map { store.keep(place, of: $0) } ?? false)
    }
    var found = walk(opened)
    // A plugin with mistakes is read again the next time, so that they are reported again. A path that leads elsewhere
    // by now, or to a changed file, is not stored as what it was.
    if store != nil, found.mistakes.isEmpty, plugin.isSame {
      found.newKey = content ?? key
      found.newContentKey = content
    }
    return found
  }

  /// The facts of a plugin that the store knows by its stamp.
  func facts(of plugin: NamedPlugin) -> ArtifactFacts {
    plugin.key.flatMap(record).flatMap { ArtifactRecord.facts($0, below: plugin.path.string) }
      ?? read(plugin).facts ?? ArtifactFacts()
  }

  private func record(of key: Digest) -> EntryBytes? {
    store.flatMap { store in store.place(of: key).flatMap(store.record) }
  }

  /// Reads one plugin, and returns the sealed record of its facts by its content's key: the work of a worker.
  package static func sealedRecord(of path: FilePath, temporary: FilePath) throws(Mistakes) -> [UInt8] {
    let plugin = NamedPlugin(path, CheckPlugins.status(of: path), now: HostProcess.now)
    let opened = try explained { try OpenedArtifact(path) }
    let found = PluginReader(store: nil, temporary: temporary).walk(opened)
    guard found.mistakes.isEmpty else { throw Mistakes(found.mistakes) }
    guard let key = plugin.contentKey(opened), let facts = found.facts else {
      throw Mistakes("\(path) is no container of code")
    }
    return ContentStore.sealed(ArtifactRecord(found.names, facts).bytes(below: path.string), of: key)
  }

  /// Collects all facts of a plugin in one walk.
  private func walk(_ opened: OpenedArtifact) -> ReadPlugin {
    var walk = ArtifactWalk(.success(opened), temporary: temporary)
    var code = CodeFiles(of: opened.path)
    var android = AndroidCollector()
    var layout = LayoutCollector(of: opened.path)
    while let entry = walk.next(Selection()) {
      code.add(entry, at: walk.place(of: entry.header))
      android.add(entry, walk)
      layout.add(entry, walk)
    }
    code.add(walk.mistakes)
    let artifact = Artifact(code)
    let (facts, contents) = (layout.facts(code, artifact), android.contents(walk))
    let (names, mistakes) = FoundNames.all(of: artifact)
    let classes = names.reduce(into: Set<String>()) { $0.formUnion($1.classes) }
    let libraries = names.reduce(into: Set<LibraryVersion>()) { $0.formUnion($1.libraries) }
    return ReadPlugin(
      names: SymbolNames(names),
      facts: ArtifactFacts(
        codeCount: artifact.code.count, android: contents, layout: facts, classes: classes.sorted(),
        unread: code.images.map { "\($0.parts.last ?? ""): a program or library for Windows" },
        libraries: libraries.sorted { ($0.library, $0.version) < ($1.library, $1.version) }),
      artifact: artifact, mistakes: artifact.mistakes + facts.mistakes + contents.mistakes + mistakes)
  }

  /// The entries of an artifact that any family needs.
  private struct Selection: EntrySelection {
    func interest(in header: EntryHeader) -> Interest {
      let interest = max(AndroidSelection().interest(in: header), LayoutSelection().interest(in: header))
      return interest == .none ? CodeSelection().interest(in: header) : interest
    }

    func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest {
      CodeSelection().interest(in: header, head: head)
    }
  }
}
