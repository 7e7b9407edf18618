import Archives

/// The shrinker's rules that a jar brings. Given a jar, the Android Gradle plugin takes those below
/// `META-INF/com.android.tools/` that are for its shrinker, and only where there are none those of `META-INF/proguard/`.
/// Given an AAR it does not look into `libs/`, and rules of the first kind in `classes.jar` switch `proguard.txt` off. So
/// an AAR has all rules in `proguard.txt`.
struct ShrinkerRules {
  private var members: [JarContents.Member] = []

  mutating func add(_ member: JarContents.Member) { members.append(member) }

  /// What today's shrinker takes of one jar: R8's rules, if not for older versions of it, else those for everybody.
  var current: [JarContents.Member] {
    let kinds = Dictionary(grouping: members) { Kind($0.path) }
    let chosen = [Kind.r8, .any, .proguard].lazy.compactMap { kinds[$0] }.first ?? []
    return chosen.sorted { $0.path < $1.path }
  }

  /// How many others there are.
  var passedOver: Int { members.count - current.count }

  private enum Kind {
    case r8, any, proguard, older

    init(_ path: EntryPath) {
      let parts = path.components.map { String(decoding: $0, as: UTF8.self).lowercased() }
      guard parts.count > 3, parts[1] == "com.android.tools" else {
        self = parts.count > 1 && parts[1] == "com.android.tools" ? .r8 : .any
        return
      }
      // `r8-from-1.6.0-upto-3.0.0`: without the second part, of all later ones.
      if parts[2].hasPrefix("r8") { self = parts[2].contains("-upto-") ? .older : .r8 } else { self = .proguard }
    }
  }
}
