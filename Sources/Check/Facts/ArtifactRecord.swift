import Android
import Artifacts
import Collisions
import ObjectFiles
import Store

/// The facts about an artifact that a check needs, found in one walk and stored by its content.
///
/// The stored form is the size of the facts, the facts, and then the names (`SymbolNames`).
struct ArtifactRecord: Sendable {
  let names: SymbolNames
  let facts: ArtifactFacts

  init(_ names: SymbolNames, _ facts: ArtifactFacts) { (self.names, self.facts) = (names, facts) }

  /// - Parameter path: the artifact's path, below which its places are.
  func bytes(below path: String) -> [UInt8] {
    var writer = RecordWriter()
    writer.addSized { facts.write(to: &$0, below: path) }
    writer.add(unsized: names.record)
    return writer.bytes
  }

  /// Reads the names and not the facts: a check mostly asks an unchanged plugin only for its names.
  static func names(_ bytes: EntryBytes) -> SymbolNames? {
    guard let size = size(bytes), let part = bytes.part((4 + size)..<bytes.count) else { return nil }
    return SymbolNames(part)
  }

  static func facts(_ bytes: EntryBytes, below path: String) -> ArtifactFacts? {
    guard let size = size(bytes) else { return nil }
    var reader = RecordReader(bytes.copy(4..<4 + size)[...])
    return ArtifactFacts(&reader, below: path)
  }

  /// The size of the facts in bytes.
  private static func size(_ bytes: EntryBytes) -> Int? {
    var reader = RecordReader(bytes.copy(0..<4)[...])
    guard let size = reader.number(), 4 + size <= bytes.count else { return nil }
    return size
  }
}

/// The facts that families compare, other than the names of symbols.
struct ArtifactFacts: Sendable {
  /// The number of files with native code.
  var codeCount = 0
  var android = AndroidContents()
  var layout = LayoutFacts()
  /// Names of Objective-C classes, sorted.
  var classes: [String] = []
  /// The code that no family reads, such as code for Windows.
  var unread: [String] = []
  /// Sorted.
  var libraries: [LibraryVersion] = []

  /// Whether there is more than code.
  var hasFiles: Bool { !android.isEmpty || !layout.items.isEmpty || !unread.isEmpty }

  init() {}

  init(
    codeCount: Int, android: AndroidContents, layout: LayoutFacts, classes: [String], unread: [String],
    libraries: [LibraryVersion]
  ) {
    self.codeCount = codeCount
    self.android = android
    self.layout = layout
    self.classes = classes
    self.unread = unread
    self.libraries = libraries
  }

  func write(to writer: inout RecordWriter, below path: String) {
    writer.add(codeCount)
    android.write(to: &writer, below: path)
    layout.write(to: &writer, below: path)
    writer.add(classes) { $0.add($1) }
    writer.add(unread) { $0.add($1) }
    writer.add(libraries) { writer, library in
      writer.add(library.library)
      writer.add(library.version)
    }
  }

  init?(_ reader: inout RecordReader, below path: String) {
    guard let codeCount = reader.number(), let android = AndroidContents(&reader, below: path),
      let layout = LayoutFacts(&reader, below: path), let classes = reader.list({ $0.text() }),
      let unread = reader.list({ $0.text() }),
      let libraries = reader.list({ reader -> LibraryVersion? in
        guard let library = reader.text(), let version = reader.text() else { return nil }
        return LibraryVersion(library: library, version: version)
      }), reader.isAtEnd
    else { return nil }
    self.init(
      codeCount: codeCount, android: android, layout: layout, classes: classes, unread: unread, libraries: libraries)
  }
}
