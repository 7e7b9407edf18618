package import Findings

/// What a rule is called, how much it matters unless a recipe or manifest says otherwise, and what it says.
package struct RuleEntry: Sendable {
  package let id: RuleID
  package let level: Level
  package let summary: String

  package init(_ id: RuleID, _ level: Level, _ summary: String) {
    self.id = id
    self.level = level
    self.summary = summary
  }
}

/// Every rule id: of rules, of `check`, and of packing AARs.
package enum RuleCatalogue {
  package static let all: [RuleEntry] = (AllRules.all.map { $0.entry } + clashes).sorted {
    $0.id.rawValue < $1.id.rawValue
  }

  package static func entry(_ id: RuleID) -> RuleEntry? { byID[id] }

  /// Of an id that no rule has.
  package static func suggestion(for id: String) -> String {
    let ids = all.map(\.id.rawValue)
    let rules = "npi-pack recipes rule lists the rules"
    return didYouMean(id, among: ids) ?? "\(Findings.suggestion(for: id, among: ids, few: "one of")); \(rules)"
  }

  private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// Of several plugins in one app, and of several libraries in one AAR.
  private static let clashes: [RuleEntry] = [
    RuleEntry("category-clash", .warning, "two categories of one class define the same method"),
    RuleEntry("class-in-dylib", .warning, "a class is in the app and in a dynamic library"),
    RuleEntry("duplicate-asset", .warning, "two AARs that are packed into one carry the same asset"),
    RuleEntry("duplicate-authority", .error, "two providers of AARs that are packed into one have the same authority"),
    RuleEntry("duplicate-handler", .error, "two plugins handle one query, command or view"),
    RuleEntry("duplicate-java-class", .error, "two plugins carry the same Java class"),
    RuleEntry("duplicate-java-resource", .error, "two jars that are packed into one carry the same Java resource"),
    RuleEntry("duplicate-library", .warning, "two plugins carry one library in different builds"),
    RuleEntry("duplicate-namespace", .error, "two AARs that are packed into one have the same namespace"),
    RuleEntry("duplicate-native-library", .error, "two AARs carry the same native library"),
    RuleEntry("duplicate-resource", .warning, "two AARs that are packed into one define the same resource"),
    RuleEntry("duplicate-symbol", .error, "two plugins define the same symbol"),
    RuleEntry("manifest-conflict", .error, "Android manifests that are packed into one cannot be merged"),
    RuleEntry("missing-policy", .warning, "a plugin has no policy file, and others have one"),
    RuleEntry("odr-violation", .warning, "two plugins define one inline function differently"),
    RuleEntry("protocol-differs", .note, "two plugins define one Objective-C protocol differently"),
    RuleEntry("unhandled-message", .error, "a plugin sends a message that no plugin receives"),
  ]
}
