import Artifacts
import Findings
package import Store

extension AndroidContents {
  package func write(to writer: inout RecordWriter, below path: String) {
    writer.add(jars) { writer, jar in
      writer.add(jar.place, below: path)
      writer.add(jar.classes.lowerBound)
      writer.add(jar.classes.upperBound)
    }
    writer.add(files) { writer, file in
      writer.add(name: file.kind.rawValue)
      writer.add(file.path)
      writer.add(file.place, below: path)
      writer.add(optional: file.content) { $0.add($1) }
    }
    writer.add(manifests) { writer, manifest in
      writer.add(manifest.place, below: path)
      writer.add(bytes: manifest.bytes)
      writer.add(optional: manifest.namespace) { $0.add($1) }
    }
    writer.add(bytes: names)
    writer.add(Array(0..<classCount)) { writer, index in
      writer.add(name(of: index).upperBound)
      writer.add(content(of: index))
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
    let files = reader.list { reader -> AndroidFile? in
      guard let kind = reader.name().flatMap({ AndroidFile.Kind(rawValue: $0) }), let name = reader.text(),
        let place = reader.place(below: path), let content = reader.optional({ $0.checksum() })
      else { return nil }
      return AndroidFile(kind: kind, path: name, place: place, content: content)
    }
    let manifests = reader.list { reader -> AndroidManifestFile? in
      guard let place = reader.place(below: path), let bytes = reader.bytes(),
        let namespace = reader.optional({ $0.text() })
      else { return nil }
      return AndroidManifestFile(place: place, bytes: Array(bytes), namespace: namespace)
    }
    guard let jars, let files, let manifests, let names = reader.bytes().map(Array.init) else { return nil }
    var last = 0
    let classes = reader.list { reader -> (end: Int, content: ContentChecksum)? in
      guard let end = reader.number(), let content = reader.checksum(), end >= last, end <= names.count else {
        return nil
      }
      last = end
      return (end, content)
    }
    guard let classes, jars.allSatisfy({ $0.classes.upperBound <= classes.count }) else { return nil }
    (self.jars, self.files, self.manifests) = (jars, files, manifests)
    (self.names, self.classes) = (names, classes)
  }
}
