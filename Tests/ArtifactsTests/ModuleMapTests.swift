@testable import Artifacts
import Findings
import Testing

/// Module maps as Clang's manual writes them, and ones with mistakes.
@Suite struct ModuleMapTests {
  private func modules(_ text: String) throws -> [String] { try ModuleMap(Array(text.utf8)).modules }

  private func mistake(in bytes: [UInt8]) -> ModuleMap.Damage? {
    do throws(ModuleMap.Damage) {
      _ = try ModuleMap(bytes)
      return nil
    } catch { return error }
  }

  @Test func namesOfModules() throws {
    #expect(try modules("module Log { header \"Log.h\" export * }") == ["Log"])
    #expect(
      try modules(
        """
        // A comment with module Wrong { in it.
        /* module Wrong { */
        framework module Rally [system] [extern_c] {
          umbrella header "Rally.h"
          explicit module Inner { header "}" link framework "UIKit" }
        }
        explicit module "quoted name" {}
        extern module Other "other.modulemap"
        """) == ["Rally", "quoted name", "Other"])
    #expect(try modules("module A.B { header \"B.h\" } framework module * {}") == [])
    #expect(try modules("") == [] && modules("\u{FEFF}module A {}") == ["A"])
  }

  @Test(arguments: [
    ("module Log {\n  header \"Log.h\"\n", "the module is not closed by '}'", 1),
    ("// ours\nmodule {}", "the module has no name", 2), ("module Log\n\nheader", "the module has no '{'", 3),
    ("module Log { header \"Log.h\n}", "the quoted text does not end", 1), ("\n/* …", "the comment does not end", 2),
    ("extern Log", "'extern' is not followed by 'module'", 1), ("\n\n}", "a module is expected", 3),
    ("extern module Log {", "the module's file is missing", 1),
  ])
  func mistakesHaveLines(_ text: String, _ reason: String, _ line: Int) throws {
    let damage = try #require(mistake(in: Array(text.utf8)))
    let position = damage.position(in: Array(text.utf8))
    #expect(damage.reason == reason)
    #expect(position.line == line)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(position.text == String(lines[line - 1]))
  }

  /// Only the modules at the top become a framework's, and nothing but the paths changes.
  @Test func mapsAreRewritten() throws {
    let text = """
      // header "no.h"
      module Log [system] { /* header "no.h" */ umbrella header "Log.h" exclude header "old.h"
        explicit module Inner { private textual header "in/a \\"b\\".h" } umbrella "in" }
      explicit module Two { link "z" }
      framework module Three { header "t.h" }
      module Log.Swift { header "Log-Swift.h" }
      """
    let map = try ModuleMap(Array(text.utf8))
    #expect(map.headers.map(\.path) == ["Log.h", "old.h", "in/a \"b\".h", "in", "t.h", "Log-Swift.h"])
    #expect(map.headers.filter(\.isFolder).map(\.path) == ["in"])
    #expect(map.headers.filter(\.isExcluded).map(\.path) == ["old.h"])
    func rewritten(_ isOfFramework: Bool, _ prefix: String) -> String {
      let bytes = map.rewritten(Array(text.utf8), isOfFramework: isOfFramework) { prefix + $0.path }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(rewritten(false, "") == text)
    #expect(
      rewritten(true, "x/") == """
        // header "no.h"
        framework module Log [system] { /* header "no.h" */ umbrella header "x/Log.h" exclude header "x/old.h"
          explicit module Inner { private textual header "x/in/a \\"b\\".h" } umbrella "x/in" }
        explicit framework module Two { link "z" }
        framework module Three { header "x/t.h" }
        module Log.Swift { header "x/Log-Swift.h" }
        """)
  }

  /// Whatever a map is cut off to, and whichever of its bytes is another: it is read or has a mistake in it.
  @Test func damagedOnesEnd() {
    let whole = Array("framework module A [system] { /* c */ header \"A.h\" module B.C { } } // end".utf8)
    for end in 0..<whole.count - "// end".utf8.count - 2 {
      #expect((mistake(in: Array(whole[..<end])) == nil) == (end == 0))
    }
    for index in whole.indices {
      for byte in [0, UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "*"), UInt8(ascii: "/"), 0xFF] {
        var bytes = whole
        bytes[index] = byte
        if let error = mistake(in: bytes) { #expect((0...bytes.count).contains(error.offset)) }
      }
    }
  }
}
