import Lanes
import Android
import Artifacts
@testable import Documents
import SystemPackage
import Testing
import TestSupport

@Suite("merging Android manifests")
struct ManifestMergeTests {
  private typealias Result = (merged: XMLTag, changed: Bool, conflicts: [ManifestConflict])

  private func merge(_ plugin: String, _ libraries: String...) throws -> Result {
    let own = try AndroidManifest(Array(ManifestOracleTests.manifest("plugin", plugin).utf8))
    return own.merging(
      try zip(["a", "b", "c"], libraries).map {
        ("\($0).aar", try AndroidManifest(Array(ManifestOracleTests.manifest($0, $1).utf8)))
      })
  }

  private func lines(_ result: Result) -> [String] {
    outline(result.merged).dropFirst().map { String($0.drop { $0 == " " }) }
  }

  // MARK: What is added

  @Test("nothing new changes nothing")
  func unchanged() throws {
    let application = "<application android:name='.App'><activity android:name='.A'/></application>"
    for library in [
      "", "<uses-sdk android:minSdkVersion='1' android:targetSdkVersion='34'/>", "<application/>",
      "<application><activity android:name='com.example.plugin.A'/></application>",
      "<application tools:replace='android:name' android:name='com.example.plugin.App'/>",
      "<application><activity android:name='.B' tools:node='remove'/></application>",
      "<application android:hasCode='true' android:extractNativeLibs='true'/>",
    ] {
      let result = try merge("<uses-sdk android:targetSdkVersion='1'/>" + application, library)
      #expect(!result.changed && result.conflicts.isEmpty, "\(library)")
      #expect(result.merged["versionCode", namespace: AndroidManifest.android] == "7")
      #expect(result.merged.children.map(\.name) == ["uses-sdk", "application"])
    }
  }

  @Test("relative class names are those of the library, and the plugin's own stay")
  func classNames() throws {
    let result = try merge(
      "<application android:name='.App'><activity android:name='P'/></application>",
      """
      <instrumentation android:name='.I'/>
      <application android:backupAgent='Agent'><activity android:name='.A' android:parentActivityName='.P'/>
      <activity-alias android:name='L' android:targetActivity='.A'/><service android:name='${x}S'/>
      <meta-data android:name='.m' android:value='.v'/><property android:name='q' android:value='w'/></application>
      """)
    #expect(result.changed && result.conflicts.isEmpty)
    #expect(
      Set(lines(result)).isSuperset(of: [
        "application android:backupAgent=com.example.a.Agent android:name=.App", "activity android:name=P",
        "activity android:name=com.example.a.A android:parentActivityName=com.example.a.P",
        "activity-alias android:name=com.example.a.L android:targetActivity=com.example.a.A",
        "service android:name=${x}S", "meta-data android:name=.m android:value=.v",
        "property android:name=com.example.a.q android:value=w", "instrumentation android:name=.I",
      ]))
  }

  @Test("queries: equal children once, packages by name, providers by authorities")
  func queries() throws {
    let result = try merge(
      "<queries><package android:name='p'/><intent><action android:name='x'/></intent></queries>",
      """
      <queries><package android:name='p'/><package android:name='q'/><intent><action android:name='x'/></intent>
      <intent><action android:name='y'/></intent><provider android:authorities='a;b'/></queries>
      """,
      "<queries><provider android:authorities='a;b'/><intent><action android:name='y'/></intent></queries>")
    #expect(result.conflicts.isEmpty)
    #expect(
      lines(result) == [
        "queries", "intent", "action android:name=x", "intent", "action android:name=y", "package android:name=p",
        "package android:name=q", "provider android:authorities=a;b",
      ])
  }

  @Test("a library's element that removes takes away what comes later, not what was there before")
  func libraryRemoves() throws {
    let result = try merge(
      "<application><activity android:name='x.A'/></application>",
      """
      <application><activity android:name='x.A' tools:node='remove' android:label='l'/>
      <activity android:name='x.B' tools:node='remove'/></application>
      """,
      "<application><activity android:name='x.A' android:label='m'/><activity android:name='x.B'/></application>")
    #expect(!result.changed && result.conflicts.isEmpty)
    #expect(lines(result) == ["application", "activity android:name=x.A"])
  }

  @Test("instructions of libraries are left out, the plugin's own stay")
  func instructions() throws {
    let result = try merge(
      "<application tools:replace='android:label' android:label='l' tools:ignore='Foo'/>",
      "<application android:label='m' tools:targetApi='31'><activity android:name='.A' tools:node='merge'/></application>"
    )
    let application = try #require(result.merged.children.first)
    #expect(application["replace", namespace: AndroidManifest.tools] == "android:label")
    #expect(application["ignore", namespace: AndroidManifest.tools] == "Foo")
    #expect(application["targetApi", namespace: AndroidManifest.tools] == nil)
    #expect(application.children.first?.attributes.count == 1)
    #expect(application["label", namespace: AndroidManifest.android] == "l")
  }

  @Test("flags of foreground services are joined")
  func flags() throws {
    let result = try merge(
      "<application><service android:name='x.S' android:foregroundServiceType='location|camera'/></application>",
      "<application><service android:name='x.S' android:foregroundServiceType='camera|dataSync'/></application>")
    #expect(lines(result).last == "service android:foregroundServiceType=location|camera|dataSync android:name=x.S")
  }

  // MARK: Conflicts

  @Test("an attribute with two values: where both stand, and what to do")
  func attributes() throws {
    let result = try merge(
      "<application android:label='mine'/>", "<application/>", "<application android:label='theirs'/>")
    let conflict = try #require(result.conflicts.first)
    #expect(result.conflicts.count == 1 && !result.changed)
    #expect(conflict.kind == .attribute && conflict.otherSite.name == "b.aar")
    #expect(conflict.site.name == nil && conflict.site.position == .init(line: 2, column: 56))
    #expect(
      conflict.description
        == "android:label of <application> is 'mine' in the plugin's own manifest (line 2, column 56), but 'theirs' in "
        + "the manifest of b.aar (line 2, column 51)")
    #expect(conflict.hint == "add tools:replace=\"android:label\" to <application> in your manifest")
  }

  @Test("between two libraries the plugin has to say it")
  func betweenLibraries() throws {
    let library = { (theme: String) in
      "<application><activity android:name='x.A' android:theme='\(theme)'/></application>"
    }
    let result = try merge("", library("1"), library("2"))
    let conflict = try #require(result.conflicts.first)
    #expect(conflict.site.name == "a.aar" && conflict.otherSite.name == "b.aar" && result.changed)
    #expect(
      conflict.hint
        == "declare <activity> x.A in your manifest, with the value that you want and tools:replace=\"android:theme\"")
    let said = try merge(
      "<application><activity android:name='x.A' android:theme='3' tools:replace='android:theme'/></application>",
      library("1"), library("2"))
    #expect(said.conflicts.isEmpty && !said.changed)
  }

  @Test("names are compared as bytes")
  func bytes() throws {
    let result = try merge("<application android:label='e\u{301}'/>", "<application android:label='\u{e9}'/>")
    #expect(result.conflicts.count == 1)
  }

  @Test(
    "the minimum of the system's versions",
    arguments: [
      ("<uses-sdk android:minSdkVersion='21'/>", "<uses-sdk android:minSdkVersion='21'/>", false),
      ("<uses-sdk android:minSdkVersion='21'/>", "<uses-sdk android:minSdkVersion='22'/>", true),
      ("<uses-sdk android:minSdkVersion='9'/>", "<uses-sdk android:minSdkVersion='10'/>", true),
      ("", "", false), ("", "<uses-sdk/>", false), ("", "<uses-sdk android:minSdkVersion='2'/>", true),
      (
        "<uses-sdk android:minSdkVersion='9' tools:overrideLibrary='x, com.example.a'/>",
        "<uses-sdk android:minSdkVersion='10'/>", false
      ),
      ("<uses-sdk android:minSdkVersion='21'/>", "<uses-sdk android:minSdkVersion='Q'/>", true),
      ("<uses-sdk android:minSdkVersion='Q'/>", "<uses-sdk android:minSdkVersion='Q'/>", false),
      ("<uses-sdk android:minSdkVersion='Q'/>", "<uses-sdk android:minSdkVersion='28'/>", false),
    ])
  func minimum(_ plugin: String, _ library: String, _ isConflict: Bool) throws {
    let result = try merge(plugin, library)
    #expect(result.conflicts.map(\.kind) == (isConflict ? [.minimumSDK] : []))
    #expect(!result.changed)
    #expect(result.conflicts.allSatisfy { $0.hint.contains("tools:overrideLibrary=\"com.example.a\"") })
  }

  @Test("one authority of two providers")
  func authorities() throws {
    let provider = { (name: String, authorities: String) in
      "<application><provider android:name='\(name)' android:authorities='\(authorities)'/></application>"
    }
    let result = try merge(provider(".P", "a;${applicationId}.files"), provider(".P", "${applicationId}.files;b"))
    let conflict = try #require(result.conflicts.first)
    #expect(result.conflicts.count == 1 && conflict.kind == .authority && conflict.otherSite.name == "a.aar")
    #expect(
      conflict.description.hasPrefix(
        "the authority '${applicationId}.files' is claimed by <provider> com.example.plugin.P in the plugin's own"))
    #expect(try merge(provider(".P", "a"), provider("com.example.plugin.P", "a")).conflicts.isEmpty)
    #expect(try merge(provider("x.P", "a"), provider("x.P", "b")).conflicts.map(\.kind) == [.attribute])
    #expect(try merge(provider("x.P", "a"), provider("x.Q", "b")).conflicts.isEmpty)
  }

  @Test("a relative name in a manifest without a package")
  func noPackage() throws {
    let own = try AndroidManifest(Array("<manifest package='a.b'/>".utf8))
    let text = """
      <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application android:name="x.Y">
      <service android:name=".S"/></application></manifest>
      """
    let conflicts = own.merging([("x.aar", try AndroidManifest(Array(text.utf8)))]).conflicts
    #expect(conflicts.map(\.kind) == [.element])
    #expect(conflicts.first?.description.contains("<service> .S in the manifest of x.aar (line 2, column 1)") == true)
  }

  @Test("a second <uses-sdk> of a library counts: it needs what a device would take it to need")
  func secondMinimum() throws {
    let library = "<uses-sdk android:minSdkVersion='9'/>\n<uses-sdk android:minSdkVersion='23'/>"
    let conflicts = try merge("<uses-sdk android:minSdkVersion='14'/>", library).conflicts
    #expect(conflicts.map(\.kind) == [.minimumSDK])
    #expect(conflicts.first?.description.contains("but '23' in the manifest of a.aar") == true)
    #expect(
      try merge("<uses-sdk android:minSdkVersion='9'/><uses-sdk android:minSdkVersion='23'/>", library).conflicts
        .isEmpty)
  }

  // MARK: By another program

  @Test("aapt2 takes the result, and finds in it what was merged", .tools)
  func packaged() async throws {
    let result = try merge(
      "<uses-sdk android:minSdkVersion='21' android:targetSdkVersion='28'/><application android:label='own'/>",
      """
      <uses-sdk android:minSdkVersion='14' android:targetSdkVersion='28'/>
      <uses-permission android:name='android.permission.INTERNET'/>
      <uses-feature android:glEsVersion='0x00020000' android:required='false'/>
      <application android:label='own'><activity android:name='.A' android:exported='true'><intent-filter>
      <action android:name='x.&quot;y&quot;'/></intent-filter></activity>
      <provider android:name='.P' android:authorities='com.example.p' android:exported='false'/></application>
      """)
    #expect(result.changed && result.conflicts.isEmpty)
    let scratch = Scratch()
    let manifest = try scratch.write("AndroidManifest.xml", XMLWriter.write(result.merged))
    for kind in [["--static-lib"], []] {
      let output = scratch("out.apk").string
      try await Tool.check(
        ["aapt2", "link"] + kind + ["--manifest", manifest.string, "-I", AAPT.framework, "-o", output])
      let tree = try await Tool.check(["aapt2", "dump", "xmltree", "--file", "AndroidManifest.xml", output])
      let elements = tree.split(separator: "\n").filter { $0.contains("E: ") }.compactMap {
        $0.split(separator: " ", omittingEmptySubsequences: true).dropFirst().first.map(String.init)
      }
      #expect(
        elements.sorted() == [
          "action", "activity", "application", "intent-filter", "manifest", "provider", "uses-feature",
          "uses-permission", "uses-sdk",
        ])
      #expect(tree.contains("\"com.example.a.A\"") && tree.contains("\"com.example.a.P\""))
      #expect(tree.contains("x.\"y\""))
    }
  }

  @Test("a great many elements, soon")
  func many() throws {
    let text = (0..<5_000).map { "<x n='\($0)'/><meta-data android:name='m\($0)'/>" }.joined()
    let result = try merge("<application>\(text)</application>", "<application>\(text)<x/></application>")
    #expect(result.merged.children.first?.children.count == 10_001)
  }

  // MARK: Too much

  @Test("a thousand conflicts of a kind are told, the rest is counted")
  func manyConflicts() throws {
    let library = { (label: String) in
      let services = (0..<1500).map { "<service android:name='.S\($0)' android:label='\(label)'/>" }
      return "<application>\(services.joined().replacing("'.S", with: "'s.S"))</application>"
    }
    let conflicts = try merge("<application/>", library("one"), library("two")).conflicts
    #expect(conflicts.count == 1001)
    #expect(conflicts.last?.description == "there are 500 more conflicts like those above")
  }

  @Test("a name of megabytes is not repeated in every message")
  func longNameInMessages() throws {
    let provider = { (name: Character) in
      let text = String(repeating: name, count: 100_000)
      return "<application><provider android:name='a.\(text)' android:authorities='b'/></application>"
    }
    let conflicts = try merge("<application/>", provider("c"), provider("d")).conflicts
    #expect(conflicts.count == 1 && conflicts[0].description.utf8.count < 1000)
  }
}
