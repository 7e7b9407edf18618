import Findings
package import Store

// The store's record leaves the artifact's own path out of places, so that it is valid at another path, too.
extension AndroidContents {
  package func write(to writer: inout RecordWriter, below path: String) {
    writer.add(jars) { writer, jar in
      writer.add(jar.place, below: path)
      writer.add(jar.classes.lowerBound)
      writer.add(jar.classes.upperBound)
    }
    writer.add(libraries) { writer, library in
      writer.add(library.place, below: path)
      writer.add(name: library.abi)
      writer.add(library.name)
      writer.add(Int(library.content.size))
      writer.add(Int(library.content.crc32))
    }
    writer.add(bytes: names)
    writer.add(Array(0..<classCount)) { writer, index in
      writer.add(name(of: index).upperBound)
      writer.add(Int(content(of: index).size))
      writer.add(Int(content(of: index).crc32))
    }
  }

  /// Nil if the bytes are no such record.
  package init?(_ reader: inout RecordReader, below path: String) {
    self.init()
    let jars = reader.list { reader -> Jar? in
      guard let place = reader.place(below: path), let start = reader.number(), let end = reader.number(), start <= end
      else { return nil }
      return Jar(place: place, classes: start..<end)
    }
    let libraries = reader.list { reader -> NativeLibrary? in
      guard let place = reader.place(below: path), let abi = reader.name(), let name = reader.text(),
        let size = reader.number(), let crc32 = reader.number()
      else { return nil }
      return NativeLibrary(
        place: place, abi: abi, name: name, content: Checksum(size: size, crc32: UInt32(truncatingIfNeeded: crc32)))
    }
    guard let jars, let libraries, let names = reader.bytes().map(Array.init) else { return nil }
    var last = 0
    let classes = reader.list { reader -> (end: Int, content: Checksum)? in
      guard let end = reader.number(), let size = reader.number(), let crc32 = reader.number(), end >= last,
        end <= names.count
      else { return nil }
      last = end
      return (end, Checksum(size: size, crc32: UInt32(truncatingIfNeeded: crc32)))
    }
    guard let classes, jars.allSatisfy({ $0.classes.upperBound <= classes.count }) else { return nil }
    (self.jars, self.libraries, self.names, self.classes) = (jars, libraries, names, classes)
  }
}

extension RecordWriter {
  fileprivate mutating func add(_ place: Place, below path: String) {
    let first = place.parts.first ?? ""
    let isBelow = first.utf8.starts(with: path.utf8)
    add(isBelow ? String(decoding: first.utf8.dropFirst(path.utf8.count), as: UTF8.self) : first)
    add(Array(place.parts.dropFirst())) { $0.add($1) }
  }
}

extension RecordReader {
  fileprivate mutating func place(below path: String) -> Place? {
    guard let first = text(), let rest = list({ $0.text() }) else { return nil }
    return Place(parts: [path + first] + rest)
  }
}
