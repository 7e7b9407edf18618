import SystemPackage
import TestSupport
import Testing

@testable import Packaging

/// Damaged copies of the files that are read: each ends with a description or with none.
@Suite struct DamagedDescriptionTests {
  private let scratch = Scratch()

  private static let texts: [String: String] = [
    "Scan.podspec": """
    package = JSON.parse(File.read(File.join(__dir__, "package.json")))
    Pod::Spec.new do |s|
      s.name = 'Scan' # 'it'
      s.version = package["version"]
      s.description = <<-DESC
        text
      DESC
      s.platforms = { :ios => "9.0", osx: '10.1' }
      s.source_files = ['a/**/*.{h,m}', "#{s.name}/*.m"]
      s.subspec 'Core' do |c|
        c.frameworks = %w[UIKit CoreML]
        c.dependency 'Scan/Other'
      end
    end
    """,
    "Package.swift": """
    let package = Package(name: "Scan", platforms: [.iOS(.v13)], targets: [
      .binaryTarget(name: "Core", path: "Core.xcframework"), /* a */
      .target(name: "Scan", dependencies: [.target(name: "Core")], path: "a", exclude: ["b"], // c
        resources: [.copy("c")], linkerSettings: [.linkedFramework("UIKit")])])
    """,
    "build.gradle": """
    apply plugin: 'com.android.library'
    apply from: 'version.gradle'
    android { namespace id
      defaultConfig { minSdkVersion safeExtGet("minSdk", 21)
        versionName "${version}" } }
    """,
    "plugin.xml": """
    <plugin xmlns="http://apache.org/cordova/ns/plugins/1.0" id="a" version="1.0"><platform name="ios">
    <source-file src="a/*.m"/><framework src="UIKit.framework"/></platform><platform name="android">
    <config-file target="AndroidManifest.xml" parent="/*"><activity android:name="$A"/></config-file></platform></plugin>
    """,
    "extension.xml": """
    <extension xmlns="http://ns.adobe.com/air/extension/3.5"><id>a.b</id><versionNumber>1.0</versionNumber></extension>
    """,
    "package.json": #"{ "name": "@a/b", "version": "1.0", "files": ["a", "!b", "**/*.{a,jar}"] }"#,
    "pubspec.yaml": "name: scan\nversion: 1.0.0+1\nflutter: { plugin: [a, &b c, *b] }\n",
    "manifest": "version: 1.0\nmoduleid: a.b\nplatform: iphone\n",
  ]

  @Test(arguments: texts.keys.sorted())
  func ends(_ name: String) throws {
    let bytes = Array((Self.texts[name] ?? "").utf8)
    try scratch.write("a/b.m", "")
    try scratch.write("Core.xcframework/Info.plist", "")
    try scratch.write("version.gradle", "ext { minSdk = 21 }\n")
    var random = Seeded(seed: 19)
    let signs = Array("'\"()[]{}#$\\/*,.:=<>|\n \0%;\u{FF}".utf8)
    try scratch.write(name, bytes)
    #expect(ProjectDescription.all(in: StarterTree(root: scratch.path)).count == 1)
    for _ in 0..<100 {
      var copy = bytes
      for _ in 0...random.number(6) {
        let place = random.number(copy.count)
        switch random.number(5) {
        case 0: copy.remove(at: place)
        case 1: copy.insert(random.one(of: signs) ?? 0, at: place)
        case 2: copy[place] = random.one(of: signs) ?? 0
        case 3: copy = Array(copy[..<max(1, place)])
        default: copy.insert(contentsOf: copy[place...].prefix(40), at: random.number(copy.count))
        }
        if copy.isEmpty { copy = [0] }
      }
      try scratch.write(name, copy)
      for found in ProjectDescription.all(in: StarterTree(root: scratch.path)) {
        #expect(found.name.map { ProjectDescription.usableName($0) == $0 } ?? true)
        #expect(found.sources.allSatisfy { $0 == "a/b.m" })
      }
    }
  }
}
