package import Artifacts
import Documents
import Findings

/// `aar-metadata.properties`: the demands of an AAR on the consumer's build (Android Gradle plugin, `AarMetadataTask`
/// writes it and `CheckAarMetadataTask` reads it). A consumer refuses an AAR that lacks one of the two versions, or whose
/// major version is above its own.
package struct AARMetadata: Sendable, Equatable {
  package static let path = "META-INF/com/android/build/gradle/aar-metadata.properties"

  /// The preview of an SDK that a library can be compiled with.
  package static let preview = "forceCompileSdkPreview"

  /// Every key with its value; later ones win.
  package private(set) var values: [String: String]

  /// The keys in the order in which they are written, with their default values.
  package static let keys: [(name: String, standard: String, summary: String)] = [
    ("aarFormatVersion", "1.0", "the version of the AAR's format"),
    ("aarMetadataVersion", "1.0", "the version of this file's format"),
    ("minCompileSdk", "1", "the lowest compileSdk of a build that takes the AAR"),
    ("minCompileSdkExtension", "0", "the lowest extension of that SDK"),
    ("minAndroidGradlePluginVersion", "1.0.0", "the oldest Gradle plugin that takes the AAR"),
    ("coreLibraryDesugaringEnabled", "false", "whether the app must desugar Java's library: true or false"),
  ]

  /// The default values with these changes.
  package init(_ changes: [(key: String, value: String)] = []) {
    values = Dictionary(AARMetadata.keys.map { ($0.name, $0.standard) }, uniquingKeysWith: { $1 })
    for (key, value) in changes { values[key] = value }
  }

  package init(properties: [UInt8]) { values = JavaProperties.values(properties) }

  /// The file: known keys in their order, then the others by name.
  package var bytes: [UInt8] {
    let known = AARMetadata.keys.map(\.name)
    let others = values.keys.filter { !known.contains($0) }.sorted()
    return (known + others).flatMap { key in values[key].map { Array("\(key)=\($0)\n".utf8) } ?? [] }
  }

  /// Merges the demands of two libraries in one AAR: the higher of each.
  package mutating func raise(to other: AARMetadata) {
    for key in ["minCompileSdk", "minCompileSdkExtension", "minAndroidGradlePluginVersion"] {
      guard let theirs = other.values[key] else { continue }
      if let ours = values[key], !AARMetadata.isLower(ours, theirs) { continue }
      values[key] = theirs
    }
    // For `preview`, and for demands of newer Gradle plugins, the value of the first library stays.
    let known = AARMetadata.keys.map(\.name)
    for (key, theirs) in other.values where values[key] == nil && !known.contains(key) { values[key] = theirs }
    if other.values["coreLibraryDesugaringEnabled"] == "true" { values["coreLibraryDesugaringEnabled"] = "true" }
  }

  private static func isLower(_ one: String, _ other: String) -> Bool {
    func parts(_ text: String) -> [Int] {
      text.split(separator: ".").map { Int($0.prefix { "0"..."9" ~= $0 }) ?? 0 }
    }
    let pairs = (parts(one), parts(other))
    return pairs.0.lexicographicallyPrecedes(pairs.1)
  }

  /// Problems that a consumer would refuse or fail to read, one line each.
  package var problems: [String] {
    var problems: [String] = []
    for key in ["aarFormatVersion", "aarMetadataVersion"] {
      guard let value = values[key] else {
        problems.append("there is no \(key)")
        continue
      }
      guard let major = Int(value.split(separator: ".").first ?? "") else {
        problems.append("\(key) is '\(value)', not a version")
        continue
      }
      if major > 1 { problems.append("\(key) is \(value): today's Gradle plugins read version 1") }
    }
    for key in ["minCompileSdk", "minCompileSdkExtension"] {
      if let value = values[key], Int(value).map({ $0 < 0 }) ?? true {
        problems.append("\(key) is '\(value)', not a number")
      }
    }
    if let value = values["minAndroidGradlePluginVersion"] {
      let parts = value.split(separator: ".", omittingEmptySubsequences: false)
      let isVersion = parts.count >= 2 && parts.prefix(2).allSatisfy { Int($0) != nil }
      if !isVersion { problems.append("minAndroidGradlePluginVersion is '\(value)', not a version such as 8.0.0") }
    }
    if let value = values["coreLibraryDesugaringEnabled"], !["true", "false"].contains(value) {
      problems.append("coreLibraryDesugaringEnabled is '\(value)', neither true nor false")
    }
    return problems
  }
}

extension AARMetadata: Facts {
  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    kind == .aar && header.path.elementsEqual(path.utf8) ? .document : .none
  }

  package static func read(
    _ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes
  ) throws(UnreadableEntry) -> AARMetadata? {
    AARMetadata(properties: try bytes.document())
  }
}
