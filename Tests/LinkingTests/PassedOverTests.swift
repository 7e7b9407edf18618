import Lanes
import Linking
import ObjectFiles
import SystemPackage
import Testing
import TestSupport

@testable import LinkSupport

/// Options that some linkers pass over, against lld; and what Apple's linkers make of them, by their manual.
@Suite struct PassedOverTests {
  @Test(
    .tools,
    arguments: [
      ("-lazy_library liba.a b.o -all_load", true), ("-upward_library liba.a b.o -all_load", true),
      ("-L. -lazy-la b.o -all_load", true), ("-L. -upward-la b.o -all_load", true),
      ("-F. -lazy_framework A b.o -all_load", true), ("-F. -upward_framework A b.o -all_load", true),
      ("-needed_library liba.a b.o -all_load", true), ("-F. -weak_framework A b.o -all_load", true),
      ("a.o libb.a -init _only", true), ("a.o libb.a -u _only", true), ("a.o -alias_list aliases", true),
      ("liba.a libb.a -all_load -noall_load", true), ("liba.a libb.a -noall_load -all_load", true),
      ("-L . -F . -lb -framework A -all_load", true),
      ("a.o --no-color-diagnostics --verbose --warn-duplicate-rpath --no-deduplicate-strings", false),
    ])
  func agreesWithLLD(_ words: String, _ isDuplicateForLD64: Bool) async throws {
    let scratch = Scratch()
    for (name, only) in [("a", "_a"), ("b", "_only")] {
      let text = ".globl _foo, \(only)\n_foo: ret\n\(only): ret\n.subsections_via_symbols\n"
      let object = try await Assembler.object(".build_version ios, 13, 0\n" + text)
      let archive = ArchiveFixture.bytes([.init(name: "\(name).o", content: object, names: ["_foo", only])])
      try scratch.write("\(name).o", object)
      try scratch.write("lib\(name).a", archive)
      if name == "a" { try scratch.write("A.framework/A", archive) }
    }
    try scratch.write("aliases", "_a _foo\n")
    let words = ["-dylib"] + words.split(separator: " ").map(String.init)
    let (record, said) = try await LLD.link(words, in: scratch.path, definers: [:])
    func duplicates(_ profile: LinkerProfile) async throws -> [String] {
      let line = try LinkLine(LLD.base + words)
      let set = LinkSet(.arm64, linkFolder(scratch.path), profile)
      await set.read(line, profile)
      return LinkResult(line, profile, set).verdict.duplicates.map(\.name)
    }
    #expect(try await duplicates(.lld) == record.duplicates, "\(said)")
    #expect(try await duplicates(.ld64) == (isDuplicateForLD64 ? ["_foo"] : []))
  }
}
