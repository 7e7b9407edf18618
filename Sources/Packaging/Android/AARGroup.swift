import Android
import Archives
import Findings

/// The parts of an AAR in their order (Android Gradle plugin, `BundleAar`; the names are those of `SdkConstants`).
/// `classes.jar` is before `libs/`, because Bazel reads the jars in the archive's order.
enum AARGroup: Int, Comparable, CaseIterable, Sendable {
  case manifest, metadata, classes, resources, symbols, publicSymbols, rules, assets, libs, jni, prefab, aidl, profile
  case api, lint, annotations, navigation, dataBinding, files

  static func < (one: AARGroup, other: AARGroup) -> Bool { one.rawValue < other.rawValue }

  init(_ path: EntryPath) {
    let parts = path.components.map { String(decoding: $0, as: UTF8.self) }
    switch (parts[0], parts.count) {
    case (let name, 1): self = AARGroup.single[name] ?? .files
    case ("res", _): self = .resources
    case ("assets", _): self = .assets
    case ("libs", 2) where parts[1].hasSuffix(".jar"): self = .libs
    case ("jni", 3) where parts[2].hasSuffix(".so") || AndroidFile.debuggers.contains(parts[2]): self = .jni
    case ("prefab", _): self = .prefab
    case ("aidl", _): self = .aidl
    case ("data-binding", _), ("data-binding-base-class-log", _): self = .dataBinding
    default: self = path.description == AARMetadata.path ? .metadata : .files
    }
  }

  private static let single: [String: AARGroup] = [
    "AndroidManifest.xml": .manifest, "classes.jar": .classes, "R.txt": .symbols, "public.txt": .publicSymbols,
    "proguard.txt": .rules, "baseline-prof.txt": .profile, "api.jar": .api, "lint.jar": .lint,
    "annotations.zip": .annotations, "navigation.json": .navigation,
  ]

  /// The key of a manifest that brings the part, and by which `without` leaves it out of an embedded AAR; nil for a part
  /// that an AAR does not work without.
  var key: String? {
    switch self {
    case .manifest, .metadata, .classes, .resources, .symbols, .libs: nil
    case .publicSymbols: "public"
    case .rules: "consumer-rules"
    case .profile: "baseline-profile"
    case .dataBinding: "data-binding"
    case .assets, .jni, .prefab, .aidl, .api, .lint, .annotations, .navigation, .files: "\(self)"
    }
  }

  static let keys = allCases.compactMap(\.key)

  /// The rule against a second entry of one name.
  var rule: RuleID {
    switch self {
    case .resources: "duplicate-resource"
    case .assets: "duplicate-asset"
    case .jni: "duplicate-native-library"
    default: "aar-structure"
    }
  }

  var noun: String {
    switch self {
    case .resources: "the resource"
    case .assets: "the asset"
    case .jni: "the native library"
    case .libs: "the jar"
    default: "the file"
    }
  }
}
