import Findings
import Rules
import Testing

@Suite struct CatalogueTests {
  @Test func idsAreKebabCaseAndUnique() {
    let ids = RuleCatalogue.all.map(\.id.rawValue)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)*/#) != nil })
  }

  /// The ids that the hosts' rows name, and those of `check`.
  @Test(arguments: [
    "duplicate-symbol", "category-clash", "class-in-dylib", "protocol-differs", "odr-violation", "duplicate-java-class",
    "shadowed-library", "symbol-in-dylib",
    "duplicate-native-library", "provided-by-host", "parent-folder", "missing-library", "extended-attributes",
    "resource-forks", "bundle-executable", "missing-architecture", "minimum-os", "swizzling", "unprefixed-class",
    "unsupported-class", "unsupported-framework", "swift-code", "entry-class", "entry-initializer", "config-keys",
    "aar-structure", "minimum-sdk", "target-sdk", "needs-linker-flag", "needs-info-plist", "private-api",
    "class-version", "duplicate-class", "page-size-16k", "aar-metadata", "misaligned-member",
    "missing-asset", "unknown-route", "unsafe-file-name", "bucket-manifest", "framework-info", "xcframework-structure",
  ])
  func contractIsInTheCatalogue(_ id: String) {
    #expect(RuleCatalogue.entry(RuleID(rawValue: id)) != nil)
  }

  @Test func suggestions() {
    #expect(nearest(to: "itmes", among: ["items", "name"]) == "items")
    #expect(nearest(to: "xyz", among: ["items", "name"]) == nil)
  }
}
