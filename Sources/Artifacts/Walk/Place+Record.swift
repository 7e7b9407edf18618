package import Findings
package import Store

// The store's record leaves the artifact's own path out of places, so that it is valid at another path, too.

extension RecordWriter {
  package mutating func add(_ content: ContentChecksum) {
    add(Int(content.size))
    add(Int(content.crc32))
  }

  package mutating func add(_ place: Place, below path: String) {
    let first = place.parts.first ?? ""
    let isBelow = first.utf8.starts(with: path.utf8)
    add(isBelow ? String(decoding: first.utf8.dropFirst(path.utf8.count), as: UTF8.self) : first)
    add(Array(place.parts.dropFirst())) { $0.add($1) }
  }
}

extension RecordReader {
  package mutating func checksum() -> ContentChecksum? {
    guard let size = number(), let crc32 = number() else { return nil }
    return ContentChecksum(size: size, crc32: UInt32(truncatingIfNeeded: crc32))
  }

  package mutating func place(below path: String) -> Place? {
    guard let first = text(), let rest = list({ $0.text() }) else { return nil }
    return Place(parts: [path + first] + rest)
  }
}
