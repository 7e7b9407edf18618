package import Android
package import Findings

/// The native libraries of an app's plugins for Android. Two of one name for one ABI: Android's build refuses them if their
/// bytes differ, and takes the first in silence if they are the same.
package struct NativeLibraries: Sendable {
  package struct Site: Hashable, Sendable {
    /// Number of the plugin.
    package var plugin: Int
    /// `Rally.aar › jni/arm64-v8a/libc++_shared.so`
    package var place: Place
    package var content: AndroidContents.Checksum
  }

  package struct Duplicate: Hashable, Sendable {
    /// Where the app has it: `lib/arm64-v8a/libc++_shared.so`.
    package var path: String
    /// In the order of the plugins.
    package var sites: [Site]

    /// Whether all are the same bytes, by their sizes and checksums.
    package var isIdentical: Bool { sites.allSatisfy { $0.content == sites[0].content } }
  }

  package private(set) var count = 0
  /// In the order of their paths.
  package private(set) var duplicates: [Duplicate] = []

  package init(_ plugins: [AndroidContents]) {
    var sites: [String: [Site]] = [:]
    for (number, plugin) in plugins.enumerated() {
      count += plugin.libraries.count
      for library in plugin.libraries {
        sites["lib/\(library.abi)/\(library.name)", default: []].append(
          Site(plugin: number, place: library.place, content: library.content))
      }
    }
    duplicates = sites.filter { $0.value.count > 1 }.map { Duplicate(path: $0.key, sites: $0.value) }
      .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }
}
