import Artifacts
import Documents
import Findings
import ObjectFiles

/// A library that is in a jar, as the files say that its build left there.
package struct JarOrigin: Hashable, Sendable {
  /// `com.squareup.okhttp3:okhttp`, or the name of a Kotlin module.
  package let library: String
  /// Nil if it is not known.
  package let version: String?
}

/// The version of the metadata in Kotlin's class files and modules: that of the language from 1.4 on, and 1.1 before.
package struct KotlinVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let major: Int
  package let minor: Int

  package init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

  /// `2.1`, or `2.1.20`; nil for other texts.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (2...3).contains(parts.count), parts.allSatisfy({ (0..<1000).contains($0) }) else { return nil }
    self.init(parts[0], parts[1])
  }

  package static func < (one: KotlinVersion, other: KotlinVersion) -> Bool {
    (one.major, one.minor) < (other.major, other.minor)
  }

  /// A compiler reads what the next version of the language writes, too; behind 1.9 is 2.0.
  package var next: KotlinVersion {
    self == KotlinVersion(1, 9) ? KotlinVersion(2, 0) : KotlinVersion(major, minor + 1)
  }

  package var description: String { "\(major).\(minor)" }
}

/// The files in a jar that say what it was made of:
///
///   META-INF/maven/GROUP/NAME/pom.properties    groupId, artifactId, version (Maven)
///   META-INF/GROUP_NAME.version                 the version as text (AndroidX)
///   META-INF/NAME.kotlin_module                 the number of the version's parts and those parts, each as 4 bytes with
///                                               the highest first, and then what is no concern here (Kotlin)
struct JarOrigins {
  private var named: [JarOrigin] = []
  private var modules: [JarOrigin] = []
  /// The newest of its modules.
  private(set) var kotlin: KotlinVersion?

  var all: [JarOrigin] { named.isEmpty ? modules : named }

  /// Real jars have a few; those that many libraries were joined into name dozens.
  private static let maxCount = 256

  static func isRead(_ path: [UInt8]) -> Bool { kind(path) != nil }

  private enum Kind { case pom, version, kotlinModule }

  private static func kind(_ path: [UInt8]) -> Kind? {
    guard path.starts(with: "META-INF/".utf8) else { return nil }
    let isInFolder = path.dropFirst("META-INF/".utf8.count).contains(UInt8(ascii: "/"))
    if isInFolder { return isSuffix("/pom.properties", path) && path.starts(with: "META-INF/maven/".utf8) ? .pom : nil }
    return isSuffix(".version", path) ? .version : isSuffix(".kotlin_module", path) ? .kotlinModule : nil
  }

  private static func isSuffix(_ text: String, _ path: [UInt8]) -> Bool {
    path.suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  mutating func add(_ path: [UInt8], _ bytes: EntryBytes) {
    guard named.count + modules.count < JarOrigins.maxCount, let kind = JarOrigins.kind(path) else { return }
    let name = String(decoding: path, as: UTF8.self).lastPathPart
    switch kind {
    case .pom:
      let values = JavaProperties.values(bytes.copy())
      guard let group = values["groupId"], let artifact = values["artifactId"] else { return }
      named.append(JarOrigin(library: "\(group):\(artifact)", version: JarOrigins.version(values["version"] ?? "")))
    case .version:
      let parts = name.dropLast(".version".utf8.count).split(separator: "_", maxSplits: 1)
      guard parts.count == 2 else { return }
      let text = String(decoding: bytes.copy(0..<min(bytes.count, 100)), as: UTF8.self)
      named.append(JarOrigin(library: "\(parts[0]):\(parts[1])", version: JarOrigins.version(String(text.trimmed))))
    case .kotlinModule:
      modules.append(JarOrigin(library: String(name.dropLast(".kotlin_module".utf8.count)), version: nil))
      if let found = JarOrigins.kotlin(bytes) { kotlin = max(kotlin ?? found, found) }
    }
  }

  /// Nil for a text that is no version: some builds left the description of a task there.
  private static func version(_ text: String) -> String? {
    guard let first = text.utf8.first, (0x30...0x39).contains(first), text.utf8.count < 64 else { return nil }
    return text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
  }

  static func isKotlinModule(_ path: [UInt8]) -> Bool { kind(path) == .kotlinModule }

  static func kotlin(_ bytes: EntryBytes) -> KotlinVersion? {
    bytes.withReader { reader -> KotlinVersion? in
      func number(_ index: Int) -> Int? {
        let place = reader.range.lowerBound + 4 * index
        guard var window = try? reader.slice(place..<place + 4, "version of a Kotlin module", .big),
          let value: UInt32 = try? window.read("version of a Kotlin module")
        else { return nil }
        return Int(value)
      }
      guard let count = number(0), (2...8).contains(count), let major = number(1), let minor = number(2), major < 1000,
        minor < 1000
      else { return nil }
      return KotlinVersion(major, minor)
    }
  }
}
