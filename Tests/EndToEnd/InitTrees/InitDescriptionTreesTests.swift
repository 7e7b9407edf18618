import Foundation
import SystemPackage
import TestSupport
import Testing

/// What the files that describe a plugin for package managers say is in the deliverables, or named.
@Suite(.timeLimit(.minutes(10))) struct InitDescriptionTreesTests {
  private static let cordova = "<plugin xmlns=\"http://apache.org/cordova/ns/plugins/1.0\""
  private static let android = "xmlns:android=\"http://schemas.android.com/apk/res/android\""

  private static func java(_ name: String, _ body: String = "{}") -> String {
    let package = name.split(separator: ".").dropLast().joined(separator: ".")
    return "package \(package);\npublic class \(name.split(separator: ".").last ?? "") \(body)\n"
  }

  /// Cordova's own reader knows no namespaces, and takes bytes of any encoding.
  @Test(arguments: ["", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" encoding=\"GBK\"?>"])
  func whatIsNotQuiteXML(_ declaration: String) async throws {
    let tree = PluginTree("place")
    let text = """
      \(declaration)\(Self.cordova) id="acme-place" version="2.3.4"><platform name="ios">
      <source-file src="ios/A.c"/><framework src="CoreLocation.framework" m2:weak="true"/></platform></plugin>
      <!--
      """
    try tree.scratch.write("place/plugin.xml", Array(text.utf8) + [0xB6, 0xA8, 0xCE, 0xBB] + Array(" -->\n".utf8))
    try tree.write("ios/A.c", "int acme_place(void) { return 1; }\n")
    try tree.write("ios/B.c", "int acme_other(void) { return 1; }\n")
    let lines = try await tree.initialize()
    #expect(names(lines, "ios/B.c", "plugin.xml does not name it") && lines.count == 1, "\(lines)")
    let manifest = try tree.manifest
    #expect(manifest.contains("name: acme-place\nversion: 2.3.4\n"))
    #expect(manifest.contains("The app links besides: CoreLocation"))
  }

  @Test func whatCannotBeRead() async throws {
    let tree = PluginTree("torn")
    try tree.write("plugin.xml", "\(Self.cordova) id=\"torn\" version=\"2.0.0\">\n<name>Torn</nam>\n</plugin>\n")
    try tree.write("package.json", "{\n<<<<<<< ours\n\"version\": \"2.0.0\"}\n")
    try tree.write("pubspec.yaml", "name: [torn\n")
    try tree.write("Package.swift", "import PackageDescription\n")
    try tree.write("torn.podspec.json", "{\"name\"}")
    try tree.write("torn.podspec", "puts 1\n")
    try tree.write("ios/a.c", "int torn(void) { return 1; }\n")
    let lines = try await tree.initialize()
    for (name, text) in [
      ("plugin.xml", "not well-formed XML"), ("package.json", "(line 2)"), ("pubspec.yaml", "line"),
      ("Package.swift", "no Package(…)"), ("torn.podspec.json", "not JSON"), ("torn.podspec", "no pod"),
    ] {
      #expect(lines.contains { $0.hasPrefix("did not read \(name): ") && $0.contains(text) }, "\(name): \(lines)")
    }
    #expect(lines.count == 6)
    #expect(try tree.manifest.contains("version: 1.0.0 # nothing that could be read says one\n"))
  }

  /// A script that is applied to the app's own build makes no module, and of several archives one is named.
  @Test func whatPluginXMLNames() async throws {
    let tree = PluginTree("media")
    try tree.write(
      "plugin.xml",
      """
      \(Self.cordova) id="acme-media" version="0.1.0"><platform name="android">
      <source-file src="android/java/Hook.java" target-dir="src/io/acme/media"/>
      <resource-file src="libs/core.aar" target="libs/core.aar"/>
      <framework src="android/build.gradle" custom="true" type="gradleReference"/></platform></plugin>
      """)
    try tree.write("android/build.gradle", "apply plugin: 'com.android.application'\nandroid { minSdkVersion 19 }\n")
    try tree.write("android/java/Hook.java", Self.java("io.acme.media.Hook"))
    try tree.write("android/java/Template.java", Self.java("io.acme.media.Template"))
    try await tree.aar("libs/core.aar", "org.core.Core")
    try await tree.aar("libs/core-old.aar", "org.core.Core")
    try await tree.jar("old/core.jar", "org.core.Core")
    let lines = try await tree.initialize()
    #expect(
      names(lines, "libs/core-old.aar", "old/core.jar", "android/java/Template.java", "plugin.xml does not name it"))
    #expect(lines.count == 1, "\(lines)")
    #expect(try tree.manifest.contains("minSdkVersion=\"19\""))
    _ = try await tree.build()
    #expect(Set(try await tree.classes()) == ["io/acme/media/Hook.class", "org/core/Core.class"])
  }

  private static let additions = """
    <config-file target="AndroidManifest.xml" parent="/*">
      <uses-permission android:name="android.permission.CAMERA"/>
      <uses-permission android:name="android.permission.CAMERA"/>
      <uses-sdk android:minSdkVersion="21"/>
    </config-file>
    <config-file target="app/src/main/AndroidManifest.xml" parent="/manifest/application">
      <activity android:name="com.acme.Scan" android:label="It's $(touch hacked) 日本 `x`"><intent-filter>
        <action android:name="acme.SCAN"/></intent-filter></activity>
      <meta-data android:name="acme.key" android:value="$API_KEY"/>
      <provider android:name=".Files"/>
    </config-file>
    <config-file target="AndroidManifest.xml" parent="/manifest/application/activity">
      <intent-filter><action android:name="acme.MORE"/></intent-filter>
    </config-file>
    <edit-config file="AndroidManifest.xml" target="AndroidManifest.xml" mode="merge"><supports-screens/></edit-config>
    """

  /// Permissions and activities of the app are the library's, whatever they are called; values of the app's are named.
  @Test(arguments: ["", android])
  func whatGoesIntoTheManifest(_ declaration: String) async throws {
    let tree = PluginTree("scan")
    try tree.write(
      "plugin.xml",
      "\(Self.cordova) \(declaration) id=\"acme-scan\" version=\"1.0.0\"><platform name=\"android\">\(Self.additions)"
        + "<source-file src=\"src/Scan.java\" target-dir=\"src/com/acme\"/></platform></plugin>\n")
    try tree.write("src/Scan.java", Self.java("com.acme.Scan"))
    let lines = try await tree.initialize()
    func isNamed(_ text: String, _ reason: String) -> Bool {
      lines.contains { $0.hasPrefix("of plugin.xml, in no manifest: \(text)") && $0.contains(reason) }
    }
    #expect(isNamed("meta-data acme.key ($API_KEY)", "variable"), "\(lines)")
    #expect(isNamed("provider .Files", "named by the app's package"))
    #expect(isNamed("intent-filter, supports-screens", "what the app has there"))
    #expect(lines.count == 3)
    _ = try await tree.build()
    let text = try await Tool.check(
      ["unzip", "-p", "dist/acme-scan-1.0.0.aar", "AndroidManifest.xml"], in: tree.scratch("scan"))
    for part in [
      "android:minSdkVersion=\"21\"", "<uses-permission android:name=\"android.permission.CAMERA\"",
      "android:name=\"com.acme.Scan\"", "<action android:name=\"acme.SCAN\"",
    ] {
      #expect(text.split(separator: part, omittingEmptySubsequences: false).count == 2, "\(part): \(text)")
    }
    #expect(text.contains("It's $(touch hacked)") || text.contains("It&#39;s $(touch hacked)"), "\(text)")
    #expect(!text.contains("API_KEY") && !text.contains(".Files") && !text.contains("acme.MORE"))
    #expect(!FileManager.default.fileExists(atPath: tree.scratch("scan/hacked").string))
  }

  /// A manifest that is there stays as it is: what is not in it is named.
  @Test func whatIsMissingInTheManifest() async throws {
    let tree = PluginTree("scan")
    try tree.write(
      "plugin.xml",
      "\(Self.cordova) id=\"acme-scan\" version=\"1.0.0\"><platform name=\"android\">\(Self.additions)</platform></plugin>\n"
    )
    try tree.write(
      "android/AndroidManifest.xml",
      "<manifest \(Self.android) package=\"com.acme\"><uses-permission android:name=\"android.permission.CAMERA\"/></manifest>"
    )
    try tree.write("android/src/com/acme/Scan.java", Self.java("com.acme.Scan"))
    let lines = try await tree.initialize()
    let expected =
      "of plugin.xml, in no manifest: activity com.acme.Scan: add what the plugin needs of it to android/AndroidManifest.xml"
    #expect(lines.contains(expected), "\(lines)")
  }

  @Test func resourcesGoWhereTheyAreMeant() async throws {
    let tree = PluginTree("ads")
    try tree.write(
      "plugin.xml",
      """
      \(Self.cordova) id="acme-ads" version="1.0.0"><platform name="android">
      <source-file src="android/Ads.java" target-dir="src/com/acme"/>
      <resource-file src="android/res/ad's.png" target="res/drawable-xxhdpi/ad.png"/>
      <source-file src="android/res/strings.xml" target-dir="app/src/main/res/values"/>
      <resource-file src="android/res/other.png" target="res/drawable-xxhdpi/ad.png"/>
      <resource-file src="android/res/ad.png" target="res/../../ad.png"/></platform></plugin>
      """)
    try tree.write("android/Ads.java", Self.java("com.acme.Ads"))
    for name in ["ad's", "other", "ad", "more"] { try tree.write("android/res/\(name).png") }
    try tree.write("android/res/strings.xml", "<resources><string name=\"ad\">x</string></resources>\n")
    let lines = try await tree.initialize()
    #expect(names(lines, "android/res/other.png", "another resource of that name"), "\(lines)")
    #expect(names(lines, "android/res/ad.png", "puts it into res"))
    #expect(names(lines, "android/res/more.png"))
    #expect(!lines.contains { $0.contains("ad's") || $0.contains("android/res: ") })
    _ = try await tree.build()
    let entries = try await tree.entries(".aar").filter { $0.hasPrefix("res/") && !$0.hasSuffix("/") }
    #expect(Set(entries) == ["res/drawable-xxhdpi/ad.png", "res/values/strings.xml"], "\(entries)")
  }

  /// Copies of the system's interfaces have shorter names than a plugin's own packages.
  @Test func thePackageWithMostOfTheFiles() async throws {
    for (name, packages, expected) in [
      ("billing", ["com.android.vending.billing", "com.acme.shop", "com.acme.shop", "org.json"], "com.acme.shop"),
      ("parts", ["com.acme.zbar", "com.acme.zbar.core", "com.acme.zbar.core"], "com.acme.zbar"),
      ("system", ["android.security"], "com.example.system"),
    ] {
      let tree = PluginTree(name)
      for (index, package) in packages.enumerated() {
        try tree.write(
          "src/\(package.replacingOccurrences(of: ".", with: "/"))/C\(index).java", Self.java("\(package).C\(index)"))
      }
      try await tree.initialize()
      #expect(try tree.manifest.contains("<manifest package=\"\(expected)\"/>"), "\(name)")
    }
    let tree = PluginTree("securely")
    try tree.write(
      "android/manifest", "version: 3.1.2\nname: Securely\nmoduleid: acme.securely\nplatform: android\n")
    try tree.write("android/src/acme/securely/inner/A.java", Self.java("acme.securely.inner.A"))
    try await tree.initialize()
    #expect(try tree.manifest.contains("<manifest package=\"acme.securely\"/>"))
  }

  /// Android's tools write R and BuildConfig anew.
  @Test func sourcesThatABuildMakes() async throws {
    let tree = PluginTree("eclipse")
    try tree.write("lib/src/com/acme/A.java", Self.java("com.acme.A", "{ int a = R.string.a; }"))
    try tree.write("lib/gen/com/acme/R.java", "/* AUTO-GENERATED FILE.  DO NOT MODIFY. */\n" + Self.java("com.acme.R"))
    try tree.write(
      "lib/gen/com/acme/BuildConfig.java",
      "/** Automatically generated file. DO NOT MODIFY */\n" + Self.java("com.acme.BuildConfig"))
    try tree.write("lib/res/values/s.xml", "<resources><string name=\"a\">x</string></resources>\n")
    let lines = try await tree.initialize()
    #expect(names(lines, "lib/gen/com/acme/*.java (2)", "made by a build") && lines.count == 1, "\(lines)")
    _ = try await tree.build()
    let classes = try await tree.classes()
    #expect(classes.contains("com/acme/A.class") && !classes.contains("com/acme/BuildConfig.class"), "\(classes)")
  }

  private static let launcher = """
    <activity android:name=".Main"><intent-filter><action android:name="android.intent.action.MAIN"/>
    <category android:name="android.intent.category.LAUNCHER"/></intent-filter></activity>
    """

  /// A manifest that starts a class beside it is an application's. One that starts a host's class is many a plugin's.
  @Test func applicationsWithoutGradle() async throws {
    let tree = PluginTree("app")
    try tree.write(
      "AndroidManifest.xml",
      "<manifest \(Self.android) package=\"com.demo\"><application>\(Self.launcher)</application></manifest>")
    try tree.write("src/Main.java", Self.java("com.demo.Main"))
    try tree.write("res/values/s.xml", "<resources/>\n")
    let refused = try await tree.run(["init"])
    #expect(refused.status != 0 && refused.all.contains("is an application"), "\(refused.all)")
    try await tree.jar("libs/sdk.jar", "com.sdk.Sdk")
    let lines = try await tree.initialize()
    #expect(names(lines, "src/Main.java", "of an application"), "\(lines)")
    _ = try await tree.build()
    let entries = try await tree.entries(".aar")
    #expect(entries.contains("libs/sdk.jar") && !entries.contains { $0.hasPrefix("res/") }, "\(entries)")
    let unity = PluginTree("unity")
    let player = Self.launcher.replacingOccurrences(of: ".Main", with: "com.unity3d.player.UnityPlayerActivity")
    try unity.write(
      "Plugins/Android/AndroidManifest.xml",
      "<manifest \(Self.android) package=\"com.game\"><application>\(player)</application></manifest>")
    try unity.write("Plugins/Android/src/com/acme/Bridge.java", Self.java("com.acme.Bridge"))
    try await unity.initialize()
    _ = try await unity.build()
    #expect(try await unity.classes() == ["com/acme/Bridge.class"])
  }

  @Test func adobeAIR() async throws {
    let tree = PluginTree("ane")
    try tree.write("actionscript/src/com/acme/P.as")
    try tree.write(
      "build/extension.xml",
      "<extension xmlns=\"http://ns.adobe.com/air/extension/3.5\"><id>com.acme.P</id>"
        + "<versionNumber>2.0.1</versionNumber></extension>\n")
    try tree.write("ios/P.c", "int acme_p(void) { return 1; }\n")
    let lines = try await tree.initialize()
    #expect(names(lines, "actionscript/src/com/acme/P.as", "ActionScript") && lines.count == 1, "\(lines)")
    #expect(try tree.manifest.contains("name: com.acme.P\nversion: 2.0.1\n"))
  }

  @Test func versionsThatDiffer() async throws {
    let tree = PluginTree("two")
    for (folder, version, platform) in [("Android", "3.1.2", "android"), ("iOS", "2.2.1", "iphone")] {
      try tree.write("\(folder)/manifest", "version: \(version)\nmoduleid: acme.two\nplatform: \(platform)\n")
    }
    try tree.write("Android/src/acme/two/A.java", Self.java("acme.two.A"))
    try tree.write("Android/assets/README", "Put assets here.\n")
    try tree.write("other/package.json", "{\"name\": \"other\", \"version\": \"9.0.0\"}\n")
    let lines = try await tree.initialize()
    #expect(lines == ["took version 3.1.2 of Android/manifest, and not 2.2.1 of iOS/manifest"], "\(lines)")
    #expect(!(try tree.manifest.contains("assets")))
  }

  /// A jar that was made of a module's sources has each class a second time.
  @Test func aJarOfTheModule() async throws {
    let tree = PluginTree("corona")
    try tree.write(
      "android/plugin/build.gradle", "apply plugin: 'com.android.library'\nandroid { namespace 'plugin.k' }\n")
    try tree.write("android/plugin/src/main/AndroidManifest.xml", "<manifest/>\n")
    try tree.write("android/plugin/src/main/java/plugin/k/Loader.java", Self.java("plugin.k.Loader"))
    try await tree.jar("plugins/plugin.k.jar", "plugin.k.Loader")
    try await tree.jar("plugins/sdk.jar", "com.sdk.Sdk")
    let lines = try await tree.initialize()
    #expect(names(lines, "plugins/plugin.k.jar", "made of the module's sources already"), "\(lines)")
    #expect(names(lines, "plugins/sdk.jar", "add it to libs"))
  }

  /// The bundle in which `Bundle.module` looks: what is processed lies side by side there, what is copied keeps its folders.
  @Test func resourcesOfAPackage() async throws {
    let tree = PluginTree("keep")
    try tree.write(
      "Package.swift",
      """
      // swift-tools-version:5.5
      import PackageDescription
      let package = Package(name: "KeepKit", defaultLocalization: "en", targets: [
        .target(name: "Keep", dependencies: [], exclude: ["Resources/notes.txt"], resources: [
          .process("Resources"), .copy("assets"), .copy("data/keep.json")]),
        .target(name: "More", path: "More", resources: [.process("a.png", localization: .default)])])
      """)
    try tree.write("Sources/Keep/keep.c", "int keep(void) { return 1; }\n")
    try tree.write("More/more.c", "int more(void) { return 1; }\n")
    for file in [
      "Resources/a.png", "Resources/icons/b.png", "Resources/en.lproj/L.strings", "Resources/de/de.lproj/L.strings",
      "Resources/Form.xib", "Resources/notes.txt", "assets/a.png", "assets/more/a.png",
      "assets/more/en.lproj/L.strings",
      "assets/Skin.bundle/a.png", "data/keep.json",
    ] { try tree.write("Sources/Keep/\(file)") }
    try tree.write("More/a.png")
    let lines = try await tree.initialize()
    #expect(names(lines, "Sources/Keep/Resources/Form.xib", "ibtool into KeepKit_Keep.bundle"), "\(lines)")
    _ = try await tree.build()
    let keep = [
      "a.png", "b.png", "en.lproj/L.strings", "de.lproj/L.strings", "assets/a.png", "assets/more/a.png",
      "assets/more/en.lproj/L.strings", "assets/Skin.bundle/a.png", "keep.json",
    ]
    #expect(
      Set(try await tree.entries("-ios.zip"))
        == Set(
          keep.map { "KeepKit_Keep.bundle/\($0)" } + ["KeepKit_More.bundle/a.png", "libKeepKit.a"]))
  }
}
