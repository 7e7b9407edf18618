import Lanes
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// Dynamic libraries that linkers treat in their own ways: lld says so, and Apple's linker did when it was asked.
@Suite("dynamic libraries", .tools)
struct LibraryTests {
  @Test(
    "what a library re-exports",
    arguments: [
      ("/usr/lib", ["libouter.dylib", "liba.a"], "libinner.dylib", "liba.a(a.o)"),
      ("/usr/lib", ["libouter.dylib", "libinner.dylib", "liba.a"], "libinner.dylib", "libinner.dylib"),
      ("/usr/lib", ["libouter.dylib", "liba.a", "libinner.dylib"], "libinner.dylib", "liba.a(a.o)"),
      ("/usr/lib", ["liba.a", "libouter.dylib"], "liba.a(a.o)", "liba.a(a.o)"),
      ("/usr/lib", ["libouter.dylib"], "libinner.dylib", "libinner.dylib"),
      ("@rpath", ["libouter.dylib", "liba.a"], "libouter.dylib", "libouter.dylib"),
    ])
  func reexports(_ folder: String, _ words: [String], _ lld: String, _ ld64: String) async throws {
    let scratch = try await filled()
    let link = ["ld64.lld-19"] + LLD.base + ["-dylib"]
    try await Tool.check(
      link + ["-install_name", "\(folder)/libinner.dylib", "-o", "libinner.dylib", "f.o"], in: scratch.path)
    let outer = ["-install_name", "@rpath/libouter.dylib", "-o", "libouter.dylib", "g.o"]
    try await Tool.check(link + outer + ["-reexport_library", "libinner.dylib"], in: scratch.path)
    try await expect(["-L.", "-dylib", "main.o"] + words, in: scratch.path, lld, ld64)
  }

  @Test("a library for another processor")
  func foreign() async throws {
    let scratch = try await filled()
    let triple = "x86_64-apple-ios13.0-simulator"
    try scratch.write("x.o", try await Assembler.object(".globl _f\n_f: ret\n", for: triple))
    try await Tool.check(
      [
        "ld64.lld-19", "-arch", "x86_64", "-platform_version", "ios-simulator", "13.0", "13.0", "-undefined",
        "dynamic_lookup", "-dylib", "-install_name", "@rpath/libx.dylib", "-o", "libx.dylib", "x.o",
      ], in: scratch.path)
    let links = try await expect(
      ["-dylib", "main.o", "libx.dylib", "liba.a"], in: scratch.path, "libx.dylib", "liba.a(a.o)")
    #expect(links.lld.remarks.isEmpty)
    #expect(links.ld64.remarks == [.ignored(LinkPlace(file: "libx.dylib"), why: "it is for x86_64")])
  }

  // MARK: Helpers

  /// A folder in which `main.o` calls what `f.o` and a static library define.
  private func filled() async throws -> Scratch {
    let scratch = Scratch()
    func object(_ text: String) async throws -> [UInt8] {
      try await Assembler.object("\(text)\n.subsections_via_symbols\n")
    }
    let definition = try await object(".globl _f\n_f: ret")
    try scratch.write("f.o", definition)
    try scratch.write("g.o", try await object(".globl _g\n_g: ret"))
    try scratch.write("main.o", try await object(".globl _main\n_main: b _f"))
    let member = ArchiveFixture.Member(name: "a.o", content: definition, names: ["_f"])
    try scratch.write("liba.a", ArchiveFixture.bytes([member]))
    return scratch
  }

  /// Links as both linkers; the arguments are what `_f` is taken from.
  @discardableResult
  private func expect(
    _ args: [String], in folder: FilePath, _ lld: String, _ ld64: String
  ) async throws -> (lld: LinkVerdict, ld64: LinkVerdict) {
    let definers = ["_f": ["liba.a(a.o)", "libinner.dylib", "libouter.dylib", "libx.dylib"]]
    let line = try LinkLine(LLD.base + args)
    func link(_ profile: LinkerProfile) -> LinkResult {
      LinkResult(line, profile, LinkSet(.arm64, linkFolder(folder), profile))
    }
    let (first, second) = (link(.lld), link(.ld64))
    let said = try await LLD.link(args, in: folder, definers: definers)
    #expect(said.record.winners == ["_f": lld], "\(said.said)")
    #expect(first.definition(of: "_f")?.label == lld)
    #expect(second.definition(of: "_f")?.label == ld64)
    if let program = LD64.program {
      let said = try await LD64.link(program, args, in: folder, definers: definers)
      #expect(said?.record.winners == ["_f": ld64], "\(said?.said ?? "")")
    }
    return (first.verdict, second.verdict)
  }
}
