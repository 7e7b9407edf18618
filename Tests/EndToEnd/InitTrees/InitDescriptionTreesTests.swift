import Foundation
import SystemPackage
import TestSupport
import Testing

/// What the files that describe a plugin for package managers say is in the deliverables, or named.
@Suite(.timeLimit(.minutes(10))) struct InitDescriptionTreesTests {
  private static let cordova = "<plugin xmlns=\"http://apache.org/cordova/ns/plugins/1.0\""

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
}
