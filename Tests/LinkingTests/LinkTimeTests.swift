import Lanes
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// What only the module of a bitcode file says, each by itself: lld says so, and we do.
@Suite("what bitcode says to linkers", .tools)
struct LinkTimeTests {
  @Test("of commons the largest is taken")
  func commons() async throws {
    for sizes in [(4, 8), (8, 4)] {
      let set = try await linked(
        ["-dylib", "a.o", "b.o"], ["a.o": common(sizes.0), "b.o": common(sizes.1)], ["_size": ["a.o", "b.o"]])
      #expect(set.record.bitcode_winners == ["_size": sizes.0 > sizes.1 ? "a.o" : "b.o"])
      #expect(set.ours.winners.map(\.place.file) == [sizes.0 > sizes.1 ? "a.o" : "b.o"])
    }
  }

  @Test("Apple's linker sees no size of a common symbol in bitcode", arguments: [["a.o", "b.o"], ["b.o", "a.o"]])
  func sizeless(_ names: [String]) async throws {
    let scratch = Scratch()
    try scratch.write("a.o", try await Assembler.bitcode(common(8)))
    try scratch.write("b.o", try await Assembler.object(".comm _size,4\n.subsections_via_symbols\n"))
    let line = try LinkLine(LLD.base + ["-dylib"] + names)
    let link = LinkResult(line, .ld64, LinkSet(.arm64, linkFolder(scratch.path), .ld64))
    #expect(link.definition(of: "_size")?.file == "b.o" && link.verdict.remarks.isEmpty)
    let definers = ["_size": ["a.o", "b.o"]]
    if let program = LD64.program,
      let (record, said) = try await LD64.link(program, ["-dylib"] + names, in: scratch.path, definers: definers),
      !LD64.passesOver(said)
    {
      #expect(record.verdict == "silent" && record.winners == ["_size": "b.o"], "\(said)")
    }
  }

  @Test(
    "-ObjC loads what has categories", arguments: ["__DATA,__objc_catlist", "__TEXT,__swift5_types", "__DATA,__list"])
  func sections(_ section: String) async throws {
    let list = "@list = private global [1 x ptr] [ptr @f], section \"\(section)\"\ndefine void @f() {\nret void\n}\n"
    let set = try await linked(["-dylib", "-ObjC", "liba.a"], ["liba.a": keeping(list)], ["_f": []])
    #expect(set.record.loaded == (section == "__DATA,__list" ? [] : ["liba.a(a.o)"]))
    #expect(set.ours.loaded.map(\.place.description) == set.record.loaded)
  }

  @Test("-dead_strip keeps what bitcode refers to", arguments: [true, false])
  func references(_ isKept: Bool) async throws {
    // Initializers are there for nobody who refers to them.
    let reference = "declare void @weak()\ndefine void @f() {\ncall void @weak()\nret void\n}\n"
    let list = "@list = private global [1 x ptr] [ptr @f], section \"__DATA,__mod_init_func,mod_init_funcs\"\n"
    let weak = ".globl _weak\n.weak_definition _weak\n_weak: ret\n.globl _NAME\n_NAME: ret\n.subsections_via_symbols\n"
    let set = try await linked(
      ["-execute", "-e", "_one", "-dead_strip", "one.o", "two.o", "a.o"],
      [
        "a.o": isKept ? keeping(list + reference) : reference, "one.o": weak.replacing("NAME", with: "one"),
        "two.o": weak.replacing("NAME", with: "two"),
      ], ["_weak": ["one.o", "two.o"]])
    #expect(set.record.winners == (isKept ? ["_weak": "one.o"] : [:]))
    #expect(set.ours.winners.map(\.place.file) == (isKept ? ["one.o"] : []))
  }

  @Test("what may be hidden cannot be exported by name", arguments: ["linkonce_odr", "weak_odr"])
  func hidden(_ linkage: String) async throws {
    let text = "define \(linkage) void @f() unnamed_addr {\nret void\n}\n"
    let set = try await linked(["-dylib", "-exported_symbol", "_f", "a.o"], ["a.o": text], ["_f": []])
    #expect(set.record.verdict == (linkage == "linkonce_odr" ? "warning" : "silent"))
    #expect(set.ours.outcome.rawValue == set.record.verdict)
  }

  /// lld loads it, which we do not follow.
  @Test("Apple's linker finds nothing in a library that bitcode asks for")
  func asked() async throws {
    let scratch = Scratch()
    let text = "declare void @f()\ndefine void @g() {\ncall void @f()\nret void\n}\n"
    let option = "!llvm.linker.options = !{!0}\n!0 = !{!\"-la\"}\n"
    try scratch.write("main.o", try await Assembler.bitcode(text + option))
    let member = try await Assembler.object(".globl _f\n_f: ret\n")
    let library = ArchiveFixture.bytes([ArchiveFixture.Member(name: "a.o", content: member, names: ["_f"])])
    try scratch.write("liba.a", library)
    let args = ["-L.", "-dylib", "main.o"]
    let line = try LinkLine(LLD.base + args)
    let link = LinkResult(line, .ld64, LinkSet(.arm64, linkFolder(scratch.path), .ld64))
    #expect(link.verdict.loaded.isEmpty && link.files.named.count == 1)
    if let program = LD64.program,
      let (record, said) = try await LD64.link(program, args, in: scratch.path, definers: [:]), !LD64.passesOver(said)
    {
      #expect(record.verdict == "silent" && record.loaded.isEmpty, "\(said)")
    }
  }

  // MARK: Helpers

  private func common(_ size: Int) -> String { "@size = common global [\(size) x i8] zeroinitializer, align 1\n" }

  private func keeping(_ text: String) -> String {
    text + "@llvm.used = appending global [1 x ptr] [ptr @list], section \"llvm.metadata\"\n"
  }

  /// Files of LLVM's text or the assembler's; one that is a library has one member, `a.o`.
  private func linked(
    _ args: [String], _ files: [String: String], _ definers: [String: [String]]
  ) async throws -> (record: Oracle.Record, ours: LinkVerdict) {
    let scratch = Scratch()
    for (name, text) in files {
      let isBitcode = !text.hasPrefix(".")
      let content = try await isBitcode ? Assembler.bitcode(text) : Assembler.object(text)
      let names = definers.keys.sorted()
      let member = ArchiveFixture.Member(name: "a.o", content: content, names: names)
      try scratch.write(name, name.hasSuffix(".a") ? ArchiveFixture.bytes([member]) : content)
    }
    let (record, said) = try await LLD.link(args, in: scratch.path, definers: definers)
    #expect(record.verdict != "unsupported", "\(said)")
    let line = try LinkLine(LLD.base + args)
    let link = LinkResult(line, .lld, LinkSet(.arm64, linkFolder(scratch.path), .lld))
    #expect(record.differences(from: link, line, .lld) == [])
    return (record, link.verdict)
  }
}
