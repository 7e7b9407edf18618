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

/// Every rule id: of rules, of `check`, and of rules that this version lacks, which manifests may set already.
package enum RuleCatalogue {
  package static let all: [RuleEntry] = (AllRules.all.map { $0.entry } + planned + collisions).sorted {
    $0.id.rawValue < $1.id.rawValue
  }

  package static func entry(_ id: RuleID) -> RuleEntry? { byID[id] }

  private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  /// A rule that gets code takes its entry with it.
  private static let planned: [RuleEntry] = [
    RuleEntry("app-group", .error, "app and extension name the same App Group"),
    RuleEntry("bitcode-present", .error, "no bitcode: refused since Xcode 14"),
    RuleEntry("class-version", .error, "class files are no newer than the host's Java"),
    RuleEntry("duplicate-handler", .error, "a query or command has one receiver"),
    RuleEntry("embedded-framework", .error, "frameworks are in the app's Frameworks folder only"),
    RuleEntry("entry-class", .error, "the class that the configuration names is in the plugin's code"),
    RuleEntry("entry-initializer", .error, "the entry class has an initializer that the host calls"),
    RuleEntry("extension-info", .error, "the extension's Info.plist fits its extension point"),
    RuleEntry("extension-unsafe-api", .error, "no API that app extensions must not use"),
    RuleEntry("minimum-os", .error, "code runs on the oldest iOS that the host supports"),
    RuleEntry("missing-asset", .error, "every asset that a template names is there"),
    RuleEntry("missing-policy", .error, "a plugin has a policy file"),
    RuleEntry("missing-simulator", .warning, "an XCFramework has a simulator slice"),
    RuleEntry("mobilefirst-resources", .error, "worklight.plist is in the extension's own resources"),
    RuleEntry("needs-info-plist", .warning, "no API that needs an entry in the app's Info.plist"),
    RuleEntry("needs-linker-flag", .warning, "no code that works only with a linker flag in the app"),
    RuleEntry("privacy-manifest", .warning, "APIs with a required reason are declared in PrivacyInfo.xcprivacy"),
    RuleEntry("private-api", .note, "no symbol that the App Store is known to refuse"),
    RuleEntry("provided-by-host", .error, "no copy of a library that the host links already"),
    RuleEntry("swift-code", .warning, "Swift code only where the host takes it"),
    RuleEntry("swizzling", .error, "no call that exchanges or replaces methods at run time"),
    RuleEntry("unhandled-message", .error, "every message sent has a receiver"),
    RuleEntry("unknown-route", .error, "a link with the app's scheme names a declared route"),
    RuleEntry("unprefixed-class", .warning, "classes, functions and file names begin with the plugin's prefix"),
    RuleEntry("unsafe-file-name", .error, "file names are safe on the device"),
    RuleEntry("unsupported-class", .error, "no class that the host does not support"),
    RuleEntry("unsupported-framework", .error, "no system framework that the host does not link"),
    RuleEntry("url-scheme", .error, "a URL scheme that the extension opens is registered by the app"),
    RuleEntry("xcframework-structure", .error, "an XCFramework is what xcodebuild would make"),
  ]

  /// Several plugins in one app.
  private static let collisions: [RuleEntry] = [
    RuleEntry("category-clash", .warning, "two categories of one class define the same method"),
    RuleEntry("class-in-dylib", .warning, "a class is in the app and in a dynamic library"),
    RuleEntry("duplicate-asset", .warning, "two plugins carry the same asset"),
    RuleEntry("duplicate-authority", .error, "two providers have the same authority"),
    RuleEntry("duplicate-bundle", .error, "two plugins carry a bundle of the same name"),
    RuleEntry("duplicate-java-class", .error, "two plugins carry the same Java class"),
    RuleEntry("duplicate-java-resource", .error, "two plugins carry the same Java resource"),
    RuleEntry("duplicate-namespace", .error, "two AARs have the same namespace"),
    RuleEntry("duplicate-native-library", .error, "two AARs carry the same native library"),
    RuleEntry("duplicate-resource", .warning, "two AARs define the same resource"),
    RuleEntry("duplicate-symbol", .error, "two plugins define the same symbol"),
    RuleEntry("header-clash", .warning, "two plugins install a header of the same name"),
    RuleEntry("manifest-conflict", .error, "Android manifests cannot be merged"),
    RuleEntry("module-map-clash", .error, "two plugins install a module map at the same place"),
    RuleEntry("odr-violation", .warning, "two plugins define one inline function differently"),
    RuleEntry("protocol-differs", .note, "two plugins define one Objective-C protocol differently"),
  ]
}
