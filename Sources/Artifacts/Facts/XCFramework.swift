package import Documents
import Findings
package import ObjectFiles

// An XCFramework: a folder `X.xcframework` with one library for each platform and variant, and an `Info.plist`:
//
//   AvailableLibraries: [{
//     LibraryIdentifier: ios-arm64_x86_64-simulator      the folder that the library is in
//     LibraryPath: libX.a  or  X.framework               in that folder
//     BinaryPath: X.framework/X                          since Xcode 15, in that folder
//     HeadersPath: Headers, DebugSymbolsPath: dSYMs      if there are any, in that folder
//     SupportedPlatform: ios, SupportedPlatformVariant: simulator, SupportedArchitectures: [arm64, x86_64] }]
//
// Xcode goes by these keys and not by what the code says.

package struct XCFramework: Sendable {
  package struct Library: Sendable {
    package var identifier: String
    package var path: String
    var binaryPath: String?
    package var headersPath: String?
    package var debugSymbolsPath: String?
    package var platform: String
    package var variant: String?
    package var architectures: [String]
    /// Whether Xcode may link the dynamic library as a static one. Xcode 15 and later read it.
    package var hasMergeableMetadata = false

    package init(
      platform: String, variant: String?, architectures: [String], path: String, binaryPath: String?
    ) {
      self.architectures = architectures.sorted()
      (self.platform, self.variant, self.path, self.binaryPath) = (platform, variant, path, binaryPath)
      identifier = [platform, self.architectures.joined(separator: "_"), variant].compactMap(\.self)
        .joined(separator: "-")
    }

    /// Its entry in the list, as Xcode 15 and later write it.
    fileprivate var propertyList: PropertyList {
      var list: [String: PropertyList] = [
        "LibraryIdentifier": .text(identifier), "LibraryPath": .text(path), "SupportedPlatform": .text(platform),
        "SupportedArchitectures": .list(architectures.map(PropertyList.text)),
      ]
      let others = [
        "BinaryPath": binaryPath, "HeadersPath": headersPath, "DebugSymbolsPath": debugSymbolsPath,
        "SupportedPlatformVariant": variant,
      ]
      for case (let key, let value?) in others { list[key] = .text(value) }
      if hasMergeableMetadata { list["MergeableMetadata"] = .flag(true) }
      return .map(list)
    }

    /// Nil if a key is missing that Xcode requires.
    package init?(_ info: PropertyList) {
      guard let identifier = info["LibraryIdentifier"]?.text, let path = info["LibraryPath"]?.text,
        let platform = info["SupportedPlatform"]?.text, let list = info["SupportedArchitectures"]?.list
      else { return nil }
      self.identifier = identifier
      self.path = path
      self.platform = platform
      binaryPath = info["BinaryPath"]?.text
      headersPath = info["HeadersPath"]?.text
      debugSymbolsPath = info["DebugSymbolsPath"]?.text
      // swift-build treats both names as the same.
      variant = info["SupportedPlatformVariant"]?.text.map { $0 == "macabi" ? "maccatalyst" : $0 }
      architectures = list.compactMap(\.text)
    }

    /// Paths in the XCFramework; the first one that exists is its code. A versioned framework has the code in
    /// `Versions/A` and a link to it; where links have become copies there are two files, and one is linked.
    package var binaries: [String] {
      var paths = binaryPath.map { [$0] } ?? []
      if let name = frameworkName {
        paths += ["\(path)/\(name)", "\(path)/Versions/A/\(name)", "\(path)/Versions/B/\(name)"]
      } else {
        paths.append(path)
      }
      return paths.map { "\(identifier)/\($0)" }
    }

    /// `X` of `X.framework`; nil if it is no framework.
    package var frameworkName: String? {
      guard path.lowercased().hasSuffix(".framework") else { return nil }
      return String(path.lastPathPart.dropLast(".framework".count))
    }

    /// `ios`, `ios-simulator`: Xcode selects a library by this name and not by the name of its folder.
    package var target: String { variant.map { "\(platform)-\($0)" } ?? platform }

    /// The platform of its code; nil if the platform is not known here.
    package var codePlatform: Platform? {
      Slice(platform: platform, architecture: "", variant: variant).codePlatform
    }
  }

  var libraries: [Library]

  package init(_ libraries: [Library]) { self.libraries = libraries }

  /// The `Info.plist`, its libraries sorted by their folders. Version 1.1 is the first with mergeable libraries.
  package var propertyList: PropertyList {
    let version = libraries.contains(where: \.hasMergeableMetadata) ? "1.1" : "1.0"
    let sorted = libraries.sorted { $0.identifier < $1.identifier }
    return .map([
      "AvailableLibraries": .list(sorted.map(\.propertyList)), "CFBundlePackageType": .text("XFWK"),
      "XCFrameworkFormatVersion": .text(version),
    ])
  }

  /// Nil if the bytes are not such an `Info.plist`.
  init?(_ bytes: [UInt8]) {
    guard let list = (try? PropertyList.read(bytes))?["AvailableLibraries"]?.list else { return nil }
    libraries = list.compactMap(Library.init)
    guard libraries.count == list.count else { return nil }
  }

  /// The linked file of each library, by path; `paths` are the files in the XCFramework.
  func linked(_ paths: Set<String>) -> [String: Library] {
    var found: [String: Library] = [:]
    for library in libraries {
      if let path = library.binaries.first(where: paths.contains), found[path] == nil { found[path] = library }
    }
    return found
  }

  /// The XCFramework of a place and the path in it: `a/X.xcframework` and `ios-arm64/libX.a`.
  static func split(_ place: Place) -> (root: Place, path: String)? {
    split(place.parts.last ?? "").map { (Place(parts: place.parts.dropLast() + [$0.root]), $0.path) }
  }

  package static func split(_ name: String) -> (root: String, path: String)? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard let index = parts.lastIndex(where: { $0.hasSuffix(".xcframework") }) else { return nil }
    return (parts[...index].joined(separator: "/"), parts[(index + 1)...].joined(separator: "/"))
  }
}
