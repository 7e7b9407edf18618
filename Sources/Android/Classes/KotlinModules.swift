import Archives
package import Artifacts

/// The newest Kotlin that the modules (`META-INF/NAME.kotlin_module`) in a jar were compiled with.
package struct KotlinModules: Facts {
  package let version: KotlinVersion

  /// A jar in an AAR, or a module in a bare jar.
  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    if kind == .jar { return JarOrigins.isKotlinModule(header.path) ? .content : .none }
    return JarFacts.interest(in: header, of: kind)
  }

  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> KotlinModules? {
    if kind == .jar { return JarOrigins.kotlin(bytes).map { KotlinModules(version: $0) } }
    // A jar that is no zip is reported by another rule.
    guard let directory = try? ZipDirectory(bytes.zip, limit: JarFacts.maxDirectorySize) else { return nil }
    let modules = directory.records.lazy.filter { JarOrigins.isKotlinModule($0.name) }
    let versions = modules.prefix(maxModules).compactMap { record in
      (try? directory.contents(of: record, limit: maxSize)).flatMap { JarOrigins.kotlin(EntryBytes($0)) }
    }
    return versions.max().map { KotlinModules(version: $0) }
  }

  private static let maxModules = 256
  /// In bytes; a module lists the files of a package.
  private static let maxSize = 1 << 20
}
