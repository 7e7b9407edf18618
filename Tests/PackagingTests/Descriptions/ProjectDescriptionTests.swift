import SystemPackage
import TestSupport
import Testing

@testable import Packaging

@Suite struct ProjectDescriptionTests {
  private let scratch = Scratch()

  private func write(_ paths: String...) throws {
    for path in paths { try scratch.write(path, "") }
  }

  private var all: [ProjectDescription] { ProjectDescription.all(in: StarterTree(root: scratch.path)) }

  private func description(_ path: String, _ text: String) throws -> ProjectDescription {
    try scratch.write(path, text)
    return try #require(all.first { $0.path == path })
  }

  @Test func nearestFirstAndNoExamples() throws {
    let package = #"{ "name": "scan", "version": "1.0.0" }"#
    let paths = [
      "package.json", "plugin/package.json", "a/b/package.json", "node_modules/x/package.json",
      "example/package.json", "Examples/App/package.json", "my-demo/package.json", "ScanTests/package.json",
      "tests/package.json", "Scan.framework/package.json", "ios/Pods/x/package.json", "TestApp/package.json",
    ]
    for path in paths { try scratch.write(path, package) }
    try scratch.write("plugin.xml", #"<plugin id="cordova-scan" version="1.1.0"/>"#)
    let found = ["plugin.xml", "package.json", "plugin/package.json", "a/b/package.json"]
    #expect(all.map(\.path) == found)
    for name in ["latest", "TestFairy", "SampleBuffer", "src", "Democracy", "contest"] {
      #expect(!ProjectDescription.isLeftAlone(name))
    }
    for name in ["Demo", "demos", "ExampleApp", "example-ios", "iOS Sample", "scan_test", "androidTest"] {
      #expect(ProjectDescription.isLeftAlone(name))
    }
  }

  @Test(arguments: [
    ("@acme/scan", "scan"), ("Native Share", "Native-Share"), ("com.acme.scan", "com.acme.scan"), ("../x", nil),
    ("a/b", nil), (".hidden", nil), ("-x", nil), ("$NAME", nil), ("scan\n", "scan"), ("", nil), ("日本", nil),
  ])
  func names(_ text: String, _ name: String?) { #expect(ProjectDescription.usableName(text) == name) }

  @Test(arguments: [
    ("1.2.3", "1.2.3"), ("2.1.2-SNAPSHOT", "2.1.2-SNAPSHOT"), ("0.4.0+3", "0.4.0+3"), ("$VERSION", nil), ("v1", nil),
    ("1/2", nil), ("", nil), ("latest", nil),
  ])
  func versions(_ text: String, _ version: String?) { #expect(ProjectDescription.usableVersion(text) == version) }

  @Test func aCordovaPlugin() throws {
    try write(
      "src/ios/Scan.m", "src/ios/Scan.h", "src/ios/libs/libscan.a", "src/ios/Core.framework/Core",
      "src/ios/Scan.bundle/a.png", "src/android/Scan.java", "src/android/Scan.kt", "src/android/libs/scan.jar",
      "src/android/res/values/scan.xml", "src/android/libs/arm64-v8a/libscan.so", "src/windows/Scan.js")
    let plugin = try description(
      "plugin.xml",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plugin xmlns="http://apache.org/cordova/ns/plugins/1.0"
              xmlns:android="http://schemas.android.com/apk/res/android" id="cordova-plugin-scan" version="3.1.0">
        <name>Scan</name>
        <engines><engine name="cordova" version=">=3.0.0"/></engines>
        <js-module src="www/Scan.js" name="Scan"><clobbers target="scan" /></js-module>
        <platform name="ios">
          <config-file target="config.xml" parent="/*">
            <feature name="Scan"><param name="ios-package" value="Scan"/></feature>
            <preference name="deployment-target" value="11.0" />
          </config-file>
          <header-file src="src/ios/Scan.h"/>
          <source-file src="src/ios/Scan.m" compiler-flags="-fobjc-arc"/>
          <source-file src="src/ios/Scan.m"/>
          <source-file src="src/ios/libs/libscan.a" framework="true"/>
          <source-file src="src/ios/Missing.m"/>
          <framework src="src/ios/Core.framework" custom="true" embed="true"/>
          <framework src="Social.framework" weak="true" />
          <framework src="libsqlite3.dylib" />
          <framework src="$NAME.framework" />
          <resource-file src="src/ios/Scan.bundle"/>
          <podspec><pods><pod name="Other" spec="~> 1.0"/></pods></podspec>
        </platform>
        <platform name="android">
          <config-file target="AndroidManifest.xml" parent="/*"><uses-sdk android:minSdkVersion="21"/></config-file>
          <source-file src="src/android/Scan.java" target-dir="src/com/acme"/>
          <source-file src="src/android/Scan.kt" target-dir="java/com/acme"/>
          <source-file src="src/android/libs/scan.jar" target-dir="libs"/>
          <lib-file src="src/android/libs/scan.jar"/>
          <resource-file src="src/android/libs/arm64-v8a/libscan.so" target="libs/arm64-v8a/libscan.so"/>
          <resource-file src="src/android/res/values/scan.xml" target="res/values/scan.xml"/>
          <framework src="androidx.core:core:$VERSION"/>
        </platform>
        <platform name="windows"><source-file src="src/windows/Scan.js"/></platform>
      </plugin>
      """)
    #expect(plugin.kind == .cordova && plugin.name == "cordova-plugin-scan" && plugin.version == "3.1.0")
    #expect(plugin.minimumIOS == "11.0" && plugin.minimumAndroidSDK == "21")
    #expect(plugin.sources == ["src/ios/Scan.m"] && plugin.headers == ["src/ios/Scan.h"])
    #expect(plugin.frameworks == ["Social", "libsqlite3"])
    #expect(
      plugin.libraries == [
        "src/ios/libs/libscan.a", "src/ios/Core.framework", "src/android/libs/scan.jar",
        "src/android/libs/arm64-v8a/libscan.so",
      ])
    #expect(plugin.resources == ["src/ios/Scan.bundle"])
    #expect(plugin.androidSources == ["src/android/Scan.java", "src/android/Scan.kt"])
    #expect(plugin.androidResources == ["src/android/res/values/scan.xml"])
  }

  @Test func anNPMPackage() throws {
    try write(
      "ios/Core.xcframework/Info.plist", "android/libs/a.aar", "example/b.aar",
      "android/gradle/wrapper/gradle-wrapper.jar")
    let package = try description(
      "package.json",
      #"{ "name": "@acme/react-native-scan", "version": "2.0.0-rc.1", "files": ["/ios", "android", "!example", "*.podspec"] }"#
    )
    #expect(package.kind == .npm && package.name == "react-native-scan" && package.version == "2.0.0-rc.1")
    #expect(package.libraries == ["android/libs/a.aar", "ios/Core.xcframework"])
    try scratch.write("package.json", #"{ "name": "workspace", "version": "0.0.0", "private": true }"#)
    #expect(all.isEmpty)
  }

  @Test func aFlutterPlugin() throws {
    let package = try description(
      "pubspec.yaml",
      """
      name: scan
      description: Scans.
      version: 0.4.0+2
      environment:
        sdk: '>=2.12.0 <3.0.0'
      flutter:
        plugin:
          platforms:
            android: { package: com.acme.scan, pluginClass: ScanPlugin }
      """)
    #expect(package.kind == .pubspec && package.name == "scan" && package.version == "0.4.0+2")
  }

  @Test func aTitaniumModule() throws {
    try write(
      "ios/Classes/ScanModule.m", "ios/Classes/ScanModule.h", "ios/platform/Core.xcframework/Info.plist",
      "android/src/acme/ScanModule.java", "android/lib/core.jar", "android/platform/android/res/values/a.xml")
    try scratch.write(
      "ios/module.xcconfig",
      "// flags\nOTHER_LDFLAGS=$(inherited) -framework AVFoundation -weak_framework CoreML -lz -ObjC\n")
    try scratch.write("manifest", "a file of something else\n")
    let head = "#\n# this is your module manifest\n#\nversion: 6.0.0\nname: scan\nmoduleid: acme.scan\n"
    let android = try description("android/manifest", head + "platform: android\nminsdk: 9.0.0\n")
    let ios = try description("ios/manifest", head + "platform: iphone\nminsdk: 9.0.0\n")
    #expect(all.count == 2)
    #expect(ios.kind == .titanium && ios.name == "acme.scan" && ios.version == "6.0.0" && ios.minimumIOS == nil)
    #expect(ios.sources == ["ios/Classes/ScanModule.m"] && ios.headers == ["ios/Classes/ScanModule.h"])
    #expect(ios.libraries == ["ios/platform/Core.xcframework"])
    #expect(ios.frameworks == ["AVFoundation", "CoreML", "libz"])
    #expect(android.androidSources == ["android/src/acme/ScanModule.java"])
    #expect(android.libraries == ["android/lib/core.jar"])
    #expect(android.androidResources == ["android/platform/android/res/values/a.xml"])
  }

  @Test func aSwiftPackage() throws {
    try write(
      "Core.xcframework/Info.plist", "Sources/Scan/a.m", "Sources/Scan/include/Scan.h", "Sources/Scan/Private/p.h",
      "Source/Extra/Good/b.swift", "Source/Extra/Bad/c.swift", "Source/Extra/Good/a.json", "Tests/ScanTests/t.swift")
    let package = try description(
      "Package.swift",
      """
      // swift-tools-version:5.3
      import PackageDescription
      /* .target(name: "Old") */
      let package = Package(
          name: "Scan",
          platforms: [.macOS(.v10_15), .iOS(.v13)],
          products: [.library(name: "ScanProduct", targets: ["Scan"])],
          targets: [
              .binaryTarget(name: "Core", path: "Core.xcframework"),
              .binaryTarget(name: "Far", url: "https://example.com/Far.zip", checksum: "00"),
              .target(
                name: "Scan",
                dependencies: [.target(name: "Core"), .product(name: "Other", package: "other")],
                linkerSettings: [.linkedFramework("UIKit"), .linkedLibrary("z", .when(platforms: [.iOS]))]),
              .target(name: "Extra", path: "Source/Extra", exclude: ["Bad"], sources: ["Good", "Bad"],
                resources: [.copy("Good/a.json")]),
              .testTarget(name: "ScanTests", dependencies: ["Scan"], path: "Tests/ScanTests"),
          ]
      )
      """)
    #expect(package.kind == .swiftPackage && package.name == "Scan" && package.minimumIOS == "13.0")
    #expect(package.libraries == ["Core.xcframework"] && package.frameworks == ["UIKit", "libz"])
    #expect(package.sources == ["Sources/Scan/a.m", "Source/Extra/Good/b.swift"])
    #expect(package.headers == ["Sources/Scan/include/Scan.h"])
    #expect(package.resources == ["Source/Extra/Good/a.json"])
  }

  @Test func aSwiftPackageOfItsFolder() throws {
    try write("Scan.m", "include/Scan.h", "Notes/n.m")
    let package = try description(
      "Package.swift",
      "let package = Package(name: \"Scan\", targets: [.target(name: \"Scan\", path: \".\", exclude: [\"Notes\"])])\n")
    #expect(package.sources == ["Scan.m"] && package.headers == ["include/Scan.h"])
  }

  @Test func aGradleModule() throws {
    try scratch.write(
      "settings.gradle", "// rootProject.name = 'old'\nrootProject.name = 'scan-root'\ninclude ':scan'\n")
    try scratch.write("gradle.properties", "# of all\nVERSION_NAME=1.2.28\nPOM_ARTIFACT_ID=scan-android\n")
    try scratch.write(
      "build.gradle", "buildscript { ext {\n  versions = [\n    compileSdk : 34,\n    minSdk     : 17,\n  ]\n} }\n")
    let module = try description(
      "scan/build.gradle",
      """
      apply plugin: 'com.android.library'
      android {
        namespace 'com.acme.scan'
        defaultConfig {
          minSdkVersion versions.minSdk
          targetSdkVersion 33
        }
      }
      """)
    #expect(module.kind == .gradle && module.name == "scan-android" && module.version == "1.2.28")
    #expect(module.minimumAndroidSDK == "17")
    #expect(all.count == 1)
  }

  @Test func whatAnotherScriptSays() throws {
    try scratch.write("version.gradle", "ext {\n  pluginVersionName = '3.0.1'\n  versions = [minSdk: 19]\n}\n")
    try scratch.write("build.gradle", "apply from: 'version.gradle'\napply from: '../../outside.gradle'\n")
    let module = try description(
      "scan/build.gradle",
      "plugins {\n  id 'com.android.library'\n}\nandroid { defaultConfig {\n  minSdk versions.minSdk\n"
        + "  versionName pluginVersionName\n} }\n")
    #expect(module.version == "3.0.1" && module.minimumAndroidSDK == "19")
  }

  @Test(arguments: [
    "minSdkVersion safeExtGet('minSdkVersion', 21)", "minSdk = 21", "minSdkVersion(21)",
    "minSdkVersion rootProject.ext.has('minSdkVersion') ? rootProject.ext.minSdkVersion : 21",
    "minSdkVersion getExtOrIntegerDefault('minSdkVersion')", "minSdkVersion \"${minimum}\"",
  ])
  func leastSDK(_ line: String) throws {
    try scratch.write("gradle.properties", "Scan_minSdkVersion=21\nminimum=21\n")
    let module = try description(
      "build.gradle", "apply plugin: 'com.android.library'\nandroid {\n  defaultConfig { \(line) }\n}\n")
    #expect(module.minimumAndroidSDK == "21")
  }

  /// Nothing of a broken or a foreign file, and no end of the process.
  @Test func brokenFiles() throws {
    for name in [
      "plugin.xml", "package.json", "pubspec.yaml", "Package.swift", "build.gradle", "manifest", "a.podspec",
    ] {
      for text in [
        "", "\0\u{1}", "{", "<plugin", "[[[[", ".target(.target(", "\"", "platform: android", "Package(", "a: [b",
      ] {
        try scratch.write(name, text)
        #expect(all.isEmpty, "\(name): \(text)")
      }
      try scratch.write(name, [0xFF, 0xFE, 0x00, 0xD8, 0x22, 0x27])
      #expect(all.isEmpty)
    }
  }

  @Test func linksAreNotFollowed() throws {
    try write("outside/a.m")
    try scratch.link("tree/link", to: "../outside")
    try scratch.write(
      "tree/A.podspec", "Pod::Spec.new do |s|\n  s.name = 'A'\n  s.source_files = 'link/*.m', 'link'\nend\n")
    let all = ProjectDescription.all(in: StarterTree(root: scratch("tree")))
    #expect(all.count == 1 && all.first?.sources == [])
  }
}
