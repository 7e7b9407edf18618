package import Artifacts
package import Findings

/// A file that Android's build puts into an app under a path that only one can have.
package struct AndroidFile: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case library
    case asset
    /// A file of a jar that is no class.
    case resource
  }

  package let kind: Kind
  /// In the app: `lib/arm64-v8a/libc++_shared.so`, `assets/a.txt`, `META-INF/LICENSE.md`.
  package let path: String
  package let place: Place
  /// Nil if it is not known.
  package let content: ContentChecksum?

  /// The ABI of a native library.
  package var abi: String? { kind == .library ? path.pathParts.dropFirst().first.map(String.init) : nil }
}

/// The manifest of an AAR.
package struct AndroidManifestFile: Hashable, Sendable {
  package let place: Place
  package let bytes: [UInt8]
  /// The AAR's namespace; nil if the manifest names no package.
  package let namespace: String?
}

/// The Java resources for which an app has a rule of its own (`packaging.resources`; the defaults of the Android Gradle
/// plugin): neither those that it leaves out nor those that it joins can collide.
enum JavaResource {
  static func canCollide(_ path: [String]) -> Bool {
    guard let name = path.last, !path.contains(where: isHidden), !name.hasSuffix("~"), !leftOut.contains(name),
      !name.hasSuffix(".kotlin_metadata"), !path.dropLast().contains(where: leftOutFolders.contains)
    else { return false }
    // `jacoco-agent.properties` and the lists of services are joined.
    if path == ["jacoco-agent.properties"] { return false }
    if path.count == 1 { return !licences.contains(name) }
    guard path[0] == "META-INF" else { return true }
    if path.count == 2 { return !isOfMetaInf(name) }
    return !["services", "maven", "com.android.tools"].contains(path[1]) && !(path[1] == "proguard" && path.count == 3)
  }

  private static func isHidden(_ part: String) -> Bool { part.hasPrefix(".") || part.hasPrefix("_") }

  private static func isOfMetaInf(_ name: String) -> Bool {
    licences.contains(name) || name == "MANIFEST.MF" || [".DSA", ".EC", ".RSA", ".SF"].contains(where: name.hasSuffix)
  }

  private static let licences: Set<String> = ["LICENSE", "LICENSE.txt", "NOTICE", "NOTICE.txt"]
  private static let leftOut: Set<String> = [
    "about.html", "overview.html", "package.html", "picasa.ini", "protobuf.meta", "thumbs.db",
  ]
  private static let leftOutFolders: Set<String> = ["CVS", "SCCS"]
}
