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
    writer.add(libraries) { writer, library in
      writer.add(library.place, below: path)
      writer.add(name: library.abi)
      writer.add(library.name)
      writer.add(library.content)
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
    let libraries = reader.list { reader -> NativeLibrary? in
      guard let place = reader.place(below: path), let abi = reader.name(), let name = reader.text(),
        let content = reader.checksum()
      else { return nil }
      return NativeLibrary(place: place, abi: abi, name: name, content: content)
    }
    guard let jars, let libraries, let names = reader.bytes().map(Array.init) else { return nil }
    var last = 0
    let classes = reader.list { reader -> (end: Int, content: ContentChecksum)? in
      guard let end = reader.number(), let content = reader.checksum(), end >= last, end <= names.count else {
        return nil
      }
      last = end
      return (end, content)
    }
    guard let classes, jars.allSatisfy({ $0.classes.upperBound <= classes.count }) else { return nil }
    (self.jars, self.libraries, self.names, self.classes) = (jars, libraries, names, classes)
  }
}
