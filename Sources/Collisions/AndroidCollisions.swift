package import Android
import Findings

/// `duplicate-java-class` and `duplicate-native-library`.
package enum AndroidCollisions {
  /// `plugins`: in the order of the build; the first `appCount` are the app's own.
  package static func findings(_ plugins: [AndroidContents], appCount: Int) -> [CollisionFinding] {
    classes(JavaClasses(plugins)) + libraries(NativeLibraries(plugins), appCount)
  }

  private static func classes(_ classes: JavaClasses) -> [CollisionFinding] {
    classes.duplicates.map { duplicate in
      let count = duplicate.sites.count
      return CollisionFinding(
        "duplicate-java-class", .error, slice: "android", name: duplicate.name,
        sites: duplicate.sites.map { site($0.place, "class") },
        message:
          "the class \(duplicate.name) is there \(count == 2 ? "twice" : "\(count) times"): the Android build fails",
        hint:
          "let both plugins depend on one library instead of carrying it, or give the package a name of the plugin's own",
        identical: duplicate.isIdentical,
        notes: [duplicate.isIdentical ? "they are the same" : "they differ"])
    }
  }

  private static func libraries(_ libraries: NativeLibraries, _ appCount: Int) -> [CollisionFinding] {
    libraries.duplicates.map { duplicate in
      let own = duplicate.sites.first { $0.plugin < appCount }
      let winner = own ?? (duplicate.isIdentical ? duplicate.sites.first : nil)
      let subject =
        "\(duplicate.path) is there \(duplicate.sites.count == 2 ? "twice" : "\(duplicate.sites.count) times")"
      let (verdict, outcome): (CollisionFinding.Verdict, String) =
        if duplicate.isIdentical {
          (.silent, "the first is taken")
        } else if own != nil {
          (.warning, "the app's is taken")
        } else {
          (.error, "the Android build fails")
        }
      return CollisionFinding(
        "duplicate-native-library", verdict, slice: "android", name: duplicate.path,
        sites: duplicate.sites.map { site($0.place, "library") }, message: "\(subject): \(outcome)",
        hint:
          "let both plugins use one build of the library, or leave it to the app (pickFirst decides by order alone)",
        winner: winner?.place.description, identical: duplicate.isIdentical,
        notes: [duplicate.isIdentical ? "they are the same" : "they differ"])
    }
  }

  private static func site(_ place: Place, _ kind: String) -> CollisionFinding.Site {
    CollisionFinding.Site(
      artifact: Place(parts: place.parts.count > 1 ? Array(place.parts.dropLast()) : place.parts),
      member: place.parts.count > 1 ? place.parts.last : nil, kind: kind)
  }
}
