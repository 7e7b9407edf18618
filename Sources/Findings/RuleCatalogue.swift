/// What a rule is called, how much it matters unless a recipe or manifest says otherwise, and what it says.
package struct RuleEntry: Sendable {
  package let id: RuleID
  package let level: Level
  package let summary: String
}

/// Every rule id there is, also of rules that this version does not implement yet: a manifest may set any of them.
package enum RuleCatalogue {
  package static let all: [RuleEntry] = (deliverables + extensions + hosts + collisions).sorted {
    $0.id.rawValue < $1.id.rawValue
  }

  package static func entry(_ id: RuleID) -> RuleEntry? { byID[id] }

  private static let byID = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  private static func rule(_ id: RuleID, _ level: Level, _ summary: String) -> RuleEntry {
    RuleEntry(id: id, level: level, summary: summary)
  }

  /// What one deliverable must be.
  private static let deliverables: [RuleEntry] = [
    rule("aar-metadata", .error, "what an AAR asks of builds can be read, and the host's build has it"),
    rule("aar-structure", .error, "an AAR has the entries that Gradle expects, where it expects them"),
    rule("archive-structure", .error, "all tools read the same entries: no duplicates, overlaps or escaping names"),
    rule("bitcode-present", .error, "no bitcode: refused since Xcode 14"),
    rule("bundle-executable", .error, "a resource bundle holds no code and names no executable"),
    rule("class-version", .error, "class files are no newer than the host's Java"),
    rule("config-keys", .error, "the configuration has the keys that the host requires, and no misspelt one"),
    rule("duplicate-class", .error, "no class is twice in one deliverable"),
    rule("entry-class", .error, "the class that the configuration names is in the plugin's code"),
    rule("entry-initializer", .error, "the entry class has an initializer that the host calls"),
    rule("extended-attributes", .error, "no file or folder carries extended attributes, such as quarantine"),
    rule("finder-metadata", .warning, "nothing that the Finder leaves behind, such as .DS_Store"),
    rule("minimum-os", .error, "code runs on the oldest iOS that the host supports"),
    rule("minimum-sdk", .error, "code runs on the oldest Android that the host supports"),
    rule("missing-architecture", .error, "libraries have a slice for each architecture of the host"),
    rule("missing-library", .error, "an iOS zip has a static library at its root"),
    rule("missing-simulator", .warning, "an XCFramework has a simulator slice"),
    rule("needs-info-plist", .warning, "no API that needs an entry in the app's Info.plist"),
    rule("needs-linker-flag", .warning, "no code that works only with a linker flag in the app"),
    rule("page-size-16k", .warning, "Android libraries are aligned for 16 KB pages"),
    rule("parent-folder", .error, "the items are at the zip's root, not inside their common parent folder"),
    rule("privacy-manifest", .warning, "APIs with a required reason are declared in PrivacyInfo.xcprivacy"),
    rule("private-api", .note, "no symbol that the App Store is known to refuse"),
    rule("provided-by-host", .error, "no copy of a library that the host links already"),
    rule("resource-forks", .error, "no resource forks: no AppleDouble files, no __MACOSX"),
    rule("swift-code", .warning, "Swift code only where the host takes it"),
    rule("swizzling", .error, "no call that exchanges or replaces methods at run time"),
    rule("target-sdk", .note, "the Android manifest targets the host's SDK"),
    rule("unprefixed-class", .warning, "classes, functions and file names begin with the plugin's prefix"),
    rule("unreadable-property-list", .error, "property lists can be read: they are whole, and not too deep"),
    rule("unsupported-class", .error, "no class that the host does not support"),
    rule("unsupported-framework", .error, "no system framework that the host does not link"),
    rule("xcframework-structure", .error, "an XCFramework is what xcodebuild would make"),
  ]

  /// App extensions.
  private static let extensions: [RuleEntry] = [
    rule("app-group", .error, "app and extension name the same App Group"),
    rule("embedded-framework", .error, "frameworks are in the app's Frameworks folder only"),
    rule("extension-info", .error, "the extension's Info.plist fits its extension point"),
    rule("extension-unsafe-api", .error, "no API that app extensions must not use"),
    rule("mobilefirst-resources", .error, "worklight.plist is in the extension's own resources"),
    rule("url-scheme", .error, "a URL scheme that the extension opens is registered by the app"),
  ]

  /// Message hubs and web templates.
  private static let hosts: [RuleEntry] = [
    rule("duplicate-handler", .error, "a query or command has one receiver"),
    rule("missing-asset", .error, "every asset that a template names is there"),
    rule("missing-policy", .error, "a plugin has a policy file"),
    rule("unhandled-message", .error, "every message sent has a receiver"),
    rule("unknown-route", .error, "a link with the app's scheme names a declared route"),
    rule("unsafe-file-name", .error, "file names are safe on the device"),
  ]

  /// Several plugins in one app.
  private static let collisions: [RuleEntry] = [
    rule("category-clash", .warning, "two categories of one class define the same method"),
    rule("class-in-dylib", .warning, "a class is in the app and in a dynamic library"),
    rule("duplicate-asset", .warning, "two plugins carry the same asset"),
    rule("duplicate-authority", .error, "two providers have the same authority"),
    rule("duplicate-bundle", .error, "two plugins carry a bundle of the same name"),
    rule("duplicate-java-class", .error, "two plugins carry the same Java class"),
    rule("duplicate-java-resource", .error, "two plugins carry the same Java resource"),
    rule("duplicate-namespace", .error, "two AARs have the same namespace"),
    rule("duplicate-native-library", .error, "two AARs carry the same native library"),
    rule("duplicate-resource", .warning, "two AARs define the same resource"),
    rule("duplicate-symbol", .error, "two plugins define the same symbol"),
    rule("header-clash", .warning, "two plugins install a header of the same name"),
    rule("manifest-conflict", .error, "Android manifests cannot be merged"),
    rule("module-map-clash", .error, "two plugins install a module map at the same place"),
    rule("odr-violation", .warning, "two plugins define one inline function differently"),
    rule("protocol-differs", .note, "two plugins define one Objective-C protocol differently"),
  ]
}
