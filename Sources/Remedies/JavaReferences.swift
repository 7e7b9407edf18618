import Artifacts
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// The classes that a jar or an AAR refers to: those that its classes name, and what in its XML could be one.
struct JavaReferences {
  /// As class files spell them: `com/x/A`.
  private(set) var names: Set<[UInt8]> = []
  /// Its own classes that have native methods: the runtime finds the functions of these by the class's name.
  private(set) var natives: Set<[UInt8]> = []

  init(_ path: FilePath) {
    var walk = ArtifactWalk(path, temporary: HostProcess.temporaryFolder)
    while let entry = walk.next(ClassSelection()) {
      guard let bytes = entry.bytes else { continue }
      if entry.header.hasSuffix(".xml") {
        addWords(bytes.copy())
      } else {
        // A damaged class is reported by the check.
        bytes.withReader { reader in try? add(reader) }
      }
    }
  }

  private mutating func add(_ reader: borrowing ByteReader) throws(FormatError) {
    let file = try ClassFile(reader)
    names.formUnion(try file.referenceNames(reader))
    if file.methods.contains(where: { $0.access.contains(.native) }) {
      natives.insert(try reader.copy(file.name, "name of the class"))
    }
  }

  private mutating func addWords(_ text: [UInt8]) {
    for word in text.split(whereSeparator: { !$0.isInName && !".$".utf8.contains($0) && $0 < 0x80 }) {
      guard word.contains(UInt8(ascii: ".")) else { continue }
      names.insert(word.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "/") : $0 })
    }
  }

  private struct ClassSelection: EntrySelection {
    func interest(in header: EntryHeader) -> Interest {
      guard header.kind == .regular else { return .none }
      return header.hasSuffix(".class") ? .content : header.hasSuffix(".xml") ? .document : .none
    }

    func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest { .none }
  }
}
