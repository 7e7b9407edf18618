import Android
import Artifacts
import ObjectFiles
import Store

/// All that a check needs of an artifact, from one walk: what a store keeps of it, by its content.
///
/// As bytes: the facts behind their size, then the names (`SymbolNames`).
struct ArtifactRecord: Sendable {
  let names: SymbolNames
  let facts: ArtifactFacts

  init(_ names: SymbolNames, _ facts: ArtifactFacts) { (self.names, self.facts) = (names, facts) }

  /// - Parameter path: the artifact's, below which its places are.
  func bytes(below path: String) -> [UInt8] {
    var writer = RecordWriter()
    var facts = RecordWriter()
    self.facts.write(to: &facts, below: path)
    writer.add(bytes: facts.bytes)
    return writer.bytes + names.record
  }

  /// The names of a record, and not its facts: most that is asked of a plugin that has not changed is which names it has.
  static func names(_ bytes: EntryBytes) -> SymbolNames? {
    guard let size = size(bytes), let part = bytes.part((4 + size)..<bytes.count) else { return nil }
    return SymbolNames(part)
  }

  static func facts(_ bytes: EntryBytes, below path: String) -> ArtifactFacts? {
    guard let size = size(bytes) else { return nil }
    var reader = RecordReader(bytes.copy(4..<4 + size)[...])
    return ArtifactFacts(&reader, below: path)
  }

  /// In bytes, of the facts.
  private static func size(_ bytes: EntryBytes) -> Int? {
    var reader = RecordReader(bytes.copy(0..<4)[...])
    guard let size = reader.number(), 4 + size <= bytes.count else { return nil }
    return size
  }
}

/// What families compare beside the names of symbols.
struct ArtifactFacts: Sendable {
  /// Files with native code.
  var codeCount = 0
  var android = AndroidContents()
  /// Names of classes of Objective-C, sorted.
  var classes: [String] = []

  init() {}

  init(codeCount: Int, android: AndroidContents, classes: [String]) {
    self.codeCount = codeCount
    self.android = android
    self.classes = classes
  }

  func write(to writer: inout RecordWriter, below path: String) {
    writer.add(codeCount)
    android.write(to: &writer, below: path)
    writer.add(classes) { $0.add($1) }
  }

  init?(_ reader: inout RecordReader, below path: String) {
    guard let codeCount = reader.number(), let android = AndroidContents(&reader, below: path),
      let classes = reader.list({ $0.text() }), reader.isAtEnd
    else { return nil }
    self.init(codeCount: codeCount, android: android, classes: classes)
  }
}
