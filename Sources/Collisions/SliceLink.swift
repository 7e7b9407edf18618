import Artifacts
package import Findings
import Store

/// The result of linking one slice.
package struct SliceLink: Sendable {
  package var summary: LinkSummary
  package var collisions: [Collision] = []
  package var mistakes: [Mistake] = []
  package var notes: [String] = []
  /// Paths of files beside the plugins that were looked for, whether or not they are there.
  package var lookedFor: [String] = []

  package init(summary: LinkSummary) { self.summary = summary }

  /// The same link with renumbered plugins; nil if a plugin has no new number.
  package func numbered(_ number: (PluginID) -> PluginID?) -> SliceLink? {
    var link = self
    for index in collisions.indices {
      for site in collisions[index].sites.indices {
        guard let old = collisions[index].sites[site].plugin else { continue }
        guard let new = number(old) else { return nil }
        link.collisions[index].sites[site].plugin = new
      }
    }
    return link
  }
}

// The stored form. It has no mistakes, because a link with mistakes is not stored.
extension SliceLink {
  package var bytes: [UInt8] {
    var writer = RecordWriter()
    writer.add(summary.slice)
    summary.write(to: &writer)
    writer.add(collisions) { $1.write(to: &$0) }
    writer.add(names: notes)
    writer.add(names: lookedFor)
    return writer.bytes
  }

  /// Nil if the bytes are not a stored link.
  package init?(_ bytes: [UInt8]) {
    var reader = RecordReader(bytes[...])
    guard let slice = reader.slice(), let summary = LinkSummary(slice, &reader),
      let collisions = reader.list({ Collision(slice, &$0) }), let notes = reader.names(),
      let lookedFor = reader.names(), reader.rest.isEmpty
    else { return nil }
    self.init(summary: summary)
    (self.collisions, self.notes, self.lookedFor) = (collisions, notes, lookedFor)
  }
}
