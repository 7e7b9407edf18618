import Android
import Artifacts
import Findings
import Rules
import SystemPackage
import Testing

@testable import ObjectFiles

/// Rules on AARs whose facts are made here.
@Suite struct AndroidRulesTests {
  private func item(_ path: String, _ facts: (any Facts)? = nil, kind: FileType = .regular) -> Item {
    var item = Item(path: Array(path.utf8), kind: kind, size: 1)
    if let facts { item.facts = [facts] }
    return item
  }

  private func manifest(_ attributes: String, package: String = "package=\"com.example\"") throws -> Item {
    let text = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android" \(package)><uses-sdk \(attributes)/></manifest>
      """
    return item("AndroidManifest.xml", try AndroidManifest(Array(text.utf8)))
  }

  private func library(
    _ path: String, _ machine: ELFMachine, is64Bit: Bool, type: ELFType = .shared, alignments: [UInt64] = [0x4000]
  ) -> Item {
    let segments = alignments.map { ELFSegment(type: 1, offset: 0, fileSize: 0, alignment: $0) }
    let file = ELFFile(is64Bit: is64Bit, endianness: .little, type: type, machine: machine, segments: segments)
    return item(path, CodeFacts(kind: .elf, elf: file))
  }

  private func aar(_ more: [Item], without: String? = nil) throws -> Inventory {
    let standard = [
      try manifest(""), item(AARMetadata.path, AARMetadata()),
      item("classes.jar", JarFacts(names: [])), item("R.txt"),
    ]
    return Inventory(
      place: Place("A.aar"), role: .aar,
      items: standard.filter { $0.name != without && !more.map(\.name).contains($0.name) } + more)
  }

  private func messages(_ rule: any Rule.Type, _ inventory: Inventory, _ parameters: [String: [String]] = [:])
    -> [String]
  {
    var settings = RuleSettings(level: .error)
    settings.lists = parameters
    return rule.judge(inventory, Judging(settings)).found.map(\.message)
  }

  @Test func aSoundOneHasNoFindings() throws {
    let inventory = try aar([
      library("jni/arm64-v8a/liba.so", .aarch64, is64Bit: true), library("jni/x86/liba.so", .i386, is64Bit: false),
      item("libs/a.jar", JarFacts(names: [Array("com/a/A.class".utf8)])), item("res/layout/a.xml"),
    ])
    for rule in AllRules.all { #expect(messages(rule, inventory) == [], "\(rule.id)") }
  }

  @Test(arguments: [
    ("AndroidManifest.xml", "there is no AndroidManifest.xml at the root"),
    ("classes.jar", "there is no classes.jar at the root"),
  ])
  func missing(_ name: String, _ message: String) throws {
    #expect(messages(AARStructure.self, try aar([], without: name)) == [message])
  }

  @Test(arguments: [
    ("com.example.R$id", [], ["there is no R.txt at the root, and com.example.A uses com.example.R$id"]),
    ("com.example.R", [], ["there is no R.txt at the root, and com.example.A uses com.example.R"]),
    ("com.example.R$id", ["com/example/R$id.class"], []),
    ("com.other.R$id", [], []), ("com.example.Rest", [], []),
  ])
  func namesOfResources(_ used: String, _ supplied: [String], _ expected: [String]) throws {
    var jar = item("classes.jar", JarFacts(names: []))
    jar.facts.append(JarClasses(references: [.init(used, by: "com.example.A")]))
    let library = item("libs/r.jar", JarFacts(names: supplied.map { Array($0.utf8) }))
    let inventory = try aar([jar, library], without: "R.txt")
    #expect(AARStructure.furtherFacts(holding: inventory.items.map(\.path)).count == 1)
    #expect(messages(AARStructure.self, inventory) == expected)
    #expect(AARStructure.furtherFacts(holding: try aar([jar]).items.map(\.path)).isEmpty)
  }

  @Test func resourceClassesAreClasses() throws {
    var newer = JarClasses.Class("com.example.R$id", superclass: nil)
    newer.majorVersion = 52
    for name in ["classes.jar", "libs/a.jar"] {
      var jar = JarClasses()
      jar.resourceClasses = [newer]
      let found = messages(ClassFileVersion.self, try aar([item(name, jar)]), ["maximum": ["51"]])
      #expect(found.count == 1 && found[0].hasPrefix("1 class of "))
    }
  }

  @Test func structure() throws {
    var damaged = item("AndroidManifest.xml")
    damaged.damage = "why"
    let cases: [(Item, String)] = [
      (item("res/a", kind: .symbolicLink), "a is a symbolic link"),
      (try manifest("", package: ""), "the manifest names no package"),
      (damaged, "AndroidManifest.xml cannot be read: why"),
      (item("libs/inner.aar"), "inner.aar is no jar: only libs/*.jar is seen"),
      (item("assets/inner.aar"), "there is an AAR inside of the AAR"),
      (item("libs/deep/a.jar", JarFacts(names: [])), "libs/deep/a.jar is not seen: jars are directly in libs/"),
      (
        item("classes.jar", JarFacts(names: [Array("com/a/R$id.class".utf8)])),
        "classes.jar has the R class com.a.R$id"
      ),
      (item("jni/liba.so"), "liba.so is not seen: libraries are jni/<abi>/*.so"),
      (item("jni/arm64/liba.so"), "'arm64' is no ABI of Android"),
      (item("jni/x86/liba.so"), "liba.so is no shared library but data"),
      (
        library("jni/x86/liba.so", .aarch64, is64Bit: true),
        "liba.so is for AArch64 (64 bits), in the folder of x86"
      ),
      (
        library("jni/x86/liba.so", .i386, is64Bit: false, type: .relocatable),
        "liba.so is an object file, not a shared library"
      ),
    ]
    for (item, message) in cases { #expect(messages(AARStructure.self, try aar([item])) == [message]) }
  }

  @Test func everythingInOneFolder() {
    let inventory = Inventory(
      place: Place("A.aar"), role: .aar, items: [item("A/AndroidManifest.xml"), item("A/classes.jar"), item("A/R.txt")])
    #expect(messages(AARStructure.self, inventory) == ["everything is inside the folder 'A'"])
  }

  @Test(arguments: [
    ("android:minSdkVersion=\"15\"", ["minSdkVersion is 15: apps of this host run from 14 on"]),
    ("android:minSdkVersion=\"14\"", []), ("", []),
    ("android:minSdkVersion=\"L\"", ["minSdkVersion is 'L', not an API level"]),
  ])
  func minimumSDK(_ attributes: String, _ expected: [String]) throws {
    let inventory = try aar([try manifest(attributes)])
    #expect(messages(MinimumSDK.self, inventory, ["minimum": ["14"]]) == expected)
    #expect(messages(MinimumSDK.self, inventory) == [])
  }

  @Test(arguments: [
    ("android:targetSdkVersion=\"30\"", ["targetSdkVersion is 30: apps of this host target 22"]),
    ("android:targetSdkVersion=\"22\"", []),
    ("", ["the manifest says no targetSdkVersion: apps of this host target 22"]),
  ])
  func targetSDK(_ attributes: String, _ expected: [String]) throws {
    #expect(messages(TargetSDK.self, try aar([try manifest(attributes)]), ["target": ["22"]]) == expected)
  }

  @Test func metadata() throws {
    // Gradle takes an AAR that says nothing.
    #expect(messages(AARMetadataRule.self, try aar([], without: AARMetadata.path), ["compile-sdk": ["22"]]) == [])
    let item = item(
      AARMetadata.path, AARMetadata([("minCompileSdk", "33"), ("aarFormatVersion", "2.0")]))
    #expect(
      messages(AARMetadataRule.self, try aar([item]), ["compile-sdk": ["22"]]) == [
        "aarFormatVersion is 2.0: today's Gradle plugins read version 1",
        "minCompileSdk is 33: this host compiles with 22",
      ])
  }

  @Test func pageSize() throws {
    let libraries = [
      library("jni/arm64-v8a/liba.so", .aarch64, is64Bit: true, alignments: [0x10000, 0x1000]),
      library("jni/x86_64/liba.so", .x86_64, is64Bit: true, alignments: [0x4000]),
      library("jni/armeabi-v7a/liba.so", .arm, is64Bit: false, alignments: [0x1000]),
    ]
    #expect(
      messages(PageSize16K.self, try aar(libraries)) == ["liba.so is aligned for pages of 4 KB, not of 16 KB"])
  }

  @Test func rulesThatNobodyReads() throws {
    let rules = [
      "META-INF/com.android.tools/r8/a.pro", "meta-inf/Com.Android.Tools/r8/b.pro", "META-INF/proguard/c.pro",
    ]
    let jar = item("classes.jar", JarFacts(names: rules.map { Array($0.utf8) }))
    var settings = RuleSettings(level: .error)
    let found = AARStructure.check(try aar([jar, item("proguard.txt")]), Judging(settings))
    #expect(found.map(\.message) == ["nothing of proguard.txt is used: classes.jar has shrinking rules of its own"])
    #expect(found.first?.level == .warning)
    #expect(found.first?.sites.last?.description == "A.aar › classes.jar › \(rules[0]) and 1 more")
    settings.level = .note
    #expect(AARStructure.check(try aar([jar, item("proguard.txt")]), Judging(settings)).map(\.level) == [.note])
    // Without the file, or with the other kind of rules, nothing is lost.
    #expect(messages(AARStructure.self, try aar([jar])) == [])
    let old = item("classes.jar", JarFacts(names: [Array(rules[2].utf8)]))
    #expect(messages(AARStructure.self, try aar([old, item("proguard.txt")])) == [])
  }

  @Test func duplicateClass() throws {
    let jars = ["classes.jar", "libs/a.jar", "lint.jar"].map { name in
      item(name, JarFacts(names: [Array("com/a/B$C.class".utf8)]))
    }
    #expect(messages(DuplicateClass.self, try aar(jars)) == ["the class com.a.B$C is in two jars"])
  }
}
