import Foundation
import SystemPackage
import Testing
import TestSupport

/// Rule `empty-deliverable`: a build that ships no code at all is warned of, and no other.
@Suite struct EmptyDeliverableTests {
  private static let head = "name: Void\nversion: 1.0\nrules: { missing-library: off }\ndeliverables:\n"
  private static let ios = "  ios: { kind: ios-zip, items: [Void.bundle] }\n"
  private static let android = "  android: { kind: aar, manifest: AndroidManifest.xml, res: res }\n"
  private static let warning = "warning[empty-deliverable]: no deliverable has any code"

  private func build(_ manifest: String, _ tree: PluginTree, _ words: [String] = []) async throws -> ToolResult {
    try tree.write("Void.bundle/a.txt")
    try tree.write("AndroidManifest.xml", "<manifest package=\"com.example.empty\"/>\n")
    try tree.write("res/values/a.xml", "<resources><string name=\"a\">a</string></resources>\n")
    try tree.write("npi.yml", manifest)
    let result = try await tree.run(words)
    #expect(result.status == 0, "\(result.all)")
    return result
  }

  @Test func noCodeAtAll() async throws {
    let tree = PluginTree("void")
    let result = try await build(Self.head + Self.ios + Self.android + "  config: { kind: config }\n", tree)
    #expect(result.out.contains(Self.warning), "\(result.all)")
    #expect(result.out.contains("without code: Void-1.0-ios.zip, Void-1.0.aar"))
    #expect(!(try tree.scratch.text("void/dist/Void-1.0.release.json").contains("hasCode")))
    // Once it is there, in one of them, it is not said; nor where only one of them is built.
    try await tree.jar("a.jar", "com.example.empty.A")
    let code = Self.android.replacingOccurrences(of: "res: res", with: "res: res, libs: a.jar")
    #expect(!(try await build(Self.head + Self.ios + code, tree)).all.contains("empty-deliverable"))
    #expect(!(try await build(Self.head + Self.ios + Self.android, tree, ["ios"])).all.contains("empty-deliverable"))
  }

  @Test func aLibraryWithoutCodeIsNone() async throws {
    let tree = PluginTree("void")
    try tree.write("libVoid.a", "!<arch>\n")
    let items = Self.ios.replacingOccurrences(of: "[Void.bundle]", with: "[libVoid.a]")
    #expect(try await build(Self.head + items, tree).out.contains(Self.warning))
  }

  @Test func itsLevelIsSet() async throws {
    let tree = PluginTree("void")
    #expect(
      !(try await build(Self.head + Self.ios, tree, ["--level", "empty-deliverable=off"])).all.contains("no code"))
    try tree.write("npi.yml", Self.head + Self.ios)
    let strict = try await tree.run(["--level", "empty-deliverable=error"])
    #expect(strict.status == 1 && strict.out.contains("error[empty-deliverable]"), "\(strict.all)")
  }

  /// Deliverables of other kinds need no code.
  @Test func aConfigurationAlone() async throws {
    let tree = PluginTree("void")
    let result = try await build(Self.head + "  config: { kind: config }\n", tree)
    #expect(!result.all.contains("empty-deliverable"), "\(result.all)")
  }

  @Test func itIsExplained() async throws {
    let text = try await Tool.check([Scenario.binary.string, "recipes", "rule", "empty-deliverable"])
    #expect(text.contains("default level: warning") && text.contains("npi-pack init -n"))
  }
}

/// A plugin's folder, and jars made with the toolchain.
private struct PluginTree {
  let scratch = Scratch()
  let name: String

  init(_ name: String) { self.name = name }

  func write(_ path: String, _ text: String = "x\n") throws { try scratch.write("\(name)/\(path)", text) }

  /// A jar with one class.
  func jar(_ path: String, _ className: String) async throws {
    let parts = className.split(separator: ".")
    let source = try scratch.write(
      "made/java/\(parts.joined(separator: "/")).java",
      "package \(parts.dropLast().joined(separator: "."));\npublic class \(parts.last ?? "") {}\n")
    try await Tool.check(
      ["javac", "--release", "8", "-Xlint:-options", "-d", scratch("made/classes").string, source.string])
    try await Tool.check(
      ["jar", "--create", "--file", scratch("\(name)/\(path)").string, "-C", scratch("made/classes").string, "."])
  }

  func run(_ words: [String]) async throws -> ToolResult {
    try await Tool.run([Scenario.binary.string] + words, in: scratch(name), environment: ["SOURCE_DATE_EPOCH": nil])
  }
}
