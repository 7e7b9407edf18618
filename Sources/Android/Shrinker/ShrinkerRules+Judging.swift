package import Artifacts

extension ShrinkerRules {
  /// The options with an effect on all of an app, and rules that keep all of it.
  package var wide: [Option] { options.filter { Self.ofWholeApp.contains($0.name) || $0.keepsAll } }

  /// The Android Gradle plugin 9 refuses some of these in a library's rules; the others, too, are for an app to set.
  private static let ofWholeApp: Set<String> = [
    "allowaccessmodification", "applymapping", "basedirectory", "classobfuscationdictionary", "dontobfuscate",
    "dontoptimize", "dontshrink", "flattenpackagehierarchy", "ignorewarnings", "injars", "libraryjars",
    "obfuscationdictionary", "outjars", "overloadaggressively", "packageobfuscationdictionary", "printconfiguration",
    "printmapping", "printseeds", "printusage", "renamesourcefileattribute", "repackageclasses",
    "useuniqueclassmembernames",
  ]

  /// The options that ask for another file of rules, which an AAR does not have. Other files are for all of an app.
  package var includes: [Option] { options.filter { $0.name == "include" } }

  /// Rules that keep classes of which the library has none. A rule with `-if`, for annotated or derived classes, or for
  /// those of any package (`**.R$*`) may be about the app's.
  ///
  /// - Parameter names: spelled as in Java.
  package func idle(among names: [String]) -> [Option] {
    var names = ClassNames(names)
    return options.filter { option in
      guard option.name.hasPrefix("keep"), !option.isConditional, let classes = option.classes, !classes.isLimited,
        !classes.names.contains(where: { $0.hasPrefix("*") || $0.hasPrefix("!") })
      else { return false }
      return !classes.names.contains { names.hasMatch($0) }
    }
  }
}

/// The names of a library's classes, for many questions.
private struct ClassNames {
  /// Sorted by their bytes.
  private let names: [[UInt8]]
  /// Each comparison takes the product of both lengths from it. Real rules hardly use it: few names begin and end as a
  /// pattern does, and do not match it.
  private var budget = 5_000_000

  init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether one of the names matches; true, too, if that would take too long to know.
  mutating func hasMatch(_ pattern: String) -> Bool {
    let pattern = Array(pattern.utf8)
    let head = pattern.prefix { !"*?<".utf8.contains($0) }
    let tail = pattern.suffix(pattern.reversed().prefix { !"*?>".utf8.contains($0) }.count)
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle].lexicographicallyPrecedes(head) { low = middle + 1 } else { high = middle }
    }
    while low < names.count, names[low].starts(with: head) {
      if names[low].suffix(tail.count) == tail {
        budget -= (names[low].count + 1) * (pattern.count + 1)
        if budget < 0 || ClassPattern.matches(names[low], pattern) { return true }
      }
      low += 1
    }
    return false
  }
}

extension ShrinkerRules.Option {
  package var classes: ClassPattern? { ClassPattern(words) }

  /// `-keep class com.x.**`, without members.
  package var text: String {
    ([(["-\(name)"] + modifiers).joined(separator: ",")] + words).joined(separator: " ")
  }

  /// Whether nothing of an app is shrunk or renamed because of it.
  var keepsAll: Bool {
    guard !isConditional, classes?.isOfAll == true else { return false }
    switch name {
    case "keep", "keepnames": return true
    case "keepclassmembers", "keepclassmembernames":
      let all: Set<String> = ["*", "<methods>", "<fields>", ";"]
      return members.map { !$0.isEmpty && $0.allSatisfy(all.contains) } ?? false
    default: return false
    }
  }
}

extension ShrinkerRules: Facts {
  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest {
    kind == .aar && header.path.elementsEqual("proguard.txt".utf8) ? .document : .none
  }

  package static func read(
    _ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes
  ) throws(UnreadableEntry) -> ShrinkerRules? {
    let text = try bytes.document()
    do throws(Problem) { return try ShrinkerRules(text) } catch { throw UnreadableEntry("\(error)") }
  }
}
