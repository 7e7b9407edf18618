import Linking
import SystemPackage
import TestSupport
import Testing

@testable import Check
@testable import Collisions

/// Versions of known libraries, read from object files that clang makes.
@Suite struct LibraryVersionsTests {
  private let scratch = Scratch()

  private func versions(_ source: String, target: String = "arm64-apple-ios13.0", image: Bool = false) async throws
    -> [String]
  {
    try scratch.write("a.c", source)
    let made = try await Tool.run(["clang", "-target", target, "-ffreestanding", "-c", "a.c"], in: scratch.path)
    #expect(made.status == 0, "\(made.all)")
    if image {
      _ = try await Tool.run(
        [
          "ld64.lld-19", "-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-dylib", "-o", "a.o", "a.o",
        ], in: scratch.path)
    }
    let path = scratch("a.o")
    let plugin = NamedPlugin(path, CheckPlugins.status(of: path), now: 0)
    let read = PluginReader(store: nil, temporary: scratch.path).read(plugin)
    return (read.facts?.libraries ?? []).map { "\($0.library) \($0.version)" }
  }

  @Test(arguments: [
    ("const char sqlite3_version[] = \"3.39.0\";", "SQLite 3.39.0"),
    ("const char deflate_copyright[] = \" deflate 1.2.13 Copyright 1995-2022 X \";", "zlib 1.2.13"),
    ("const char lua_ident[] = \"$LuaVersion: Lua 5.3.6  Copyright (C) X $\";", "Lua 5.3.6"),
    (
      "const char *OpenSSL_version(int t) { return t ? \"not available\" : \"OpenSSL 1.1.1k  25 Mar 2021\"; }",
      "OpenSSL 1.1.1k"
    ),
    ("const char *SSLeay_version(int t) { return \"OpenSSL 1.0.2u-fips  20 Dec 2019\"; }", "OpenSSL 1.0.2u-fips"),
    ("const char *curl_version(void) { return \"libcurl/7.64.1\"; }", "libcurl 7.64.1"),
    ("const char *png_get_copyright(void) { return \"\\n libpng version 1.6.37\\n\"; }", "libpng 1.6.37"),
  ])
  func aLibraryTellsItsVersion(_ source: String, _ expected: String) async throws {
    #expect(try await versions(source) == [expected])
    #expect(try await versions(source, target: "armv7-apple-ios9.0") == [expected])
    #expect(try await versions(source, image: true) == [expected])
  }

  @Test(arguments: [
    // BoringSSL says which OpenSSL it is like.
    "const char *OpenSSL_version(int t) { return \"OpenSSL 1.1.1 (compatible; BoringSSL)\"; }",
    "const char *OpenSSL_version(int t) { return \"OpenSSL version\"; }",
    // The text is another file's, or there is none.
    "const char *other(void) { return \"OpenSSL 1.1.1k  25 Mar 2021\"; }",
    "extern const char sqlite3_version[]; const char *f(void) { return sqlite3_version; }",
    "char sqlite3_version[16];", "const char sqlite3_version[] = \"3\";", "const char sqlite3_version[1] = {0};",
    "int sqlite3_version = 0x41414141;",
  ])
  func whatTellsNoneHasNone(_ source: String) async throws {
    #expect(try await versions(source).isEmpty)
  }

  @Test func twoVersionsAreBothTold() {
    func plugin(_ versions: String...) -> PluginFacts {
      PluginFacts(
        name: PluginName(path: "p", shown: "p", stable: "p"),
        libraries: { versions.map { LibraryVersion(library: "SQLite", version: $0) } })
    }
    let context = CheckContext(plugins: [
      plugin("3.45.1"), plugin("3.39.0"), plugin("3.45.1"), plugin(), plugin("1.0", "2.0"),
    ])
    func text(_ plugins: Int...) -> String? { context.versions("SQLite", plugins.map { PluginID($0) }) }
    #expect(text(0, 1) == "3.45.1 and 3.39.0")
    #expect(text(0, 2) == "3.45.1")
    #expect(text(0, 3) == nil && text() == nil)
    #expect(text(0, 4) == "3.45.1 and 1.0/2.0")
    #expect(context.versions("zlib", [PluginID(0)]) == nil)
  }
}
