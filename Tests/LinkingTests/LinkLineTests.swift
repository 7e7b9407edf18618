import Findings
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

@Suite("link lines")
struct LinkLineTests {
  /// As Xcode writes it for an app, shortened.
  static let app = """
    -demangle -lto_library /x/libLTO.dylib -dynamic -arch arm64 -platform_version ios 13.0 17.2 -syslibroot /sdk
    -o App -L/b -L/c -F/f -filelist /b/App.LinkFileList -rpath @executable_path/Frameworks -dead_strip
    -object_path_lto /b/lto.o -export_dynamic -no_deduplicate -objc_abi_version 2 -dependency_info /b/info.dat
    -ObjC -framework UIKit -weak_framework Photos -lc++ -weak-lz -needed-lswiftCore -hidden-lown -force_load liba.a
    -load_hidden libb.a -lSystem -undefined dynamic_lookup -e _start -u _keep -alias _a _b -commons use_dylibs
    -exported_symbols_list /b/exported.txt -sectcreate __TEXT __info /b/info.plist -add_ast_path /b/a.swiftmodule
    """

  @Test func line() throws {
    let line = try LinkLine(Self.app.split { $0 == " " || $0 == "\n" }.map(String.init))
    #expect(
      line.inputs.map(\.source) == [
        .list("/b/App.LinkFileList", folder: nil), .framework("UIKit"), .framework("Photos"), .library("c++"),
        .library("z"), .library("swiftCore"), .library("own"), .path("liba.a"), .path("libb.a"), .library("System"),
      ])
    #expect(line.inputs.map(\.load) == [.lazy, .lazy, .lazy, .lazy, .lazy, .lazy, .hidden, .forced, .hidden, .lazy])
    #expect(line.flags == [.deadStrip, .exportDynamic, .objC])
    #expect(line.libraryPaths == ["/b", "/c"] && line.frameworkPaths == ["/f"] && line.root == "/sdk")
    #expect(line.architecture == .arm64 && line.entry == "_start" && line.wanted == ["_keep"])
    #expect(line.aliases.map(\.name) == ["_a"] && line.aliases.map(\.alias) == ["_b"] && line.commons == .useLibraries)
    #expect(line.output == .executable && line.exportLists == ["/b/exported.txt"])
  }

  @Test func folder() throws {
    let words = ["-Fa", "-L/b", "-Lc", "-force_load", "d.a", "/e.a", "-lf", "-framework", "G", "-filelist", "h,i"]
    let more = ["-filelist", "j", "-exported_symbols_list", "k", "-unexported_symbols_list", "l", "-syslibroot", "m"]
    let line = try LinkLine(words + more, in: "x/y")
    #expect(
      line.inputs.map(\.source) == [
        .path("x/y/d.a"), .path("/e.a"), .library("f"), .framework("G"), .list("x/y/h", folder: "x/y/i"),
        .list("x/y/j", folder: nil),
      ])
    #expect(line.inputs.map(\.load) == [.forced, .lazy, .lazy, .lazy, .lazy, .lazy])
    #expect(line.frameworkPaths == ["x/y/a"] && line.libraryPaths == ["/b", "x/y/c"] && line.root == "x/y/m")
    #expect(line.exportLists == ["x/y/k"] && line.unexportLists == ["x/y/l"])
    #expect(try LinkLine(["d.a"], in: "/").inputs.map(\.source) == [.path("/d.a")])
    #expect(try LinkLine(["d.a"], in: "").inputs.map(\.source) == [.path("d.a")])
  }

  @Test(
    arguments: [
      (["-all_laod"], "the linker's flag -all_laod is not known"),
      (["-o"], "the linker's flag -o needs an argument"),
      (["-alias", "_a"], "the linker's flag -alias needs an argument"),
      (["-arch", "arm65"], "no architecture is called arm65"),
      (["-commons", "x"], "-commons takes ignore_dylibs, use_dylibs or error, not x"),
    ])
  func mistakes(_ words: [String], _ message: String) {
    let error = #expect(throws: Mistakes.self) { try LinkLine(words) }
    #expect(error?.all.map(\.message) == [message])
  }

  /// What a line names and what is not there: the rest is linked.
  @Test func missing() throws {
    let scratch = Scratch()
    try scratch.write("liba.a", ArchiveFixture.bytes([]))
    try scratch.write("list.txt", "liba.a\nnone.o\n")
    let line = try LinkLine(["-L.", "-la", "-lnone", "-filelist", "list.txt", "-framework", "None", "x.o", "-dylib"])
    for profile in LinkerProfile.all {
      let link = LinkResult(line, profile, LinkSet(.arm64, linkFolder(scratch.path), profile))
      #expect(link.verdict.missing == ["-lnone", "none.o", "-framework None", "x.o"])
      #expect(link.verdict.outcome == .silent && link.verdict.refusals.isEmpty)
    }
  }

  @Test(
    arguments: [
      ("_a*", "_abc", true), ("_a*", "_b", false), ("_?b", "_ab", true), ("_?b", "_aab", false),
      ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false), ("_[a-cx]1", "_b1", true), ("_[a-cx]1", "_x1", true),
      ("_[a-cx]1", "_d1", false), ("_[", "_[", true), ("*", "", true),
    ])
  func patterns(_ pattern: String, _ name: String, _ fits: Bool) {
    #expect(Pattern(pattern).matches(Array(name.utf8)) == fits)
  }

  @Test func names() {
    var table = NameTable()
    var random = Seeded(seed: 3)
    let words = (0..<5000).map { "_name\($0 % 1700)\(String(repeating: "x", count: random.number(40)))" }
    var numbers: [String: NameID] = [:]
    for word in words + words {
      let id = table.id(word)
      #expect(numbers[word] == nil || numbers[word] == id)
      numbers[word] = id
    }
    #expect(table.count == numbers.count && Set(numbers.values).count == numbers.count)
    for (word, id) in numbers { #expect(table.text(id) == word) }
  }
}
