@testable import Store
import SystemPackage
import Testing
import TestSupport

@Suite struct GlobTests {
  static let paths = [
    "a", "a.c", "b.c", "a/b.c", "a/b/c.c", "a/b/c/d.c", "a/.h/x.c", ".a.c", "a/.x.c", "é.c", "ab.c", "x]y", "a*b", "-",
    "src/m.m", "src/h.h", "src/sub/m.m", "{x}", "a,b",
  ]
  static let patterns = [
    "*", "*.c", "?.c", "[ab].c", "[!a].c", "[a-z]*.c", "a/*", "a/**", "**/*.c", "**", "a/**/c.c", "a/**/**/c.c", ".*",
    "a/.*", "a/.h/*", "{a,b}.c", "src/**/*.{m,h}", "{a,src}/{b.c,m.m}", "a[*]b", "x[]]y", "[-a]", "é.c", "*/*/*",
    "./a/*.c", "a//b.c", "**/b/**", "?", "??.c", "*b*", "**/.x.c", "a,b", "[é]*", "*.[ch]",
  ]

  /// bash with globstar is the oracle; the pattern may be matched against folders too, which it lists with `**`.
  @Test(arguments: patterns)
  func agreesWithBash(pattern: String) async throws {
    let scratch = Scratch()
    for path in Self.paths where path != "a" { try scratch.write(path, "x") }
    let script =
      "shopt -s globstar nullglob; LC_ALL=C.UTF-8; for f in \(pattern); do [ -f \"$f\" ] && echo \"$f\"; done; true"
    let lines = try await Tool.check(["bash", "-c", script], in: scratch.path, environment: ["LC_ALL": "C.UTF-8"])
    let expected = Set(lines.split(separator: "\n").map { FilePath(String($0)).lexicallyNormalized() })
    let glob = try Glob(pattern)
    let all = Self.paths.filter { $0 != "a" }.map { FilePath($0) }
    #expect(Set(all.filter(glob.matches)) == expected.filter { !$0.isEmpty })
  }

  @Test func escapes() throws {
    #expect(try Glob(#"a\*b"#).matches("a*b"))
    #expect(try !Glob(#"a\*b"#).matches("axb"))
    #expect(try Glob(#"\{a,b}"#).matches("{a,b}"))
    #expect(try Glob("{a}").matches("{a}"))
    #expect(try Glob("{a,{b,c}}x").matches("cx"))
    #expect(try Glob("a{,b}").matches("a"))
  }

  @Test func bytesThatAreNoText() throws {
    let name = try #require(FilePath(pathBytes: [0xFF, 0x2E, 0x63]))
    #expect(try Glob("?.c").matches(name))
    #expect(try Glob("*.c").matches(name))
    #expect(try !Glob("[a-z].c").matches(name))
    #expect(try Glob("[!a-z].c").matches(name))
    // é composed is not é decomposed.
    #expect(try !Glob("e\u{301}").matches("\u{E9}"))
  }

  @Test func mistakes() {
    for pattern in ["/a", "../a", "a/../b", "", ".", "{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}"] {
      #expect(throws: GlobError.self) { try Glob(pattern) }
    }
  }

  @Test func isFastOnNastyPatterns() throws {
    let name = FilePath(String(repeating: "a", count: 200))
    #expect(try !Glob("*a*a*a*a*a*a*a*a*a*a*a*a*b").matches(name))
    let deep = FilePath(Array(repeating: "a", count: 60).joined(separator: "/"))
    #expect(try !Glob("**/a/**/a/**/a/**/b").matches(deep))
    let deeper = FilePath(Array(repeating: "a", count: 256).joined(separator: "/"))
    let many = try Glob(String(repeating: "**/a/", count: 100) + "**/b")
    #expect(!many.matches(deeper))
    #expect(try Glob(String(repeating: "**/a/", count: 256) + "**").matches(deeper.appending("a")))
    #expect(try !Glob(String(repeating: "**/a/", count: 256) + "**").matches(deeper))
  }
}

extension Glob {
  /// Whether the pattern, on the whole path, matches (a `**` at the end takes it for a file).
  fileprivate func matches(_ path: FilePath) -> Bool {
    let names = path.components.map(\.nameBytes)
    return alternatives.contains { parts in
      var isMatch = false
      Glob.walk(parts, names) { place, rest in
        if place.part == parts.count {
          if rest.isEmpty { isMatch = true }
        } else if place.part == parts.count - 1, case .anyDepth = parts[place.part], !rest.isEmpty,
          !rest.contains(where: Glob.isHidden)
        {
          isMatch = true
        }
        return isMatch
      }
      return isMatch
    }
  }
}
