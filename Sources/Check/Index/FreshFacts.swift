import Android
import Artifacts
import Findings
import Store
import SystemPackage

/// The names of some plugins, kept in one record: read from the plugins, or taken from records of which little is used.
struct FreshFacts: Sendable {
  /// `old`: its names, if they are in such a record.
  typealias Source = (plugin: PluginFacts.Plugin, old: NameFacts?)

  struct Item: Sendable {
    var facts: NameFacts
    var mistakes: [Mistake] = []
    /// Where they are kept.
    var location: FactsLocation?
  }

  /// In the order of the plugins.
  private(set) var items: [Item] = []
  /// Records that have just been written.
  private(set) var sound: [Digest: FileVersion] = [:]

  init(_ sources: [Source], _ records: KeptRecords?, _ temporary: FilePath) {
    var items = [Item?](repeating: nil, count: sources.count)
    var (lasting, others): ([Read], [Read]) = ([], [])
    for (index, source) in sources.enumerated() {
      let read = Read(index, source, records, temporary)
      // What has mistakes is read again, so that they are said again.
      if read.keys.isEmpty || !read.mistakes.isEmpty { others.append(read) } else { lasting.append(read) }
    }
    for (reads, isKept) in [(lasting, true), (others, false)] where !reads.isEmpty {
      let record = NameRecord(reads.map(\.names))
      let key = isKept ? records.flatMap { keep(record, reads, in: $0) } : nil
      for (number, (read, facts)) in zip(reads, record.facts).enumerated() {
        items[read.index] = Item(
          facts: facts, mistakes: read.mistakes,
          location: key.map { FactsLocation(record: $0, number: number) })
      }
    }
    self.items = items.compactMap(\.self)
  }

  private struct Read {
    let index: Int
    let names: ArtifactNames
    let mistakes: [Mistake]
    /// Under which the facts are to be kept.
    let keys: [Digest]

    init(_ index: Int, _ source: Source, _ records: KeptRecords?, _ temporary: FilePath) {
      self.index = index
      let plugin = source.plugin
      var keys = records != nil && plugin.isSettled ? [plugin.key].compactMap(\.self) : []
      var old = source.old
      // The same content, perhaps of another file.
      if old == nil, let records, plugin.key != nil, Artifact.isContainer(plugin.path),
        let digest = try? FileSystem.digest(of: plugin.path)
      {
        keys.append(plugin.key(ofContent: digest))
        old = records.location(plugin.key(ofContent: digest)).flatMap { records.facts(at: $0) }
      }
      if let old {
        (names, mistakes) = (ArtifactNames(old), [])
      } else {
        let artifact = Artifact(plugin.path, temporary: temporary)
        names = ArtifactNames(artifact, isForApple: artifact.isFile && AndroidContents.isNothing(plugin.path))
        mistakes = artifact.mistakes + names.mistakes
      }
      // What has become another file meanwhile is not kept as what it was.
      let isSame = source.old != nil || CheckPlugins.status(of: plugin.path).map(FileVersion.init) == plugin.version
      self.keys = isSame ? keys : []
    }
  }

  /// The record's key; nil if it could not be kept: being forgotten is no reason to fail.
  private mutating func keep(_ record: NameRecord, _ reads: [Read], in records: KeptRecords) -> Digest? {
    // Named by all that is in it: a record of other plugins in its place would be read as theirs.
    let key = Digest(of: Array("\(PluginFacts.keyPrefix)\n".utf8) + reads.flatMap { $0.keys[0].bytes })
    do throws(FileError) {
      try records.keep(record, as: key)
      for (number, read) in reads.enumerated() {
        for name in read.keys { try records.keep(FactsLocation(record: key, number: number), of: name) }
      }
      sound[key] = records.version(of: key)
      return key
    } catch {
      return nil
    }
  }
}
