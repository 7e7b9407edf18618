package import Findings
package import ObjectFiles

/// A file or folder of a plugin that Xcode copies beside the app or into it, or that a compiler searches for.
package struct LayoutItem: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case header, framework, bundle, resource
    case moduleMap = "module-map"
    case swiftModule = "swift-module"
    case debugSymbols = "debug-symbols"
    /// A privacy manifest beside static code.
    case privacyManifest = "privacy-manifest"
  }

  package var kind: Kind
  /// Below the folder that Xcode builds into, or that the compiler searches: `include/Foo/Foo.h`, `Foo.framework`. A
  /// bundle or resource is in the app itself.
  package var destination: String
  /// The XCFramework that it is in, or the plugin.
  package var container: Place
  /// The path in the container; nil for the container itself.
  package var member: String?
  /// Platforms and variants, without architectures; empty if it is for all.
  package var targets: [Slice] = []
  /// Whether Xcode copies it; else it stays in its place.
  package var isCopied: Bool
  /// Nil if it is a folder or was not read.
  package var content: ContentChecksum?
  /// The modules that a module map defines; those of a framework if it is one.
  package var modules: [String] = []
  /// `CFBundleIdentifier` and version of a framework or bundle.
  package var identifier: String?
  package var version: String?
  /// Set for frameworks only.
  package var code: FrameworkCode?

  package var place: Place { member.map(container.inside) ?? container }
}

/// The binary of a framework.
package struct FrameworkCode: Hashable, Sendable {
  /// One architecture of a dynamic library.
  package struct Image: Hashable, Sendable {
    package var architecture: String
    /// 16 bytes; empty if it has none.
    package var uuid: [UInt8]
    /// Equal for images that export the same names.
    package var exports: UInt64
    /// Nil if the file does not tell.
    package var platform: Platform?
    package var minimumOS = OSVersion(0)
  }

  package var isDynamic: Bool
  package var installName: String?
  /// Empty if it is static.
  package var images: [Image] = []
  /// The frameworks that it loads by `@rpath`, each once, sorted: `Foo.framework`. Those without which it is loaded all
  /// the same are left out.
  package var loads: [String] = []
  /// The frameworks that are in it.
  package var carries: [String] = []
}

package struct LayoutFacts: Sendable {
  package var items: [LayoutItem] = []
  /// Module maps with mistakes, which are not stored.
  package var mistakes: [Mistake] = []

  package init(items: [LayoutItem] = []) { self.items = items }
}
