import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Documents

/// Property lists in OpenStep's form, against `plutil`.
@Suite struct OpenStepTests {
  private func read(_ text: String) throws -> PropertyList { try PropertyList.read(openStep: Array(text.utf8)) }

  @Test func aProject() throws {
    let list = try read(
      """
      // !$*UTF8*$!
      { archiveVersion = 1; /* a comment * / */ objects = { 0A1B /* App */ = { isa = PBXGroup;
        children = ( A, "b c", ); path = "a\\"b\\\\c\\n"; sourceTree = "<group>"; empty = (); }; };
        data = <0f bd77>; other = 'x "y"'; letter = "\\U00e9\\101"; }
      """)
    #expect(list["objects"]?["0A1B"]?["path"] == .text("a\"b\\c\n"))
    #expect(list["objects"]?["0A1B"]?["children"]?.texts == ["A", "b c"])
    #expect(list["objects"]?["0A1B"]?["empty"]?.list?.isEmpty == true)
    #expect(list["data"] == .data([0x0F, 0xBD, 0x77]))
    #expect(list["other"] == .text("x \"y\""))
    #expect(list["letter"] == .text("\u{E9}A"))
    #expect(list["archiveVersion"] == .text("1"))
  }

  @Test(arguments: [
    "", "{", "{ a }", "{ a = ; }", "{ a = b }", "( a b )", "{ a = \"b; }", "{} x", "<0>", "<0g>", "/* a", "/*/",
  ])
  func damaged(_ text: String) { #expect(throws: PropertyList.Damage.self) { try read(text) } }

  @Test func itIsBounded() {
    #expect(throws: PropertyList.Damage.self) { try read(String(repeating: "(", count: 100_000)) }
    #expect(throws: PropertyList.Damage.self) { try read("(" + String(repeating: "a,", count: 600_000) + ")") }
  }
}
