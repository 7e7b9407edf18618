import Android
import Artifacts
@testable import Documents
import Testing

@Suite("Android manifests")
struct AndroidManifestTests {
  private func problem(_ bytes: [UInt8]) -> String? {
    do throws(UnreadableEntry) {
      _ = try AndroidManifest(bytes)
      return nil
    } catch {
      return error.reason
    }
  }

  private func problem(_ text: String) -> String? { problem(Array(text.utf8)) }

  @Test("package and versions")
  func facts() throws {
    let manifest = try AndroidManifest(
      Array(
        """
        <manifest xmlns:a="http://schemas.android.com/apk/res/android" package="com.example.plugin"
          a:compileSdkVersion="35">
          <uses-sdk a:minSdkVersion="21" a:targetSdkVersion="Tiramisu" a:maxSdkVersion="34"/>
        </manifest>
        """.utf8))
    #expect(manifest.package == "com.example.plugin")
    #expect(manifest.minSDK == "21" && manifest.targetSDK == "Tiramisu")
    #expect(AndroidManifest.level(manifest.minSDK) == 21)
    let start = "<manifest xmlns:android='http://schemas.android.com/apk/res/android'>"
    let two = try AndroidManifest(
      Array("\(start)<uses-sdk android:minSdkVersion='9'/><uses-sdk android:targetSdkVersion='22'/></manifest>".utf8))
    #expect(two.minSDK == "9" && two.targetSDK == "22")
    for levels in [["9", "L", "21"], ["L", "21"], ["21", "9"], ["9", "21"]] {
      let elements = levels.map { "<uses-sdk android:minSdkVersion='\($0)'/>" }.joined()
      let highest = try AndroidManifest(Array("\(start)\(elements)</manifest>".utf8)).minSDK
      #expect(highest == (levels.contains("L") ? "L" : "21"), "\(levels)")
    }
    for text in ["Tiramisu", "", "-1", "٣", "99999999999999999999", "2 1"] as [String] {
      #expect(AndroidManifest.level(text) == nil)
    }
    let bare = try AndroidManifest(Array("<manifest/>".utf8))
    #expect(bare.package == nil && bare.minSDK == nil)
  }

  @Test("a compiled manifest is told from one that is no XML")
  func compiled() {
    #expect(problem([0x03, 0x00, 0x08, 0x00, 0x10, 0x00, 0x00, 0x00])?.contains("the manifest is compiled") == true)
    #expect(problem([0x03, 0x00])?.contains("this is not well-formed XML") == true)
  }

  @Test(
    "what is no manifest",
    arguments: [
      "", "x", "<manifest", "<manifest></application>", "<manifest a:b=''/>",
      "<!DOCTYPE m [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]><manifest>&b;</manifest>",
    ])
  func notXML(_ text: String) { isNotXML(text) }

  @Test("elements without end are no manifest")
  func endless() { isNotXML(String(repeating: "<manifest>", count: 100_000)) }

  private func isNotXML(_ text: String) {
    let problem = problem(text) ?? "taken"
    #expect(["XML", "<", "prefix", "nested"].contains { problem.contains($0) } && !problem.contains("AndroidManifest"))
  }

  @Test("the root element and the package")
  func root() {
    let end = "not <manifest>: this is no AndroidManifest.xml (line 1, column 1)"
    #expect(problem("<resources/>") == "the root element is <resources>, \(end)")
    #expect(problem("<x:manifest xmlns:x='urn:x'/>") == "the root element is <manifest>, \(end)")
    for name in ["", ".", "a..b", "a.", "1a.b", "a b", "com.example.new", "a-b.c", "${applicationId}", "a/b"] {
      #expect(problem("<manifest package='\(name)'/>")?.hasPrefix("package=\"\(name)\" is no name") == true)
    }
    for name in ["a", "com.example.plugin", "com.example._1.A$b", "de.müller"] {
      #expect(problem("<manifest package='\(name)'/>") == nil)
    }
    #expect(problem("<manifest package='a b'/>")?.contains("(line 1, column 1)") == true)
  }

  @Test("a tree as deep as may be is merged and written")
  func deep() throws {
    let text = { (name: String) in
      "<manifest package='com.example.\(name)'>" + String(repeating: "<x>", count: 255)
        + String(repeating: "</x>", count: 255) + "</manifest>"
    }
    let own = try AndroidManifest(Array("<manifest package='a.b'/>".utf8))
    let other = try AndroidManifest(Array(text("other").utf8))
    let (merged, changed, conflicts) = own.merging([("other.aar", other)])
    #expect(changed && conflicts.isEmpty)
    #expect(outline(try XMLEvents.read(XMLWriter.write(merged))) == outline(merged))
    #expect(outline(merged).count == 256)
    #expect(problem("<manifest>\(text("x"))</manifest>")?.contains("nested more than 256 deep") == true)
  }
}
