import Artifacts
import ObjectFiles
import Store
import SystemPackage

/// The classes that the classes of a jar or an AAR refer to.
struct JavaReferences {
  /// As class files spell them: `com/x/A`.
  private(set) var names: Set<[UInt8]> = []

  init(_ path: FilePath) {
    var walk = ArtifactWalk(path, temporary: HostProcess.temporaryFolder)
    while let entry = walk.next(ClassSelection()) {
      // A damaged class is reported by the check.
      let found = entry.bytes?.withReader { reader in try? ClassFile(reader).referenceNames(reader) }
      names.formUnion((found ?? nil) ?? [])
    }
  }

  private struct ClassSelection: EntrySelection {
    func interest(in header: EntryHeader) -> Interest {
      header.kind == .regular && header.hasSuffix(".class") ? .content : .none
    }

    func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest { .none }
  }
}
