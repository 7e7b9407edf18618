import Artifacts
import Findings
import Rules
import Testing

/// A configuration's findings under the settings of a host such as MobileSmith.
private func configFindings(
  _ values: [(String, Configuration.Value)], platforms: Set<Inventory.Platform>? = nil
) -> [String] {
  var settings = RuleSettings(level: .error)
  settings.lists = ["required-ios": ["ViewControllerClassName"], "required-android": ["FragmentClassName"]]
  settings.tables["types"] = [
    ("ViewControllerClassName", ["class"]), ("FragmentClassName", ["java-class"]),
    ("iOSNavPreference", ["never|always"]), ("home", ["url"]), ("retries", ["integer"]), ("debug", ["boolean"]),
  ]
  let configuration = Configuration(values.map { (key: $0.0, value: $0.1) })
  let inventory = Inventory(place: Place("config.json"), role: .config, configuration: configuration)
  var judging = Judging(settings)
  judging.platforms = platforms
  return ConfigKeys.check(inventory, judging).map(\.message)
}

@Suite struct ConfigKeysTests {
  @Test func requiredKeysDependOnWhatIsDelivered() {
    let ios: [(String, Configuration.Value)] = [("ViewControllerClassName", .text("RCLogin"))]
    #expect(configFindings(ios) == [])
    #expect(configFindings(ios, platforms: [.ios]) == [])
    #expect(
      configFindings(ios, platforms: [.ios, .android])
        == ["the configuration has no FragmentClassName, and there is an Android deliverable"])
    #expect(configFindings([]) == ["the configuration has no ViewControllerClassName and no FragmentClassName"])
  }

  @Test(arguments: [
    ("ViewControllerClassName", "Module.RCLogin", true), ("ViewControllerClassName", "a.b.c", false),
    ("ViewControllerClassName", "1Login", false), ("FragmentClassName", "com.example.Login$Inner", true),
    ("FragmentClassName", "Login", false), ("iOSNavPreference", "never", true), ("iOSNavPreference", "Never", false),
    ("home", "https://x", true), ("home", "x.com", false), ("retries", "-3", true), ("retries", "3.0", false),
    ("debug", "true", true), ("debug", "yes", false),
  ])
  func values(_ key: String, _ text: String, _ isGood: Bool) {
    var values: [(String, Configuration.Value)] = [(key, .text(text))]
    if key != "ViewControllerClassName" { values.append(("ViewControllerClassName", .text("A"))) }
    #expect(configFindings(values).isEmpty == isGood)
  }

  @Test func misspeltKeysAndOtherTypes() {
    let found = configFindings([
      ("ViewControllerClassname", .text("A")), ("FragmentClassName", .text("a.B")), ("own", .other("a number")),
    ])
    #expect(
      found == [
        "the configuration has an unknown key 'ViewControllerClassname'", "the value of own is a number, not a string",
      ])
  }
}

@Suite struct StructureTests {
  private func zip(_ paths: [String]) -> Inventory {
    let items = paths.map { Item(path: Array($0.utf8), size: 1) }
    return Inventory(place: Place("A.zip"), role: .iosZip, items: items)
  }

  @Test(arguments: [
    (["A/lib.a", "A/B.bundle/x"], 1), (["lib.a", "B.bundle/x"], 0), (["B.bundle/x", "B.bundle/y"], 0), (["lib.a"], 0),
    (["A.framework/A"], 0), (["A/lib.a", "lib.a"], 0),
  ])
  func parentFolder(_ paths: [String], _ count: Int) {
    #expect(ParentFolder.check(zip(paths), Judging()).count == count)
  }

  @Test func parentFolderIsAConcernOfZipsOnly() {
    let tree = Inventory(place: Place("A"), role: .tree, items: zip(["A/lib.a"]).items)
    guard case .off = ParentFolder.judge(tree, Judging()) else { Issue.record("it was judged"); return }
  }

  @Test func levelsComeFromTheSettings() {
    let finding = ParentFolder.check(zip(["A/lib.a"]), Judging(RuleSettings(level: .note))).first
    #expect(finding?.level == .note)
  }

  @Test func attributesAndForks() {
    var item = Item(path: Array("lib.a".utf8), size: 1)
    item.attributes = ["com.apple.quarantine", "com.apple.ResourceFork"]
    let inventory = Inventory(place: Place("A"), role: .tree, items: [item])
    #expect(ExtendedAttributes.check(inventory, Judging()).count == 1)
    #expect(ResourceForks.check(inventory, Judging()).count == 1)
  }

  @Test func everyImplementedRuleIsInTheCatalogue() {
    #expect(AllRules.all.allSatisfy { RuleCatalogue.entry($0.id) != nil })
    #expect(Set(AllRules.all.map { $0.id }).count == AllRules.all.count)
  }
}
