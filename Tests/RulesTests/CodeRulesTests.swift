import Android
import Artifacts
import Findings
import ObjectFiles
import Rules
import Testing

/// Rules on code whose facts are made here; what real compilers make is in the scenarios.
@Suite struct CodeRulesTests {
  typealias Slice = CodeNames.Slice

  private func slice(
    _ architecture: Architecture = .arm64, classes: [CodeNames.Class] = [], categories: [CodeNames.Category] = [],
    defined: [String] = [], undefined: [String] = [], libraries: [String] = []
  ) -> Slice {
    var slice = Slice(architecture: architecture)
    slice.classes = classes
    slice.categories = categories
    slice.defined = defined.map { CodeNames.Name($0) }
    slice.undefined = undefined.map { CodeNames.Name($0) }
    slice.libraries = libraries.map { CodeNames.Name($0) }
    return slice
  }

  private func named(_ name: String, _ superclass: String?, _ methods: [String] = []) -> CodeNames.Class {
    CodeNames.Class(CodeNames.Name(name), superclass: superclass, methods: methods)
  }

  private typealias Case = (inventory: Inventory, configuration: Configuration?)

  private func zip(_ files: [(name: String, slices: [Slice])], entry: String? = nil) -> Case {
    let items = files.map { name, slices in
      var item = Item(path: Array(name.utf8), size: 1)
      item.facts = [CodeNames(slices: slices)]
      return item
    }
    let inventory = Inventory(place: Place("A.zip"), role: .iosZip, items: items)
    return (inventory, entry.map { Configuration([("Entry", .text($0))]) })
  }

  private static let entrySettings: RuleSettings = {
    var settings = RuleSettings(level: .error)
    settings.lists = [
      "ios": ["Entry"], "ios-superclasses": ["UIViewController"], "methods": ["+npiWithJSON:", "-initWithJSON:"],
    ]
    return settings
  }()

  private func messages(
    _ rule: any Rule.Type, _ one: Case, _ lists: [String: [String]] = [:],
    _ tables: [String: [(key: String, values: [String])]] = [:]
  ) -> [String] {
    var settings = lists.isEmpty && tables.isEmpty ? Self.entrySettings : RuleSettings(level: .error)
    settings.lists.merge(lists) { $1 }
    settings.tables = tables
    return judgement(rule, one, settings).found.map { ([$0.message] + $0.notes).joined(separator: "; ") }
  }

  private func judgement(
    _ rule: any Rule.Type, _ one: Case, _ settings: RuleSettings = RuleSettings(level: .error)
  ) -> Judgement<Finding> {
    var judging = Judging(settings)
    judging.configuration = one.configuration
    return rule.judge(one.inventory, judging)
  }

  // MARK: The entry class

  @Test func aClassOfSwiftIsNamedWithItsModule() {
    let classes = [named("_TtC4Plug4Main", "UIViewController", ["-initWithJSON:"])]
    let files = [(name: "libA.a", slices: [slice(classes: classes)])]
    #expect(messages(EntryClass.self, zip(files, entry: "Plug.Main")) == [])
    #expect(messages(EntryInitializer.self, zip(files, entry: "Plug.Main")) == [])
    let forgotten = judgement(EntryClass.self, zip(files, entry: "Main"), Self.entrySettings)
    #expect(forgotten.found.map(\.hint) == ["did you mean 'Plug.Main'?"])
  }

  @Test func superclassesAreLookedForInAllLibraries() {
    let entry = (name: "libA.a", slices: [slice(classes: [named("AMain", "BBase")])])
    func base(_ superclass: String?, _ methods: [String] = []) -> (name: String, slices: [Slice]) {
      (name: "libB.a", slices: [slice(classes: [named("BBase", superclass, methods)])])
    }
    #expect(messages(EntryClass.self, zip([entry, base("UIViewController")], entry: "AMain")) == [])
    #expect(
      messages(EntryClass.self, zip([entry, base("UIView")], entry: "AMain")) == [
        "the class AMain that Entry names is a plain UIView; its superclasses: BBase, UIView"
      ])
    // What is behind a class of others cannot be known.
    #expect(messages(EntryClass.self, zip([entry], entry: "AMain")) == [])
    #expect(messages(EntryInitializer.self, zip([entry], entry: "AMain")) == [])
    #expect(messages(EntryInitializer.self, zip([entry, base("CThird")], entry: "AMain")) == [])
    let inherited = base("UIViewController", ["+npiWithJSON:"])
    #expect(messages(EntryInitializer.self, zip([entry, inherited], entry: "AMain")) == [])
    #expect(
      messages(EntryInitializer.self, zip([entry, base("UIViewController")], entry: "AMain")) == [
        "the class AMain that Entry names has neither +npiWithJSON: nor -initWithJSON:"
      ])
    // A circle of damaged files ends.
    #expect(messages(EntryClass.self, zip([entry, base("AMain")], entry: "AMain")) == [])
  }

  @Test func categoriesAddInitializers() {
    let category = CodeNames.Category(CodeNames.Name("JSON"), on: "AMain", methods: ["-initWithJSON:"])
    let files = [
      (name: "libA.a", slices: [slice(classes: [named("AMain", "UIViewController")], categories: [category])])
    ]
    #expect(messages(EntryInitializer.self, zip(files, entry: "AMain")) == [])
  }

  @Test func ofAClassThatIsNotReadOnlyItsPresenceIsKnown() {
    var found = named("AMain", nil)
    found.isRead = false
    let files = [(name: "libA.a", slices: [slice(classes: [found])])]
    #expect(messages(EntryClass.self, zip(files, entry: "AMain")) == [])
    #expect(messages(EntryInitializer.self, zip(files, entry: "AMain")) == [])
  }

  @Test func withoutAConfigurationItIsSaid() {
    let one = zip([(name: "libA.a", slices: [slice()])])
    let found = AllRules.judge(one.inventory, Judging(), by: ["entry-class": Self.entrySettings], of: "our-host")
    #expect(
      found.coverage.lines.first?.contains("of our-host checked; not: entry-class (the configuration is not known")
        == true)
    #expect(messages(EntryClass.self, one) == [])
  }

  // MARK: Libraries

  @Test func oneClassMayNeedTwoKeys() {
    let keys = [(key: "NSHealthShare", values: ["HKHealth*"]), (key: "NSHealthUpdate", values: ["HKHealthStore"])]
    let files = [(name: "libA.a", slices: [slice(undefined: ["_OBJC_CLASS_$_HKHealthStore"])])]
    #expect(
      messages(NeedsInfoPlist.self, zip(files), [:], ["keys": keys]) == [
        "libA.a uses HKHealthStore: the app's Info.plist needs NSHealthShare",
        "libA.a uses HKHealthStore: the app's Info.plist needs NSHealthUpdate",
      ])
    #expect(
      messages(NeedsInfoPlist.self, zip(files), ["present": ["NSHealthShare"]], ["keys": keys]) == [
        "libA.a uses HKHealthStore: the app's Info.plist needs NSHealthUpdate"
      ])
  }

  /// What is Apple's own on iOS may be everybody's elsewhere.
  @Test(arguments: [
    (Platform?.none, true), (.iOS, true), (.iOSSimulator, true), (.macOS, false), (.macCatalyst, false),
  ])
  func onlyCodeForIOSIsJudged(_ platform: Platform?, _ isJudged: Bool) {
    var code = slice(undefined: ["_IORegistryEntryGetPath"])
    code.platform = platform
    let found = messages(PrivateAPI.self, zip([(name: "libA.a", slices: [code])]), ["names": ["_IORegistryEntry*"]])
    #expect(found.isEmpty != isJudged)
  }

  @Test func anImportThatIsNotUsedDoesNoHarm() {
    let symbols = [(key: "Photos", values: ["PHAsset*"]), (key: "libsqlite3", values: ["_sqlite3_*"])]
    let lists = ["linked": ["UIKit.framework", "libz.dylib"]]
    func found(_ slices: [Slice], _ others: [(name: String, slices: [Slice])] = []) -> [String] {
      messages(UnsupportedFramework.self, zip([(name: "libA.a", slices: slices)] + others), lists, ["symbols": symbols])
    }
    #expect(found([slice(libraries: ["-framework UIKit", "-framework Photos", "-lz", "-lobjc", "-lswiftCore"])]) == [])
    #expect(
      found([slice(undefined: ["_OBJC_CLASS_$_PHAsset", "_OBJC_CLASS_$_PHAssetCollection"])]) == [
        "libA.a needs Photos, which apps of this host are not linked with; it uses PHAsset, PHAssetCollection"
      ])
    #expect(
      found([slice(libraries: ["-framework Chameleon"])]) == [
        "libA.a asks for Chameleon, which apps of this host are not linked with; its linker option: -framework Chameleon"
      ])
    // What another library of the plugin has is nobody's concern, nor what an image was linked with.
    let sqlite = [(name: "libsql.a", slices: [slice(defined: ["_sqlite3_open"])])]
    #expect(found([slice(undefined: ["_sqlite3_open"])], sqlite) == [])
    var image = slice(undefined: ["_sqlite3_open"])
    image.isImage = true
    #expect(found([image]) == [])
  }

  @Test func copiesOfTheHost() {
    let tables = ["ios": [(key: "libzbar.a", values: ["_zbar_*", "ZBarReader"])]]
    let slices = [
      slice(.armv7, classes: [named("ZBarReader", "NSObject")], defined: ["_zbar_a", "_own"]),
      slice(.arm64, defined: ["_zbar_a"]),
    ]
    var settings = RuleSettings(level: .error)
    settings.tables = tables
    let found = judgement(ProvidedByHost.self, zip([(name: "libA.a", slices: slices)]), settings).found
    #expect(found.map(\.message) == ["libA.a has a copy of libzbar.a, which apps of this host have already"])
    #expect(found.first?.notes == ["it defines ZBarReader, _zbar_a"])
  }

  // MARK: Names

  @Test func prefixes() {
    let category = CodeNames.Category(
      CodeNames.Name("X"), on: "NSString", methods: ["-rc_trim", "-rcTrim", "-trim", "+load"])
    let own = CodeNames.Category(CodeNames.Name("Y"), on: "RCMain", methods: ["-anything"])
    let names = slice(
      classes: [named("RCMain", "NSObject"), named("Helper", "NSObject"), named("_TtC4Plug4Main", "NSObject")],
      categories: [category, own],
      defined: ["_RCStart", "_rc_limit", "_kRCLimit", "_copyText", "_PlugVersionNumber", "_meant"])
    #expect(
      messages(
        UnprefixedClass.self, zip([(name: "libA.a", slices: [names])]), ["prefix": ["RC"], "allow": ["mean*"]]) == [
          "1 class does not begin with RC; Helper",
          "1 method that is added to a class of others does not begin with RC; -[NSString trim]",
          "1 function or variable of C does not begin with RC; _copyText",
        ])
  }

  @Test(arguments: [
    ("A.bundle/RCLogin.nib", true), ("A.bundle/Login.nib", false), ("A.bundle/Info.plist", true),
    ("A.bundle/en.lproj/Login.strings", false), ("A.bundle/en.lproj/Localizable.strings", true),
    ("A.bundle/images/a.png", true), ("A.bundle/RCMain.storyboardc/x.nib", true), ("Login.nib", true),
    ("A.bundle/Contents/Resources/Login.nib", false), ("A.bundle/_CodeSignature/CodeResources", true),
  ])
  func filesOfBundles(_ path: String, _ isGood: Bool) {
    let item = Item(path: Array(path.utf8), size: 1)
    let inventory = Inventory(place: Place("A.zip"), role: .iosZip, items: [item])
    #expect(messages(UnprefixedClass.self, (inventory, nil), ["prefix": ["RC"]]).isEmpty == isGood)
  }

  @Test func symbolsAreSaidOnceWithTheirSlices() {
    let slices = [
      slice(.armv7, undefined: ["_method_exchangeImplementations"]),
      slice(.arm64, undefined: ["_method_exchangeImplementations"]), slice(.armv7s),
    ]
    let found = judgement(Swizzling.self, zip([(name: "libA.a", slices: slices)])).found
    #expect(found.map { $0.sites.map(\.description) } == [["A.zip › libA.a(armv7, arm64)"]])
    #expect(
      judgement(Swizzling.self, zip([(name: "libA.a", slices: [slices[0]])])).found.map {
        $0.sites.map(\.description)
      } == [["A.zip › libA.a"]])
  }

  // MARK: Java

  @Test func javaClasses() {
    func aar(_ classes: [JarClasses.Class], _ references: [JarClasses.Reference] = [], entry: String) -> Case {
      var item = Item(path: Array("classes.jar".utf8), size: 1)
      item.facts = [JarClasses(classes: classes, references: references)]
      return (
        Inventory(place: Place("A.aar"), role: .aar, items: [item]), Configuration([("Entry", .text(entry))])
      )
    }
    let lists = ["android": ["Entry"], "android-superclasses": ["android.support.v4.app.Fragment"]]
    func found(_ superclass: String?, _ change: (inout JarClasses.Class) -> Void = { _ in }) -> [String] {
      var own = JarClasses.Class("a.Main", superclass: superclass)
      change(&own)
      return messages(EntryClass.self, aar([own], entry: "a.Main"), lists)
    }
    #expect(found("android.support.v4.app.Fragment") == [])
    #expect(found("other.Fragment") == [])
    #expect(found("android.support.v7.preference.PreferenceFragment") == [])
    #expect(found("android.app.Fragment") == ["the class a.Main that Entry names is a plain android.app.Fragment"])
    #expect(
      found("androidx.fragment.app.Fragment") == [
        "the class a.Main that Entry names is a plain androidx.fragment.app.Fragment"
      ])
    #expect(
      found("android.support.v4.app.Fragment") { $0.isPublic = false } == [
        "the class a.Main that Entry names is not public"
      ])
    #expect(messages(ClassFileVersion.self, aar([], entry: ""), ["maximum": ["51"]]) == [])
  }
}
