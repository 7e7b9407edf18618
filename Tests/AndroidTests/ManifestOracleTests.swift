import Lanes
import Android
import Artifacts
import Documents
import Testing

/// An app with the plugin and its libraries, each by itself, against the app with our merged one, both by Android's
/// merger.
@Suite("what an app gets of merged manifests", .tools)
struct ManifestOracleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var title: String
    var app: String? = nil
    var plugin: String
    var libraries: [String]
    var testDescription: String { title }
  }

  static let cases: [Case] = [
    .init(
      title: "all kinds of elements, names spelled out",
      plugin: "<application><activity android:name='.P'/></application>",
      libraries: [
        """
        <uses-permission android:name='android.permission.INTERNET'/>
        <permission android:name='com.example.a.P' android:protectionLevel='signature'/>
        <uses-feature android:name='android.hardware.camera' android:required='false'/>
        <supports-screens android:largeScreens='true'/>
        <application android:backupAgent='.Agent' android:allowBackup='true'>
          <activity android:name='.A' android:parentActivityName='Parent' android:label='@string/a'>
            <intent-filter><action android:name='x.Y'/><category android:name='c'/></intent-filter>
            <meta-data android:name='m' android:value='1'/>
          </activity>
          <activity-alias android:name='Alias' android:targetActivity='.A'/>
          <service android:name='com.other.S'/><receiver android:name='R'/>
          <provider android:name='.Provider' android:authorities='${applicationId}.p'>
            <grant-uri-permission android:pathPrefix='/x'/><grant-uri-permission android:pathPrefix='/y'/>
          </provider>
          <meta-data android:name='com.google.key' android:value='@string/k'/>
          <uses-library android:name='org.apache.http.legacy' android:required='false'/>
        </application>
        """,
        """
        <uses-permission android:name='android.permission.INTERNET'/>
        <uses-permission android:name='android.permission.CAMERA' android:maxSdkVersion='22'/>
        <uses-feature android:glEsVersion='0x00020000' android:required='true'/>
        <application><activity android:name='.A'/><service android:name='com.other.S' android:exported='false'/>
        </application>
        """,
      ]),
    .init(
      title: "the plugin's own relative name and the full one are one element",
      plugin: "<application><activity android:name='.P' android:label='x'/></application>",
      libraries: ["<application><activity android:name='com.example.plugin.P' android:theme='@style/x'/></application>"]
    ),
    .init(
      title: "filters are added unless equal",
      plugin: """
        <application><activity android:name='x.A'><intent-filter><action android:name='a'/><category android:name='b'/>
        </intent-filter></activity></application>
        """,
      libraries: [
        """
        <application><activity android:name='x.A'>
        <intent-filter><category android:name='b'/><action android:name='a'/></intent-filter>
        <intent-filter android:priority='3'><category android:name='b'/><action android:name='a'/></intent-filter>
        <intent-filter><action android:name='other'/></intent-filter></activity></application>
        """
      ]),
    .init(
      title: "required: one true is enough",
      plugin: """
        <uses-feature android:name='a' android:required='false'/><uses-feature android:name='b' android:required='false'/>
        <uses-feature android:name='c'/><uses-feature android:name='d' android:required='false'/>
        <uses-feature android:name='e' android:required='true'/><application><uses-library android:name='l' android:required='false'/></application>
        """,
      libraries: [
        """
        <uses-feature android:name='a' android:required='true'/><uses-feature android:name='b' android:required='false'/>
        <uses-feature android:name='c' android:required='false'/><uses-feature android:name='d'/>
        <uses-feature android:name='e' android:required='false'/><application><uses-library android:name='l'/></application>
        """
      ]),
    .init(
      title: "another value is a conflict",
      plugin: "<application><activity android:name='x.A' android:label='1'/></application>",
      libraries: ["<application><activity android:name='x.A' android:label='2'/></application>"]),
    .init(
      title: "a conflict between libraries", plugin: "<application/>",
      libraries: [
        "<application><meta-data android:name='k' android:value='1'/></application>",
        "<application><meta-data android:name='k' android:value='2'/></application>",
      ]),
    .init(
      title: "replaced attributes",
      plugin: "<application tools:replace='android:label, android:name' android:label='mine' android:name='.App'/>",
      libraries: ["<application android:label='theirs' android:name='.App' android:icon='@drawable/i'/>"]),
    .init(
      title: "removed attributes and elements",
      plugin: """
        <uses-permission android:name='p' tools:node='remove'/>
        <application tools:remove='android:allowBackup'><activity android:name='x.A' tools:node='remove'/>
        <activity android:name='x.B' tools:node='replace' android:label='b'/>
        <activity android:name='x.D' tools:node='mergeOnlyAttributes'/></application>
        """,
      libraries: [
        """
        <uses-permission android:name='p'/>
        <application android:allowBackup='false'><activity android:name='x.A'/>
        <activity android:name='x.B' android:label='other' android:theme='@style/t'/>
        <activity android:name='x.D' android:theme='@style/t'><meta-data android:name='m' android:value='1'/></activity>
        </application>
        """
      ]),
    .init(
      title: "all of a kind removed",
      plugin: "<uses-permission tools:node='removeAll'/><application/>",
      libraries: ["<uses-permission android:name='p'/><uses-permission android:name='q'/><application/>"]),
    .init(
      title: "removed from one library only",
      plugin: """
        <application><activity android:name='x.A' tools:node='remove' tools:selector='com.example.b'/>
        <activity android:name='x.B' tools:node='remove' tools:selector='com.example.b'/></application>
        """,
      libraries: [
        "<application><activity android:name='x.A'/></application>",
        "<application><activity android:name='x.B'/></application>",
      ]),
    .init(
      title: "a library's instructions are for those behind it", plugin: "<application/>",
      libraries: [
        "<application tools:replace='android:label' android:label='a'/>", "<application android:label='b'/>",
      ]),
    .init(
      title: "strict and equal",
      plugin: "<application><activity android:name='x.A' android:label='l' tools:node='strict'/></application>",
      libraries: ["<application><activity android:label='l' android:name='x.A'/></application>"]),
    .init(
      title: "strict and different",
      plugin: "<application><activity android:name='x.A' tools:node='strict'/></application>",
      libraries: ["<application><activity android:label='l' android:name='x.A'/></application>"]),
    .init(
      title: "what is there once takes in the rest",
      plugin: """
        <supports-screens android:smallScreens='false'/><uses-configuration android:reqFiveWayNav='true'/>
        <instrumentation android:name='a.B' android:targetPackage='t'/><application/>
        """,
      libraries: [
        """
        <supports-screens android:smallScreens='false' android:largeScreens='true'/>
        <uses-configuration android:reqHardKeyboard='true'/>
        <instrumentation android:name='.Other' android:targetPackage='u' android:functionalTest='true'/><application/>
        """
      ]),
    .init(
      title: "no application in the plugin", plugin: "",
      libraries: ["<application android:hasCode='false' android:label='x'><activity android:name='.A'/></application>"]),
    .init(
      title: "the library's own system", plugin: "<uses-sdk android:minSdkVersion='14'/><application/>",
      libraries: ["<uses-sdk android:minSdkVersion='14' android:targetSdkVersion='19'/><application/>"]),
    .init(
      title: "a newer system",
      app: "<uses-sdk android:minSdkVersion='16' android:targetSdkVersion='28'/><application/>",
      plugin: "<uses-sdk android:minSdkVersion='16'/><application/>",
      libraries: ["<uses-sdk android:minSdkVersion='19'/><application/>"]),
    .init(
      title: "a newer system, overridden",
      app: "<uses-sdk android:minSdkVersion='16' android:targetSdkVersion='28'/><application/>",
      plugin:
        "<uses-sdk android:minSdkVersion='16' tools:overrideLibrary='com.example.b, com.example.a'/><application/>",
      libraries: ["<uses-sdk android:minSdkVersion='19'/><application/>"]),
    .init(
      title: "permissions of old times",
      plugin: "<uses-sdk android:minSdkVersion='14' android:targetSdkVersion='28'/><application/>",
      libraries: [
        "<application/>",
        "<uses-sdk android:minSdkVersion='9' android:targetSdkVersion='15'/><uses-permission android:name='android.permission.READ_CONTACTS'/>",
      ]),
    .init(
      title: "permissions of less old times",
      plugin: "<uses-sdk android:minSdkVersion='14' android:targetSdkVersion='28'/><application/>",
      libraries: [
        "<uses-sdk android:minSdkVersion='14' android:targetSdkVersion='17'/><uses-permission android:name='android.permission.WRITE_EXTERNAL_STORAGE'/>"
      ]),
    .init(
      title: "elements and attributes of nobody knows whom", plugin: "<application/>",
      libraries: [
        """
        <queries><package android:name='a'/><intent><action android:name='x'/></intent></queries>
        <application><x:y xmlns:x='urn:x' x:z='&lt;1&gt;'/><profileable android:shell='true'/></application>
        """
      ]),
    .init(
      title: "nothing from the libraries", plugin: "<uses-permission android:name='a'/><application/>",
      libraries: ["<uses-permission android:name='a'/><application/>"]),
    .init(
      title: "a library's element that removes", plugin: "<application/>",
      libraries: [
        "<application><activity android:name='x.A' tools:node='remove'/></application>",
        "<application><activity android:name='x.A' android:label='late'/></application>",
      ]),
  ]

  static func manifest(_ name: String, _ body: String) -> String {
    """
    <manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools"
      package="com.example.\(name)" android:versionCode="7">\(body)</manifest>
    """
  }

  static func merge(_ plugin: String, _ libraries: [String]) throws -> (XMLTag, Bool, [ManifestConflict]) {
    let own = try AndroidManifest(Array(plugin.utf8))
    return own.merging(
      try libraries.enumerated().map { ("lib\($0.offset).aar", try AndroidManifest(Array($0.element.utf8))) })
  }

  static func check(_ cases: [Case]) async throws {
    var jobs: [(app: String, libraries: [String])] = []
    var conflicts: [[ManifestConflict]] = []
    for test in cases {
      let app = manifest(
        "app", test.app ?? "<uses-sdk android:minSdkVersion='21' android:targetSdkVersion='28'/><application/>")
      let plugin = manifest("plugin", test.plugin)
      let libraries = zip(["a", "b", "c"], test.libraries).map { manifest($0, $1) }
      let (merged, _, found) = try merge(plugin, libraries)
      conflicts.append(found)
      jobs.append((app, [plugin] + libraries))
      jobs.append((app, [String(decoding: XMLWriter.write(merged), as: UTF8.self)]))
    }
    let results = try await AndroidMerger.merge(jobs)
    for (number, test) in cases.enumerated() {
      let (apart, ours) = (results[2 * number], results[2 * number + 1])
      guard conflicts[number].isEmpty else {
        #expect(apart == nil, "\(test.title): \(conflicts[number])")
        continue
      }
      guard let apart else {
        // With what the app itself says there can be conflicts that are none without it.
        #expect(test.app != nil, "\(test.title)")
        continue
      }
      let given = ours.map(outline)?.joined(separator: "\n")
      #expect(given == outline(apart).joined(separator: "\n"), "\(test.title)")
    }
  }

  @Test("as if the app had each library by itself")
  func cases() async throws { try await Self.check(Self.cases) }

  @Test("as if the app had each library by itself, whatever they say")
  func random() async throws {
    var generator = Generator(state: 2024)
    try await Self.check((0..<100).map { generator.testCase($0) })
  }

  /// Few names and values, so that much of it meets.
  struct Generator {
    var state: UInt64
    var hasTools = true

    mutating func number(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }

    mutating func pick(_ list: [String]) -> String { list[number(list.count)] }

    mutating func testCase(_ number: Int) -> Case {
      let plugin = manifest(isPlugin: true)
      let libraries = (0...self.number(3)).map { _ in manifest(isPlugin: false) }
      guard number.isMultiple(of: 2) else {
        return Case(title: "random \(number)", plugin: plugin, libraries: libraries)
      }
      hasTools = false
      defer { hasTools = true }
      let app = "<uses-sdk android:minSdkVersion='21' android:targetSdkVersion='28'/>" + manifest(isPlugin: false)
      return Case(title: "random \(number)", app: app, plugin: plugin, libraries: libraries)
    }

    mutating func element(_ name: String, _ attributes: [String], isPlugin: Bool, _ children: String = "") -> String {
      var text = "<\(name)"
      var given: [String] = []
      for attribute in attributes {
        let parts = attribute.split(separator: "=", maxSplits: 1)
        // The first is the key.
        guard given.isEmpty || number(3) == 0 else { continue }
        given.append(String(parts[0]))
        text += " \(parts[0])='\(pick(parts[1].split(separator: ",").map(String.init)))'"
      }
      guard hasTools else { return text + (children.isEmpty ? "/>" : ">\(children)</\(name)>") }
      let optional = attributes.dropFirst().map { String($0.prefix { $0 != "=" }) }
      // That merger fails on an element for which one says replace, and another remove.
      let isReplacer = ["application", "meta-data"].contains(name)
      if isPlugin ? number(4) == 0 : isReplacer && number(8) == 0, let last = given.dropFirst().last {
        text += " tools:replace='\(last)'"
      } else if isPlugin, !isReplacer, number(6) == 0, let first = optional.first, !given.contains(first) {
        text += " tools:remove='\(first)'"
      }
      if number(isPlugin ? 8 : 20) == 0, name != "application", name != "data" {
        // A library that removes what stands before it is another matter in later versions: it is not obeyed there.
        let operation = pick(["merge", "replace", "mergeOnlyAttributes"] + (isPlugin ? ["remove"] : []))
        text += " tools:node='\(operation)'"
        if isPlugin, operation == "remove", number(2) == 0 { text += " tools:selector='com.example.a'" }
      }
      return text + (children.isEmpty ? "/>" : ">\(children)</\(name)>")
    }

    mutating func some(_ list: [String], _ make: (inout Generator, String) -> String) -> String {
      var text = ""
      for name in list where number(2) == 0 { text += make(&self, name) }
      return text
    }

    mutating func manifest(isPlugin: Bool) -> String {
      let flag = "true,false"
      var text = some(["a.X", "a.Y"]) {
        $0.element("uses-permission", ["android:name=\($1)", "android:maxSdkVersion=22"], isPlugin: isPlugin)
      }
      text += some(["f.X", "f.Y"]) {
        $0.element("uses-feature", ["android:name=\($1)", "android:required=\(flag)"], isPlugin: isPlugin)
      }
      text += some(["p.X"]) {
        $0.element(
          "permission", ["android:name=\($1)", "android:protectionLevel=normal,normal,normal,signature"],
          isPlugin: isPlugin)
      }
      let application = some(["activity", "service", "receiver", "activity-alias"]) { generator, kind in
        generator.some([".A", "com.example.plugin.A", "com.example.a.A", "B"]) { generator, name in
          // One class cannot be named twice in one manifest.
          if isPlugin, name == "com.example.plugin.A" { return "" }
          if !isPlugin, name == "com.example.a.A" { return "" }
          let inner = generator.some(["1", "2"]) { generator, key in
            generator.element("meta-data", ["android:name=m.\(key)", "android:value=1,1,1,2"], isPlugin: isPlugin)
          }
          let filters = generator.some(["1"]) { generator, _ in
            "<intent-filter><action android:name='\(generator.pick(["x", "y"]))'/><category android:name='c'/></intent-filter>"
          }
          return generator.element(
            kind, ["android:name=\(name)", "android:exported=true,true,true,true,false", "android:process=:p"],
            isPlugin: isPlugin,
            inner + filters)
        }
      }
      let uses = some(["u.X"]) {
        $0.element("uses-library", ["android:name=\($1)", "android:required=\(flag)"], isPlugin: isPlugin)
      }
      if number(8) > 0 {
        text += element(
          "application",
          ["android:allowBackup=true", "android:label=1,1,1,1,1,2", "android:name=.App,com.example.plugin.App"],
          isPlugin: isPlugin, application + uses)
      }
      return text
    }
  }
}
