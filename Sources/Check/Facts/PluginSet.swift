import Artifacts
import Store

/// The results of the last check of the same plugins: the facts about each, and which plugins share names. With it, a
/// check compares only changed plugins with the others, and reads nothing if none has changed.
package struct PluginSet: Equatable, Sendable {
  struct Item: Equatable, Sendable {
    var version: Digest
    var slices: [Slice]
    var codeCount: Int
    var hasFiles: Bool
  }

  /// Nil for a plugin that may change without a new stamp, or that could not be read whole.
  var items: [Item?]
  var slices: [Slice: SymbolIndex.Relations] = [:]
}

extension PluginSet {
  package var bytes: [UInt8] {
    var writer = RecordWriter()
    writer.add(items) { writer, item in
      writer.add(optional: item) { writer, item in
        writer.add(item.version)
        writer.add(item.slices) { $0.add($1) }
        writer.add(item.codeCount)
        writer.add(item.hasFiles)
      }
    }
    writer.add(slices.sorted { $0.key < $1.key }) { writer, slice in
      writer.add(slice.key)
      slice.value.shared.write(to: &writer)
      writer.add(slice.value.related) { $0.add($1) }
    }
    return writer.bytes
  }

  /// Nil if the bytes are not a set of this many plugins.
  package init?(_ bytes: [UInt8], count: Int) {
    var reader = RecordReader(bytes[...])
    let items = reader.list { reader in
      reader.optional { reader -> Item? in
        guard let version = reader.digest(), let slices = reader.list({ $0.slice() }), let codeCount = reader.number(),
          let hasFiles = reader.flag()
        else { return nil }
        return Item(version: version, slices: slices, codeCount: codeCount, hasFiles: hasFiles)
      }
    }
    guard let items, items.count == count else { return nil }
    let slices = reader.list { reader -> (slice: Slice, relations: SymbolIndex.Relations)? in
      guard let slice = reader.slice(), let shared = AdjacencyMatrix(&reader, count: count),
        let related = reader.list({ $0.number() }), related.allSatisfy({ $0 < count })
      else { return nil }
      return (slice, SymbolIndex.Relations(shared: shared, related: related))
    }
    guard let slices, reader.rest.isEmpty else { return nil }
    self.items = items
    for (slice, relations) in slices { self.slices[slice] = relations }
  }
}
