import Artifacts
import Findings
import Store
import SystemPackage

/// The names of some plugins, read from them and kept in one record.
struct FreshFacts: Sendable {
  struct Item: Sendable {
    var facts: NameFacts
    var mistakes: [Mistake] = []
    /// Where they are kept.
    var location: FactsLocation?
  }

  /// In the order of the plugins.
  private(set) var items: [Item] = []
  /// Records that have just been written.
  private(set) var sound: [Digest: PluginRoster.Status] = [:]

  private let store: ContentStore?

  init(_ plugins: [PluginFacts.Plugin], _ store: ContentStore?, _ temporary: FilePath) {
    self.store = store
    var items = [Item?](repeating: nil, count: plugins.count)
    var (lasting, others): ([Read], [Read]) = ([], [])
    for (index, plugin) in plugins.enumerated() {
      var keys: [Digest] = []
      if let key = plugin.key, let store {
        if plugin.isSettled { keys.append(key) }
        if Artifact.isContainer(plugin.path), let digest = try? FileSystem.digest(of: plugin.path) {
          let content = PluginFacts.key(ofContent: digest)
          if let item = FreshFacts.known(content, store) {
            if let key = keys.first { try? store.keep(item.location, of: key) }
            items[index] = item
            continue
          }
          keys.append(content)
        }
      }
      let artifact = Artifact(plugin.path, temporary: temporary)
      let names = ArtifactNames(
        artifact, isForApple: artifact.isFile && AndroidContents.isNothing(plugin.path))
      let read = Read(index: index, names: names, mistakes: artifact.mistakes + names.mistakes, keys: keys)
      // What has mistakes is read again, so that they are said again.
      if keys.isEmpty || !read.mistakes.isEmpty { others.append(read) } else { lasting.append(read) }
    }
    for (reads, isKept) in [(lasting, true), (others, false)] where !reads.isEmpty {
      let record = NameRecord(reads.map(\.names))
      let key = isKept ? keep(record, reads) : nil
      for (number, read) in reads.enumerated() {
        items[read.index] = Item(
          facts: record.facts[number], mistakes: read.mistakes,
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
  }

  /// The same content, perhaps of another file.
  private static func known(_ content: Digest, _ store: ContentStore) -> Item? {
    guard let location = store.location(content), let facts = store.names(location.record)?.facts,
      facts.indices.contains(location.number)
    else { return nil }
    return Item(facts: facts[location.number], location: location)
  }

  /// The record's key; nil if it could not be kept: being forgotten is no reason to fail.
  private mutating func keep(_ record: NameRecord, _ reads: [Read]) -> Digest? {
    guard let store else { return nil }
    // Named by all that is in it: a record of other plugins in its place would be read as theirs.
    let key = Digest(of: Array("\(PluginFacts.version)\n".utf8) + reads.flatMap { $0.keys[0].bytes })
    do throws(FileError) {
      try record.withBytes { (bytes: RawSpan) throws(FileError) in
        try store.keep(mapped: key, atMost: Int64(bytes.byteCount)) { (output: inout OutputFile) throws(FileError) in
          try output.write(bytes)
        }
      }
      for (number, read) in reads.enumerated() {
        for name in read.keys { try store.keep(FactsLocation(record: key, number: number), of: name) }
      }
      sound[key] = store.status(ofMapped: key).map(PluginRoster.Status.init)
      return key
    } catch {
      return nil
    }
  }
}

extension ContentStore {
  func names(_ record: Digest, isSound: Bool = false) -> NameRecord? {
    guard let file = mapped(record) else { return nil }
    return NameRecord(file, isSound: isSound)
  }

  func location(_ key: Digest) -> FactsLocation? { smallResult(of: key).flatMap { FactsLocation($0) } }

  fileprivate func keep(_ location: FactsLocation?, of key: Digest) throws(FileError) {
    if let location { try keep(small: location.bytes, of: key) }
  }
}

// As bytes: the record's key, then the number of the entry in 4 bytes, little-endian.
extension FactsLocation {
  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.count == Digest.byteCount + 4, let record = Digest(bytes: bytes.prefix(Digest.byteCount)) else {
      return nil
    }
    let number = (0..<4).reduce(0) { $0 | Int(bytes[Digest.byteCount + $1]) << (8 * $1) }
    self.init(record: record, number: number)
  }

  fileprivate var bytes: [UInt8] { record.bytes + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
}
