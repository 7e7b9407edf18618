import Documents
import Findings

/// The versions of a Gradle build, `gradle/libs.versions.toml`: scripts name them as `libs.versions.minSdk`. Of TOML only
/// lines with a key and a plain text are read, which is how such files are written.
package struct VersionCatalog: Sendable {
  private let versions: PlainValues

  /// The path below a build's root.
  package static let path = "gradle/libs.versions.toml"

  package init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let own = lines.drop { !$0.starts(with: "[versions]".utf8) }.dropFirst().prefix { $0.first != UInt8(ascii: "[") }
    versions = PlainValues(Array(own.joined(separator: [UInt8(ascii: "\n")])))
  }

  /// The version that a script calls `libs.versions.NAME`: its key may have hyphens or underscores in place of dots.
  package func version(_ name: String) -> String? {
    let keys = ["-", "_", "."].map { name.with($0, for: ".") }
    guard case .text(let text)? = versions.first(keys)?.value else { return nil }
    return text
  }

  /// The version of the Kotlin compiler, which catalogs usually call `kotlin`.
  package var kotlin: KotlinVersion? { version("kotlin").flatMap { KotlinVersion($0) } }
}

/// An API level in a script: a number, or the name of a version of the build's catalog.
package enum GradleLevel: Hashable, Sendable {
  case number(Int)
  case version(String)

  /// `24`, `24)`, or `libs.versions.minSdk.get().toInt()`; nil for what a script computes otherwise.
  init?(_ text: String) {
    let name = text.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ";") }
    let end = name.suffix(GradleLevel.close.count).elementsEqual(GradleLevel.close) ? name.dropLast() : name
    if end.starts(with: GradleLevel.open),
      let close = GradleLevel.conversions.first(where: { end.suffix($0.count).elementsEqual($0) })
    {
      let key = end.dropFirst(GradleLevel.open.count).dropLast(close.count)
      guard !key.isEmpty, !key.contains(UInt8(ascii: "(")) else { return nil }
      self = .version(String(decoding: key, as: UTF8.self))
      return
    }
    let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
    let rest = text.utf8.dropFirst(digits.count)
    guard rest.allSatisfy({ $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: ";") || $0 == 0x20 }),
      let number = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    self = .number(number)
  }

  /// Nil for a version that the catalog does not have.
  package func value(in catalog: VersionCatalog?) -> Int? {
    switch self {
    case .number(let number): number
    case .version(let name): AndroidManifest.level(catalog?.version(name))
    }
  }

  private static let open = Array("libs.versions.".utf8)
  private static let close = Array("))".utf8)
  private static let conversions = [".get().toInt()", ".get().toInteger()"].map { Array($0.utf8) }
}
