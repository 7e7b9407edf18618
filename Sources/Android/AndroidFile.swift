package import Artifacts
package import Findings

/// A file that Android's build puts into an app under a path that only one can have.
package struct AndroidFile: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case library
    case asset
  }

  package let kind: Kind
  /// In the app: `lib/arm64-v8a/libc++_shared.so`, `assets/a.txt`.
  package let path: String
  package let place: Place
  /// Nil if it is not known.
  package let content: ContentChecksum?
  /// Nil for an asset, and for a library that cannot be read.
  package var native: NativeLibrary?

  /// Files beside native libraries that the Gradle plugin packs for debuggers and sanitizers.
  package static let debuggers: Set<String> = ["wrap.sh", "gdbserver", "gdb.setup"]

  /// The ABI of a native library.
  package var abi: String? { kind == .library ? path.pathParts.dropFirst().first.map(String.init) : nil }
}

/// The manifest of an AAR, or of a module's sources.
package struct AndroidManifestFile: Hashable, Sendable {
  package let place: Place
  package let bytes: [UInt8]
  /// Nil if neither the manifest nor the module's script names one.
  package let namespace: String?
  package var isSource = false
}

/// The rules for the shrinker in an AAR.
package struct ShrinkerRulesFile: Sendable {
  package let place: Place
  /// The texts of those that are for all of the app.
  package let wide: [String]
}

/// The file in which an AAR makes demands on the app's build.
package struct AARMetadataFile: Sendable {
  package let place: Place
  package let metadata: AARMetadata
}

/// The Java resources for which an app has a rule of its own (`packaging.resources`; the defaults of the Android Gradle
/// plugin): neither those that it leaves out nor those that it joins can collide.
enum JavaResource {
  static func canCollide(_ path: [UInt8]) -> Bool {
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard let name = parts.last, !parts.contains(where: isHidden), name.last != UInt8(ascii: "~"),
      !leftOut.contains(name), !name.hasSuffix(kotlinMetadata),
      !parts.dropLast().contains(where: leftOutFolders.contains)
    else { return false }
    if parts.count == 1 { return !licences.contains(name) && name != agent }
    guard parts[0] == metaInf else { return true }
    if parts.count == 2 {
      return !licences.contains(name) && name != manifest && !signatures.contains(where: name.hasSuffix)
    }
    return !metaInfFolders.contains(parts[1]) && !(parts[1] == proguard && parts.count == 3)
  }

  private static func isHidden(_ part: ArraySlice<UInt8>) -> Bool {
    part.first == UInt8(ascii: ".") || part.first == UInt8(ascii: "_")
  }

  private static func slice(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

  private static let leftOut = Set(
    ["about.html", "overview.html", "package.html", "picasa.ini", "protobuf.meta", "thumbs.db"].map(slice))
  private static let leftOutFolders = Set(["CVS", "SCCS"].map(slice))
  private static let licences = Set(["LICENSE", "LICENSE.txt", "NOTICE", "NOTICE.txt"].map(slice))
  private static let signatures = [".DSA", ".EC", ".RSA", ".SF"].map(slice)
  private static let kotlinMetadata = slice(".kotlin_metadata")
  private static let (metaInf, manifest, proguard) = (slice("META-INF"), slice("MANIFEST.MF"), slice("proguard"))
  /// Lists of services are joined, and so is `agent`.
  private static let metaInfFolders = Set(["services", "maven", "com.android.tools"].map(slice))
  private static let agent = slice("jacoco-agent.properties")
}

extension ArraySlice<UInt8> {
  fileprivate func hasSuffix(_ end: ArraySlice<UInt8>) -> Bool { suffix(end.count) == end }
}
