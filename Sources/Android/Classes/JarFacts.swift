import Archives
package import Artifacts

/// Facts from the directory of a jar; nothing is unpacked for them.
package struct JarFacts: Facts {
  /// Paths of class files, R classes included, in the jar's order.
  package var classes: [[UInt8]] = []
  package var signatures: [[UInt8]] = []
  /// Shrinking rules below `META-INF/com.android.tools/`.
  package var toolRules: [[UInt8]] = []
  package var irregularities: [String] = []
  /// The reason why it cannot be read as a jar.
  package var damage: String?

  /// In bytes: twice the directory of the largest app that Android runs.
  static let maxDirectorySize = 32 << 20

  /// The facts of a jar that is about to be written.
  package init(names: some Sequence<[UInt8]>) { for name in names { add(name) } }

  init(_ source: ArchiveBytes) {
    do throws(ZipFormatError) {
      let directory = try ZipDirectory(source, limit: JarFacts.maxDirectorySize)
      for record in directory.records where !record.isDirectory { add(record.name) }
      irregularities = try directory.irregularities().filter(\.isHarmfulInJar).map(\.description)
    } catch {
      damage = "\(error)"
    }
  }

  /// A jar outside of the root and `libs/` is data of the library.
  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    let isCode = !header.path.contains(UInt8(ascii: "/")) || header.path.starts(with: "libs/".utf8)
    return kind == .aar && isCode && header.path.count > 4 && header.hasSuffix(".jar") ? .document : .none
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> JarFacts? {
    JarFacts(bytes.zip)
  }

  private mutating func add(_ name: [UInt8]) {
    switch JarEntry(name) {
    case .classFile, .rClass: classes.append(name)
    case .signature: signatures.append(name)
    case .shrinkerRules:
      let folders = String(decoding: name, as: UTF8.self).lowercased()
      if folders.hasPrefix("meta-inf/com.android.tools/") { toolRules.append(name) }
    default: break
    }
  }

  package var rClasses: [[UInt8]] { classes.filter { JarEntry($0) == .rClass } }
}

extension ZipIrregularity {
  /// A jar is never unpacked, so names that differ only in case, as an obfuscator makes them, do no harm.
  fileprivate var isHarmfulInJar: Bool {
    switch self {
    case .twins, .dataDescriptor, .storedDescriptor, .setUserID, .extraFields, .comment, .extremeRatio, .prefix,
      .trailing, .unclaimed:
      false
    default: true
    }
  }
}
